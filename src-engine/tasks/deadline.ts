/** Work that has to be done within a span, and ends when its attempt does. */

import { errorOfRecord, SagasmithError, toErrorRecord } from '../model/errors.ts'
import type { Millis } from '../model/time.ts'
import { withUnknownEffect } from '../model/unknown-effect.ts'
import type { TaskContext } from './task.ts'

/** What an effect is known of while it is being had; whoever does the work writes it. */
export interface EffectLeft {
  /** Somebody else may have done what was asked for, and nobody has said that it is or isn't so. */
  isOpen: boolean
}

/**
 * Does the work with a signal that is aborted when the span is over or the attempt ends. Throws
 * `task_cancelled` or `task_timeout` then, whatever the work throws; an open effect is told in the details.
 */
export async function withinDeadline<T>(
  limit: { readonly timeoutMs: Millis; readonly effect?: EffectLeft },
  context: Pick<TaskContext, 'clock' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs, effect } = limit
  if (context.signal.aborted) throw new SagasmithError('task_cancelled')
  const timeout = new AbortController()
  const cancel = context.clock.after(timeoutMs, () => timeout.abort())
  try {
    return await work(AbortSignal.any([context.signal, timeout.signal]))
  } catch (thrown) {
    throw tellingOpen(endedBy(thrown), effect)
  } finally {
    cancel()
  }

  function endedBy(thrown: unknown): unknown {
    if (context.signal.aborted) return new SagasmithError('task_cancelled')
    if (!timeout.signal.aborted) return thrown
    return new SagasmithError('task_timeout', {
      message: `It was not done within ${timeoutMs} ms.`,
      hint: 'Raise the timeout in the node’s settings, or ask for less.',
      details: { timeoutMs },
    })
  }
}

function tellingOpen(thrown: unknown, effect: EffectLeft | undefined): unknown {
  if (effect?.isOpen !== true || !(thrown instanceof SagasmithError)) return thrown
  return errorOfRecord({ ...toErrorRecord(thrown), details: withUnknownEffect(thrown.details) })
}
