/** An answer without a model: empty, or the schema's own defaults. */

import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { AskModelParameters } from './spec.ts'

export const askModelMock: TaskMock<AskModelParameters> = ({ model, answer, schema }, context) => {
  sayLeftOut(context, `${model} was not asked.`)
  const told = { model, finish: 'stop', usage: { inputTokens: 0, outputTokens: 0 }, cost: 0 }
  if (answer === 'text') return completed({ text: '', ...told })
  const value = (schema ?? null) as JsonValue
  const json = isJsonObject(value) ? validateInput(value, {}).value : {}
  return completed({ text: JSON.stringify(json), json, ...told })
}
