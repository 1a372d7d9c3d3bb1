/** What people do to a mapping. Pure. */

import { quotedName } from '../expression-path.ts'
import type { DraggedValue } from '../value-drag.ts'
import type { MappedField, Mapping } from './field-mapping.ts'
import { mappingExpression, mappingOf } from './field-mapping.ts'

export const emptyMapping: Mapping = { each: null, all: [], without: [], fields: [] }

/** The mapping of a text that was written as one: then it is shown as fields by itself. */
export function writtenMapping(text: string): Mapping | null {
  const mapping = mappingOf(text)
  return mapping !== null && mapping.fields.length > 0 && mappingExpression(mapping) === text ? mapping : null
}

/** With one more field, under a name that is free. */
function withField(mapping: Mapping, { to, from }: MappedField): Mapping {
  const names = new Set(mapping.fields.map((field) => field.to))
  let free = to
  for (let count = 2; names.has(free); count += 1) free = `${to}${count}`
  return { ...mapping, fields: [...mapping.fields, { to: free, from }] }
}

/** With a value that was dragged here: below the list, as its entries know it. */
export function withValue(mapping: Mapping, { expression, name }: DraggedValue): Mapping {
  return withField(mapping, { to: name ?? 'value', from: seenFromEntry(mapping, expression) })
}

/** An expression as it is written in a field: entries of the list know what is in them by its name alone. */
export function seenFromEntry({ each }: Mapping, expression: string): string {
  if (each === null) return expression
  const list = each.trim() === '' ? 'input' : each.trim()
  if (!expression.startsWith(list)) return expression
  const rest = /^(\[\d+\])?\.(.+)$/.exec(expression.slice(list.length))
  return rest?.[2] ?? expression
}

/** With a field of the example taken as it is. */
export function withTaken(mapping: Mapping, name: string): Mapping {
  const from = mapping.each === null ? `input.${quotedName(name)}` : quotedName(name)
  return withField(mapping, { to: name, from })
}

/** Names of the example that are made under no name yet. */
export function untaken(mapping: Mapping, names: readonly string[]): readonly string[] {
  const plain = names.filter((name) => !/[.`"\\]/.test(name) && name.trim() === name && name !== '')
  const taken = new Set(mapping.fields.map(({ from }) => from))
  return plain.filter((name) => {
    const { fields } = withTaken({ ...mapping, fields: [] }, name)
    return !taken.has(fields[0]?.from ?? '')
  })
}

/** Where the example comes from: the list, or what arrives. */
export const exampleSource = ({ each }: Mapping): string =>
  each === null || each.trim() === '' ? 'input' : each.trim()
