/** Documents as TypeScript and back: by reading it, and by running it. */

import { readdirSync, readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { readCode } from '../../../src-engine/model/code/read-code.ts'
import { writeCode } from '../../../src-engine/model/code/write-code.ts'
import { definitionHashOf } from '../../../src-engine/model/definition-hash.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { defineWorkflow, extra, kept } from '../../../src-engine/sdk/workflow-builder.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { anyDocument } from '../../support/any-document.ts'

const known = { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }
const codeOf = (document: WorkflowDocument): string => writeCode(document, known)

function reread(code: string): WorkflowDocument {
  const read = readCode(code)
  if (!read.ok) throw read.error
  return read.value.document
}

type BuildWith = (...sdk: readonly unknown[]) => WorkflowDocument

/** The module's default export, made by running the module. */
function executed(code: string): WorkflowDocument {
  const [, body = ''] = /^import .*\n\nexport default ([\s\S]*)$/.exec(code) ?? []
  // Generated code has no types in it: it runs as it is.
  const call = runInThisContext(`'use strict'; (defineWorkflow, extra, kept) => ${body}`) as BuildWith
  return call(defineWorkflow, extra, kept)
}

const samples = new URL('../../../resources/samples/', import.meta.url)
const sampleNames = readdirSync(samples).filter((name) => name.endsWith('.json'))

describe('generated TypeScript', () => {
  test('gives the same document to the byte when it is read and when it is run', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const code = codeOf(document)
        const text = canonicalDocument(document)
        expect(canonicalDocument(reread(code))).toBe(text)
        const run = executed(code)
        expect(canonicalDocument(run)).toBe(text)
        expect(definitionHashOf(run, taskSpecsByKind)).toBe(definitionHashOf(document, taskSpecsByKind))
      }),
      { numRuns: 250 },
    )
  })

  test.for(sampleNames)('gives the definition hash of the sample %s', (name) => {
    const read = readDocument(readFileSync(new URL(name, samples), 'utf8'))
    if (!read.ok) throw read.error
    const { document } = read.value
    const code = codeOf(document)
    const hash = definitionHashOf(document, taskSpecsByKind)
    expect(definitionHashOf(executed(code), taskSpecsByKind)).toBe(hash)
    expect(canonicalDocument(reread(code))).toBe(canonicalDocument(document))
    expect(code).not.toContain('kept(')
  })

  test('keeps the ids of nodes and edges as names', () => {
    const code = codeOf(
      defineWorkflow({
        id: 'orders',
        nodes: { fetch: { kind: 'noop' }, check: { kind: 'if', parameters: { condition: 'true' } } },
        edges: { first: ['fetch', 'check'] },
      }),
    )
    expect(code).toBe(`import { defineWorkflow } from 'sagasmith'

export default defineWorkflow({
  id: 'orders',
  title: 'orders',
  nodes: {
    check: {
      kind: 'if',
      parameters: { condition: 'true' },
    },
    fetch: { kind: 'noop' },
  },
  edges: {
    first: ['fetch', 'check'],
  },
})
`)
  })
})
