/** Begins its body: that there is room for it was decided when it was claimed. */

import type { TaskRun } from '../task.ts'
import type { SemaphoreParameters } from './spec.ts'

export const semaphoreRun: TaskRun<SemaphoreParameters> = {
  execute: async (_parameters, { input }) => ({ kind: 'turn', iteration: 0, value: input }),
}
