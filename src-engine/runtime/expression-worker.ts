/** Entry of the thread that evaluates expressions; the engine ends the thread when one takes too long. */

import { parentPort } from 'node:worker_threads'
import type { EvaluationRequest, WorkerMessage } from './expressions/evaluation-message.ts'
import { createJsonataEvaluator } from './expressions/jsonata-evaluator.ts'

const port = parentPort
if (port === null) throw new Error('The expression worker is started by the engine, as a worker thread.')

const evaluator = createJsonataEvaluator()
const send = (message: WorkerMessage) => port.postMessage(message)

async function work(batch: readonly EvaluationRequest[]): Promise<void> {
  // In order and one at a time: the engine times the first that isn't answered.
  for (const request of batch) {
    const results = await evaluator.evaluate(request)
    // An expression that reached into the thread's own objects must not meet the next one's data.
    for (const name in {}) throw new Error(`An expression left “${name}” behind.`)
    send({ kind: 'answer', id: request.id, results })
  }
}

let last = Promise.resolve()
port.on('message', (batch: readonly EvaluationRequest[]) => {
  last = last.then(() => work(batch))
})
send({ kind: 'ready' })
