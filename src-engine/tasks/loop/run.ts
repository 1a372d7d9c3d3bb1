/** Decides before each turn of a loop whether there is one more. */

import { SagasmithError } from '../../model/errors.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { isTrue } from '../truth.ts'
import type { LoopParameters } from './spec.ts'

export const loopRun: TaskRun<LoopParameters> = {
  async execute(parameters, context) {
    const { iteration, value } = context.turn
    if (!wantsMore(parameters, iteration)) return completed(value)
    const { max, onMax, mode } = parameters
    if (mode === 'count' || iteration < max) return { kind: 'turn', iteration, value }
    if (onMax === 'continue') return completed(value)
    throw new SagasmithError('loop_limit_reached', {
      message: `The loop has taken its maximum of ${max} turns, and its condition asks for more.`,
      details: { max },
    })
  },
}

function wantsMore({ mode, condition, count }: LoopParameters, iteration: number): boolean {
  if (mode === 'count') return iteration < count
  if (mode === 'until') return iteration === 0 || !isTrue(condition)
  return isTrue(condition)
}
