/** An answer without a model: empty, or the schema's own defaults. */

import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { AskModelParameters } from './spec.ts'

export const askModelMock: TaskMock<AskModelParameters> = ({ model, answer, schema, tools }, context) => {
  sayLeftOut(context, `${model} was not asked.`)
  const told = { model, finish: 'stop', usage: { inputTokens: 0, outputTokens: 0 }, cost: 0 }
  const talk = tools.length === 0 ? {} : { toolCalls: [], messages: [] }
  const ports = tools.length === 0 ? null : ['out']
  if (answer === 'text') return completed({ text: '', ...told, ...talk }, ports)
  const value = (schema ?? null) as JsonValue
  const json = isJsonObject(value) ? validateInput(value, {}).value : {}
  return completed({ text: JSON.stringify(json), json, ...told, ...talk }, ports)
}
