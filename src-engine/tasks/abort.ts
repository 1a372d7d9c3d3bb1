/** Waiting that ends when the attempt is cancelled. */

import { SagasmithError } from '../model/errors.ts'
import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'

/** Throws `task_cancelled` once the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SagasmithError('task_cancelled')
}

/** Waits for the span; throws `task_cancelled` as soon as the signal is aborted. */
export async function pause(clock: Clock, span: Millis, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal)
  if (span <= 0) return
  await new Promise<void>((resolve) => {
    const stop = () => {
      cancel()
      resolve()
    }
    const cancel = clock.after(span, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
  throwIfAborted(signal)
}

/** The promise's outcome; its signal's reason is thrown when that comes first, and the promise forgotten. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
