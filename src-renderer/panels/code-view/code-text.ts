/** The document as the code view shows it: its text, what a text means, and where things stand in it. */

import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { readCode } from '../../../src-engine/model/code/read-code.ts'
import type { CodePlaces, CodeSpan } from '../../../src-engine/model/code/read-value.ts'
import { pathKey, readValue } from '../../../src-engine/model/code/read-value.ts'
import type { KnownKinds } from '../../../src-engine/model/code/write-code.ts'
import { writeCode } from '../../../src-engine/model/code/write-code.ts'
import type { SagasmithError } from '../../../src-engine/model/errors.ts'
import { fieldPathText } from '../../../src-engine/model/field-hints.ts'
import type { EdgeId, NodeId } from '../../../src-engine/model/ids.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { FieldPlace } from '../../state/field-tab.ts'
import type { Selection } from '../../state/view-store.ts'

export type CodeForm = 'json' | 'ts'

/** The text of a document. */
export function codeTextOf(document: WorkflowDocument, form: CodeForm, known: KnownKinds): string {
  return form === 'json' ? canonicalDocument(document) : writeCode(document, known)
}

export interface CodeFault {
  readonly message: string
  readonly hint: string
  /** Index into the text; null when the whole of it is meant. */
  readonly index: number | null
}

export type CodeReading =
  | { readonly kind: 'document'; readonly document: WorkflowDocument; readonly places: CodePlaces }
  | { readonly kind: 'fault'; readonly fault: CodeFault }

/** What a text means; it is read, never run. */
export function readCodeText(text: string, form: CodeForm): CodeReading {
  const places: CodePlaces = new Map()
  const read = form === 'json' ? readDocument(text) : readCode(text, places)
  if (!read.ok) return { kind: 'fault', fault: faultOf(text, read.error) }
  if (form === 'json') readValue({ text, at: 0 }, places)
  return { kind: 'document', document: read.value.document, places }
}

function faultOf(text: string, { message, hint, details }: SagasmithError): CodeFault {
  const { index, line, column } = details
  if (typeof index === 'number') return { message, hint, index }
  if (typeof line !== 'number' || typeof column !== 'number') return { message, hint, index: null }
  const before = text.split('\n').slice(0, line - 1)
  return { message, hint, index: before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1 }
}

/** Where what is selected stands, in the order of the text. */
export function spansOf(places: CodePlaces, selection: Selection): readonly CodeSpan[] {
  const paths = [
    ...selection.nodes.map((id) => ['nodes', id]),
    ...selection.edges.map((id) => ['edges', id]),
    ...selection.notes.map((id) => ['notes', id]),
    ...selection.triggers.map((id) => ['triggers', id]),
    ...selection.scopes.map((id) => ['sagaScopes', id]),
    ...selection.frames.map((id) => ['frames', id]),
  ]
  return paths.flatMap((path) => places.get(pathKey(path)) ?? []).toSorted((a, b) => a.start - b.start)
}

/** What stands at a place, to be selected; null between things. */
export function selectionAt(places: CodePlaces, index: number): Partial<Selection> | null {
  for (const [key, { start, end }] of places) {
    if (index < start || index > end) continue
    const [section, id, ...deeper] = key.split('\u0000')
    if (id === undefined || deeper.length > 0) continue
    // Keys of these sections are the ids of what is in them.
    if (section === 'nodes') return { nodes: [id as NodeId] }
    if (section === 'edges') return { edges: [id as EdgeId] }
    if (section === 'notes') return { notes: [id] }
    if (section === 'triggers') return { triggers: [id] }
  }
  return null
}

/** Where a field stands; what it is in where it has no lines of its own, null where that is the whole step. */
export function spanOfField(places: CodePlaces, { nodeId, field }: FieldPlace): CodeSpan | null {
  const path = field.replaceAll('[', '.').replaceAll(']', '').split('.')
  for (; path.length > 0; path.pop()) {
    const span = places.get(pathKey(['nodes', nodeId, ...path]))
    if (span !== undefined) return span
  }
  return null
}

/** The place in what a line says that is nearest: who presses beside the words, or behind the comma, means them. */
export function inLine(line: { readonly from: number; readonly text: string }, index: number): number {
  const { from, text } = line
  const begin = from + text.length - text.trimStart().length
  const end = from + text.replace(/[\s,]+$/, '').length
  return Math.max(begin, Math.min(index, end))
}

/** The innermost field of a step that stands at a place; null between fields. */
export function fieldAt(places: CodePlaces, index: number): FieldPlace | null {
  let found: readonly string[] = []
  for (const [key, { start, end }] of places) {
    const path = key.split('\u0000')
    if (path[0] === 'nodes' && index >= start && index <= end && path.length > found.length) found = path
  }
  const [, id, ...field] = found
  if (id === undefined || field.length === 0) return null
  const parts = field.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  // Keys of this section are ids of nodes.
  return { nodeId: id as NodeId, field: fieldPathText(parts) }
}

export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The one stretch in which two texts differ; null when they don't. What stands around it keeps its place. */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  let tail = 0
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) }
}
