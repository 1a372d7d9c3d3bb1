/** Entry of the thread that looks into results; the engine ends the thread when one takes too long. */

import { parentPort } from 'node:worker_threads'
import { recordOfThrown } from '../model/errors.ts'
import { createJsonScan } from './output-policy/scan-json.ts'
import type { ScanMessage, ScanRequest } from './output-policy/scan-message.ts'

const port = parentPort
if (port === null) throw new Error('The scan worker is started by the engine, as a worker thread.')

const scan = createJsonScan()
const send = (message: ScanMessage) => port.postMessage(message)

port.on('message', ({ id, request }: { readonly id: number; readonly request: ScanRequest }) => {
  try {
    send({ kind: 'answer', id, verdict: scan(request) })
  } catch (thrown) {
    send({ kind: 'failed', id, message: recordOfThrown(thrown).message })
  }
})
send({ kind: 'ready' })
