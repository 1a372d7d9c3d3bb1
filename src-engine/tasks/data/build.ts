/** Writes texts: JSON, JSON Lines, YAML, XML, an HTML table. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { plainText } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { BuildDataParameters } from './spec.ts'
import { builtXml, escaped } from './xml.ts'

export const buildDataRun: TaskRun<BuildDataParameters> = {
  execute: async (parameters) => completed(await built(parameters)),
}

async function built({ value: given, format, indent, root, title }: BuildDataParameters): Promise<string> {
  // A parameter's value is JSON by its making.
  const value = (given ?? null) as JsonValue
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value]
  switch (format) {
    case 'jsonl':
      return items.map((item) => `${JSON.stringify(item)}\n`).join('')
    case 'yaml': {
      // Loaded with the first YAML text.
      const { stringify } = await import('yaml')
      return stringify(value, { version: '1.2', aliasDuplicateObjects: false, lineWidth: 0 })
    }
    case 'xml':
      return builtXml(value, root, indent)
    case 'html':
      return page(table(items), title)
    default:
      return indent ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value)
  }
}

function table(items: readonly JsonValue[]): string {
  const rows = items.map((item): JsonObject => (isJsonObject(item) ? item : { Value: item }))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`
  const cellText = (value: JsonValue | undefined): string =>
    value === undefined || value === null ? '' : plainText(value)
  const body = rows.map((row) =>
    cells(
      'td',
      names.map((name) => cellText(row[name])),
    ),
  )
  return `<table>\n<thead>${cells('th', names)}</thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>\n`
}

function page(content: string, title: string): string {
  if (title === '') return content
  const heading = escaped(title)
  return `<!doctype html>\n<html>\n<head><meta charset="utf-8"><title>${heading}</title></head>\n<body>\n<h1>${heading}</h1>\n${content}</body>\n</html>\n`
}
