/** Writes the message into the attempt's log. */

import { plainText } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { LogParameters } from './spec.ts'

export const logRun: TaskRun<LogParameters> = {
  execute(parameters, context) {
    context.log({ level: parameters.level, stream: 'task', text: plainText(parameters.message) })
    return completed(context.input)
  },
}
