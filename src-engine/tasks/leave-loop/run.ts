/** Say how the turn of a loop is left, and with what. */

import type { LeftTurn } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import type { LeaveLoopParameters } from './spec.ts'

const leaving = (how: LeftTurn['how']): TaskRun<LeaveLoopParameters> => ({
  execute({ value }, context) {
    // A parameter's value is JSON by its making.
    const output = (value === '' || value === undefined ? context.input : value) as JsonValue
    return { kind: 'leaves', how, output }
  },
})

export const breakLoopRun = leaving('break')
export const nextTurnRun = leaving('continue')
