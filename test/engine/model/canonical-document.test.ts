/** The text of a document: the same for the same document, and nothing of it is lost. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { anyDocument } from '../../support/any-document.ts'

function reread(text: string): WorkflowDocument {
  const read = readDocument(text)
  if (!read.ok) throw read.error
  return read.value.document
}

/** The same value with its fields in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

describe('the canonical text of a document', () => {
  test('export, import and export again give the same bytes, unknown fields included', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const text = canonicalDocument(document)
        const again = reread(text)
        // JSON knows one zero.
        expect(again).toEqual(JSON.parse(JSON.stringify(document)))
        expect(canonicalDocument(again)).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  test('is the same whatever the order of the fields', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const other = reversed(document as unknown as JsonValue) as unknown as WorkflowDocument
        expect(canonicalDocument(other)).toBe(canonicalDocument(document))
      }),
      { numRuns: 100 },
    )
  })

  test('has the layout last, so that moving a node changes the last block only', () => {
    const document = reread(
      '{"format":"sagasmith.workflow","schemaVersion":1,"id":"w","title":"W","layout":{},"zebra":1,"nodes":{},"edges":{}}',
    )
    expect(Object.keys(JSON.parse(canonicalDocument(document)))).toEqual(
      'edges format id nodes schemaVersion title zebra layout'.split(' '),
    )
  })

  test('a number that no number can hold is refused instead of becoming null', () => {
    const text =
      '{"format":"sagasmith.workflow","schemaVersion":1,"id":"w","title":"W","nodes":{"a":{"kind":"log","parameters":{"level":1e999}}},"edges":{}}'
    const read = readDocument(text)
    expect(read.ok ? null : read.error).toMatchObject({
      code: 'document_invalid',
      details: { path: 'nodes.a.parameters.level' },
    })
  })
})
