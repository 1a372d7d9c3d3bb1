/** The tools that a model may ask for: how they are told, and what a call of one must be. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import { parseJson } from '../json-text.ts'
import type { SaidCall } from './answer-stream.ts'
import type { AskModelParameters } from './spec.ts'
import { unfit } from './unfit.ts'

type Tool = AskModelParameters['tools'][number]

/** A call that was asked for, of a tool that there is and with arguments that it takes. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonValue
}

/** As the service wants to hear it. */
export const toolsOf = (tools: readonly Tool[]): readonly JsonObject[] =>
  tools.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: schemaOf(tool) },
  }))

function schemaOf({ name, schema }: Tool): JsonObject {
  // A parameter's value is JSON by its making.
  const value = (schema ?? null) as JsonValue
  if (isJsonObject(value)) return value
  throw new SagasmithError('task_input_invalid', {
    message: `The arguments of “${name}” are no JSON Schema: it must be an object.`,
    details: { field: 'tools', tool: name },
  })
}

/** What the model asks for. Throws `task_output_invalid` for what no tool can do. */
export function checkedCalls(
  said: readonly SaidCall[],
  { tools, maxToolCalls }: Pick<AskModelParameters, 'tools' | 'maxToolCalls'>,
): readonly ToolCall[] {
  if (said.length > maxToolCalls) {
    throw unfit(`The model asks for ${said.length} calls at once; ${maxToolCalls} are allowed.`)
  }
  return said.map(({ id, name, text }, index) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw unfit(`The model asks for “${name}”, and there is no such tool.`)
    return { id: id === '' ? `call_${index + 1}` : id, name, arguments: argumentsOf(tool, text) }
  })
}

function argumentsOf(tool: Tool, text: string): JsonValue {
  // A tool that takes nothing is often called with nothing at all.
  const given = parseJson(text.trim() === '' ? '{}' : text)
  if (!given.ok) throw unfit(`The arguments that the model has for “${tool.name}” are not JSON.`)
  const { value, problems } = validateInput(schemaOf(tool), given.value)
  const [first] = problems
  if (first === undefined) return value
  throw unfit(`The arguments that the model has for “${tool.name}” don’t fit: ${first.message}`, problems)
}
