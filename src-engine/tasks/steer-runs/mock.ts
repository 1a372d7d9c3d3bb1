/** Nobody is asked for anything. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { SteerRunsParameters } from './spec.ts'

export const steerRunsMock: TaskMock<SteerRunsParameters> = ({ action }, context) => {
  sayLeftOut(context, action === 'cancel' ? 'no run was asked to end.' : 'no run was sent the signal.')
  return completed({ requested: [], left: [] })
}
