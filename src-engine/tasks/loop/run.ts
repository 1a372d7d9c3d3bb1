/** Decides before each turn of a loop whether there is one more. */

import { SagasmithError } from '../../model/errors.ts'
import { timerAheadMsMax } from '../../model/limits.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { isTrue } from '../truth.ts'
import type { LoopParameters } from './spec.ts'

const unitMs = { milliseconds: 1, seconds: second, minutes: minute, hours: hour, days: day }

export const loopRun: TaskRun<LoopParameters> = {
  execute: async (parameters, context) => nextTurn(parameters, context),
}

/** One more turn, or the end. Throws `loop_limit_reached`. */
export function nextTurn(parameters: LoopParameters, context: Pick<TaskContext, 'turn'>): TaskOutcome {
  const { iteration, value } = context.turn
  if (!wantsMore(parameters, iteration)) return completed(value)
  const { max, onMax, mode } = parameters
  if (mode === 'count' || iteration < max)
    return { kind: 'turn', iteration, value, ...pace(parameters, iteration) }
  if (onMax === 'continue') return completed(value)
  throw new SagasmithError('loop_limit_reached', {
    message: `The loop has taken its maximum of ${max} turns, and its condition asks for more.`,
    details: { max },
  })
}

/** Once it is decided that there is one more: the end of the last turn is told at once. */
function pace({ delay, unit }: LoopParameters, iteration: number): { readonly delayMs?: number } {
  const delayMs = Math.ceil(delay * unitMs[unit])
  if (delayMs > timerAheadMsMax) {
    throw new SagasmithError('task_input_invalid', {
      message: 'The loop would wait for more than ten years between two turns.',
      details: { field: 'delay' },
    })
  }
  return iteration === 0 || delayMs === 0 ? {} : { delayMs }
}

function wantsMore({ mode, condition, count }: LoopParameters, iteration: number): boolean {
  if (mode === 'count') return iteration < count
  if (mode === 'until') return iteration === 0 || !isTrue(condition)
  return isTrue(condition)
}
