/** The turns follow one another at once. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import type { TaskOutcome } from '../task.ts'
import { nextTurn } from './run.ts'
import type { LoopParameters } from './spec.ts'

export const loopMock: TaskMock<LoopParameters, TaskOutcome> = (parameters, context) => {
  const outcome = nextTurn(parameters, context)
  if (outcome.kind !== 'turn' || outcome.delayMs === undefined) return outcome
  sayLeftOut(context, 'the wait between two turns is taken to be over.')
  const { delayMs: _none, ...atOnce } = outcome
  return atOnce
}
