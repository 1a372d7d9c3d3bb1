/** Entry of a thread that reads texts, one at a time; the engine ends it when one takes too long. */

import { parentPort } from 'node:worker_threads'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { TextMessage } from './text-message.ts'
import type { TextRequest } from './text-request.ts'
import { readHere } from './text-request.ts'

const port = parentPort
if (port === null) throw new Error('A thread that reads texts is started by the engine.')

const send = (message: TextMessage) => port.postMessage(message)

async function answerTo(request: TextRequest): Promise<TextMessage> {
  try {
    const json = JSON.stringify(await readHere(request))
    // The engine would refuse it, after all of it had been handed over.
    if (json.length > taskOutputBytesMax) throw tooLarge(json.length)
    return { kind: 'value', json }
  } catch (thrown) {
    return { kind: 'failed', error: recordOfThrown(thrown) }
  }
}

function tooLarge(length: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `What was read has ${length} characters; a step hands on up to ${taskOutputBytesMax} bytes.`,
    hint: 'Take less of it, or split the text.',
    details: { length, bytesMax: taskOutputBytesMax },
  })
}

port.on('message', (request: TextRequest) => void answerTo(request).then(send))
send({ kind: 'ready' })
