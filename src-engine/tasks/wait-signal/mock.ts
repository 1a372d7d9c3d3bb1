/** The signal is there at once, with what arrived as its payload. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { WaitSignalParameters } from './spec.ts'

export const waitSignalMock: TaskMock<WaitSignalParameters> = ({ name }, context) => {
  sayLeftOut(context, `nobody was waited for; the signal “${name}” is taken to have come.`)
  return completed(context.input, ['out'])
}
