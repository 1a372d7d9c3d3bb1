/** Reads texts: JSON, JSON Lines, YAML, XML. */

import type { JsonValue } from '../../model/json.ts'
import { linesOf, parseJson } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed, tellable } from '../task.ts'
import { checkLength, invalidData, plainData } from './plain-data.ts'
import type { ParseDataParameters } from './spec.ts'
import { parsedXml } from './xml.ts'

export const parseDataRun: TaskRun<ParseDataParameters> = {
  async execute(parameters, context) {
    checkLength(parameters.text)
    return completed(await parsed(parameters, context))
  },
}

async function parsed(
  { text: given, format, badLines, documents, lists }: ParseDataParameters,
  context: TaskContext,
): Promise<JsonValue> {
  // Many Windows programs begin a text with a byte order mark.
  const text = given.replace(/^\uFEFF/, '')
  switch (format) {
    case 'jsonl':
      return parsedLines(text, badLines === 'skip', context)
    case 'yaml':
      return parsedYaml(text, documents === 'all')
    case 'xml':
      return parsedXml(text, lists)
    default: {
      const value = parseJson(text)
      if (value.ok) return plainData(value.value)
      throw invalidData(saidOf(text, context))
    }
  }
}

/** The parser's words hold pieces of the text. */
function saidOf(text: string, context: TaskContext): string {
  const told = parseJson(tellable(context, text))
  return told.ok ? 'it is not JSON' : told.error
}

function parsedLines(text: string, skips: boolean, context: TaskContext): JsonValue {
  const values: JsonValue[] = []
  let skipped = 0
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === '') continue
    const value = parseJson(line)
    if (value.ok) values.push(plainData(value.value))
    else if (!skips) throw invalidData(`line ${index + 1}: ${saidOf(line, context)}`)
    else {
      skipped += 1
      if (skipped <= 20)
        context.log({ level: 'warn', stream: 'task', text: `Line ${index + 1} is not JSON.` })
    }
  }
  return { items: values, count: values.length, skipped }
}

/** Anchors may repeat what they name this often, altogether: a text that grows without end is a trap. */
const aliasesMax = 100

async function parsedYaml(text: string, all: boolean): Promise<JsonValue> {
  // Loaded with the first YAML text.
  const { parseAllDocuments } = await import('yaml')
  const found = parseAllDocuments(text, {
    schema: 'core',
    version: '1.2',
    uniqueKeys: true,
    intAsBigInt: true,
  })
  const documents = Array.isArray(found) ? found : []
  for (const { errors, warnings } of documents) {
    const [first] = [...errors, ...warnings]
    if (first !== undefined) throw invalidData(first.message.split('\n')[0]?.replace(/:$/, '') ?? '', first)
  }
  if (!all && documents.length > 1) throw invalidData('there are several documents in it')
  const values = documents.map((document) => {
    try {
      return plainData(document.toJS({ maxAliasCount: aliasesMax }))
    } catch (thrown) {
      if (thrown instanceof ReferenceError) throw invalidData('its anchors repeat too much', thrown)
      throw thrown
    }
  })
  return all ? values : (values[0] ?? null)
}
