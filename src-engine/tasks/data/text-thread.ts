/** One thread that reads texts, one at a time. What it is asked while it starts, it is asked once it can be. */

import { Worker } from 'node:worker_threads'
import { errorOfRecord, SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { textThreadHeapMbMax } from '../../model/limits.ts'
import { entryFile } from '../entry-file.ts'
import type { TextMessage } from './text-message.ts'
import type { TextRequest } from './text-request.ts'

export interface TextThread {
  /** Rejects with what reading throws; and when the thread is lost, which takes no more texts then. */
  readonly read: (request: TextRequest) => Promise<JsonValue>
  /** Whether it is gone. */
  readonly isLost: () => boolean
  /** Ends it, whatever it is doing: who waits for it waits for ever. */
  readonly end: () => void
}

interface Asked {
  readonly request: TextRequest
  readonly resolve: (value: JsonValue) => void
  readonly reject: (error: Error) => void
}

/** Starts one. It keeps the process alive only while it reads. */
export function startTextThread(heapMb = textThreadHeapMbMax): TextThread {
  const worker = new Worker(workerEntry(), { resourceLimits: { maxOldGenerationSizeMb: heapMb }, env: {} })
  let asked: Asked | null = null
  let isReady = false
  let isLost = false
  const answered = (): Asked | null => {
    const done = asked
    asked = null
    worker.unref()
    return done
  }
  const lose = (error: SagasmithError): void => {
    isLost = true
    answered()?.reject(error)
  }
  worker.on('message', (message: TextMessage) => {
    if (message.kind === 'ready') {
      isReady = true
      if (asked !== null) worker.postMessage(asked.request)
    } else if (message.kind === 'failed') answered()?.reject(errorOfRecord(message.error))
    // The thread made the text of a value.
    else answered()?.resolve(JSON.parse(message.json) as JsonValue)
  })
  worker.on('error', (error) => lose(lostError(error, heapMb)))
  worker.on('exit', () => lose(lostError(new Error('It ended without a word.'), heapMb)))
  return {
    isLost: () => isLost,
    read: (request) =>
      new Promise((resolve, reject) => {
        asked = { request, resolve, reject }
        worker.ref()
        if (isReady) worker.postMessage(request)
      }),
    end() {
      isLost = true
      worker.removeAllListeners()
      // It may still fail on its way out.
      worker.on('error', () => undefined)
      void worker.terminate()
    },
  }
}

const workerEntry = (): URL =>
  entryFile({ from: import.meta.url, source: './text-worker.ts', bundled: 'text-worker' })

function lostError(error: Error, heapMb: number): SagasmithError {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new SagasmithError('payload_too_large', {
      message: `Reading the text takes more than ${heapMb} MB of memory.`,
      hint: 'Split it, or work on the file with a command.',
      details: { memoryMb: heapMb },
      cause: error,
    })
  }
  return new SagasmithError('internal', {
    message: `The thread that reads texts was lost: ${error.message}`,
    cause: error,
  })
}
