/** Reads texts: JSON, JSON Lines, YAML, XML. */

import type { JsonValue } from '../../model/json.ts'
import { yamlCharsMax } from '../../model/limits.ts'
import { linesOf, parseJson } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed, tellable } from '../task.ts'
import { checkLength, invalidData, plainData } from './plain-data.ts'
import type { ParseDataParameters } from './spec.ts'
import type { TextReader } from './text-reader.ts'

/** The step with what reads texts whose parsers take their time. */
export function createParseDataRun({ read }: TextReader): TaskRun<ParseDataParameters> {
  return {
    async execute(parameters, context) {
      checkLength(parameters.text)
      return completed(await parsed(parameters, { context, read }))
    },
  }
}

async function parsed(
  { text: given, format, badLines, documents, lists }: ParseDataParameters,
  { context, read }: { readonly context: TaskContext } & TextReader,
): Promise<JsonValue> {
  // Many Windows programs begin a text with a byte order mark.
  const text = given.replace(/^\uFEFF/, '')
  switch (format) {
    case 'jsonl':
      return parsedLines(text, badLines === 'skip', context)
    case 'yaml': {
      checkLength(text, yamlCharsMax)
      const found = await read({ kind: 'yaml', text, linesBefore: 0 }, context)
      return documents === 'all' ? found : onlyDocument(found)
    }
    case 'xml':
      return read({ kind: 'xml', text, lists }, context)
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

function onlyDocument(documents: JsonValue): JsonValue {
  const [first = null, ...others] = Array.isArray(documents) ? documents : []
  if (others.length > 0) throw invalidData('there are several documents in it')
  return first
}
