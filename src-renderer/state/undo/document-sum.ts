/**
 * What tells documents apart, whatever the order of their keys. That of an edited one is found from that of the one before:
 * what the edit changed is taken out and put in, and the tens of thousands of other parts are not looked at. Pure.
 */

import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { canonicalJson } from '../../../src-engine/model/json.ts'
import type { TextSum } from '../../../src-engine/model/text-sum.ts'
import { emptySum, sumName, withText } from '../../../src-engine/model/text-sum.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { changesOf } from '../../rules/changes.ts'

/** A document and the sum of its steps, edges and places. */
export interface DocumentSum {
  readonly document: WorkflowDocument
  readonly sum: TextSum
}

const none: JsonObject = Object.freeze({})
const names = ['nodes', 'edges', 'places'] as const

/** Documents are JSON; their types have no index signature. */
const partsOf = (document: WorkflowDocument) =>
  ({
    nodes: document.nodes,
    edges: document.edges,
    places: document.layout?.nodes ?? none,
  }) as unknown as Readonly<Record<(typeof names)[number], JsonObject>>

/** Sums up a document, part by part, and stops after each. With one of before, only what differs from it. */
export function* sumSteps(
  document: WorkflowDocument,
  before: DocumentSum | null = null,
): Generator<undefined, DocumentSum> {
  const now = partsOf(document)
  const then = before === null ? null : partsOf(before.document)
  let sum = before?.sum ?? emptySum
  for (const name of names) {
    const [old, young] = [then?.[name] ?? none, now[name]]
    if (old === young) continue
    const { put, gone } = changesOf(old, young)
    const text = (id: string, part: JsonValue): string =>
      `${name} ${JSON.stringify(id)} ${canonicalJson(part)}`
    for (const id of [...gone, ...put]) {
      const [was, is] = [old[id], young[id]]
      if (was !== undefined) sum = withText(sum, text(id, was), -1)
      if (is !== undefined) sum = withText(sum, text(id, is), 1)
      yield
    }
  }
  return { document, sum }
}

/** The same in one go. */
export function sumOf(document: WorkflowDocument, before: DocumentSum | null = null): DocumentSum {
  const steps = sumSteps(document, before)
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

/** Names of this form begin so; before it they were the digest of all of a document's text. */
export const sumPrefix = 's1-'

/** The name of a document among all others, of any workflow. */
export function documentName({ document, sum }: DocumentSum): string {
  const { layout } = document
  const places = layout?.nodes === undefined ? {} : { layout: { ...layout, nodes: {} } }
  return `${sumPrefix}${sumName(sum, canonicalDocument({ ...document, nodes: {}, edges: {}, ...places }))}`
}
