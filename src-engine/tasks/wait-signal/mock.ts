/** The signals are there at once, with what arrived as the payload of each. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { WaitSignalParameters } from './spec.ts'

export const waitSignalMock: TaskMock<WaitSignalParameters> = ({ name, count }, context) => {
  sayLeftOut(context, `nobody was waited for; the signal “${name}” is taken to have come.`)
  const { input } = context
  return completed(count === 1 ? input : Array.from({ length: count }, () => input), ['out'])
}
