/** Writes the message into the attempt's log. */

import { plainText } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { LogParameters } from './spec.ts'

export const logRun: TaskRun<LogParameters> = {
  execute(parameters, context) {
    const { level, message, fields } = parameters
    const named = Object.entries(fields).map(([name, value]) => ` ${name}=${fieldText(value)}`)
    context.log({ level, stream: 'task', text: `${plainText(message)}${named.join('')}` })
    return completed(context.input)
  },
}

/** A value in quotes where its end could not be seen. */
function fieldText(value: unknown): string {
  const text = plainText(value ?? null)
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)
}
