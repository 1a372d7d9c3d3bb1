/**
 * A value that a field takes: the expression goes where it was dropped, in braces where the field is a text,
 * alone where it is an expression. Fields without a text of their own become that expression.
 */

import type { JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { parseTemplate } from '../../src-engine/model/template.ts'
import { inBraces, insertedInTemplate } from './expression-path.ts'
import { mappingExpression } from './mapping/field-mapping.ts'
import { withValue, writtenMapping } from './mapping/mapping-edits.ts'
import type { FieldKind, FormField } from './schema-fields.ts'
import { kindOf } from './schema-fields.ts'
import type { DraggedValue } from './value-drag.ts'

/** Sent to an editor of code, which is no field of the platform's. */
export const insertEvent = 'sagasmith-insert'

export interface InsertDetail {
  readonly text: string
  /** Where on the page it was dropped; null for where the cursor is. */
  readonly at: { readonly x: number; readonly y: number } | null
}

/** Kinds whose whole value becomes the expression. */
const wholes: readonly FieldKind[] = ['number', 'duration', 'switch', 'select']
/** Kinds that are written in an editor. */
const edited: readonly FieldKind[] = ['expression', 'code']

/** Whether a value can be put into a field of that kind. */
export function takesValue(field: FormField): boolean {
  if (field.kind === 'expression') return true
  if (field.kind === 'code') return field.language !== 'javascript' && field.takesExpressions
  if (field.kind === 'object' || field.kind === 'union' || field.kind === 'choices') return false
  if (field.kind === 'list') {
    const { items } = field.schema
    return (
      field.takesExpressions &&
      !['object', 'union', 'list'].includes(kindOf(isJsonObject(items) ? items : {}))
    )
  }
  return field.takesExpressions
}

/** The field's value with the expression in it, where no text says what place is meant. */
export function withValueTaken(
  field: FormField,
  value: JsonValue | undefined,
  dragged: DraggedValue,
): JsonValue {
  const mapping = field.schema['mapped'] === true && typeof value === 'string' ? writtenMapping(value) : null
  if (mapping !== null) return mappingExpression(withValue(mapping, dragged))
  const { expression, name } = dragged
  if (field.kind === 'expression')
    return typeof value === 'string' && value.trim() !== '' ? `${value} ${expression}` : expression
  if (field.kind === 'list')
    return [...(Array.isArray(value) ? (value as readonly JsonValue[]) : []), inBraces(expression)]
  if (field.kind === 'key-value') {
    const known = isJsonObject(value) ? value : {}
    return { ...known, [freeName(name ?? 'value', known)]: inBraces(expression) }
  }
  if (typeof value !== 'string' || value === '' || wholes.includes(field.kind)) return inBraces(expression)
  const template = parseTemplate(value)
  const isWhole = template.ok && template.value.kind === 'value'
  return isWhole ? inBraces(expression) : `${value}${inBraces(expression)}`
}

function freeName(name: string, known: Readonly<Record<string, unknown>>): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}${count}`
    if (!(free in known)) return free
  }
}

/**
 * Puts the expression into the text field or editor that a drop met, as typing would; false where it met none
 * and the field as a whole takes it.
 */
export function insertAt(
  target: EventTarget | null,
  { field, dragged }: { readonly field: FormField; readonly dragged: DraggedValue },
  at: InsertDetail['at'],
): boolean {
  if (!(target instanceof Element)) return false
  const { expression } = dragged
  const editor = target.closest('[data-takes-inserts]')
  if (editor !== null && edited.includes(field.kind)) {
    const text = field.kind === 'expression' ? expression : inBraces(expression)
    const detail: InsertDetail = { text, at }
    editor.dispatchEvent(new CustomEvent(insertEvent, { detail }))
    return true
  }
  const input = target.closest('input, textarea')
  const isText = input instanceof HTMLTextAreaElement || input instanceof HTMLInputElement
  if (!isText || input.readOnly || wholes.includes(field.kind)) return false
  const place = placeIn(input, at)
  const text = insertedInTemplate(input.value, place, expression)
  input.focus()
  // React hears of it as of typing.
  input.setRangeText(text, place, place, 'end')
  input.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}

/** The place in the text under the pointer; its end where the platform can't say. */
function placeIn(input: HTMLInputElement | HTMLTextAreaElement, at: InsertDetail['at']): number {
  const found = at === null ? null : (document.caretPositionFromPoint?.(at.x, at.y) ?? null)
  if (found !== null && found.offsetNode === input) return Math.min(found.offset, input.value.length)
  return at === null ? (input.selectionStart ?? input.value.length) : input.value.length
}
