import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { definitionHashOf } from '../../../src-engine/model/definition-hash.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { documentOf, edgesOf, specOf, specsOf } from './workflow-fixture.ts'

const http = specOf({
  kind: 'http',
  sideEffect: 'keyed',
  parameters: z.object({
    url: z.string(),
    method: z.enum(['GET', 'POST']).default('GET'),
    options: z.object({ follow: z.boolean().default(true), depth: z.number().default(3) }).prefault({}),
    headers: z.array(z.object({ name: z.string(), on: z.boolean().default(true) })).default([]),
    auth: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('none') }),
        z.object({ kind: z.literal('basic'), user: z.string().default('me') }),
      ])
      .default({ kind: 'none' }),
  }),
})
const specs = specsOf(http)

const base: JsonObject = {
  nodes: { a: { kind: 'http', parameters: { url: 'x' } }, b: { kind: 'log' } },
  edges: edgesOf('a>b'),
}
const hashOf = (parts: JsonObject): string => definitionHashOf(documentOf({ ...base, ...parts }), specs)
const hashOfNode = (fields: JsonObject): string =>
  hashOf({ nodes: { a: { kind: 'http', parameters: { url: 'x' }, ...fields }, b: { kind: 'log' } } })
const hashOfParameters = (fields: JsonObject): string => hashOfNode({ parameters: { url: 'x', ...fields } })
const plain = hashOf({})

describe('definitionHashOf', () => {
  test('is the version of the hash and 64 hex digits, and stays what it is', () => {
    expect(plain).toMatch(/^w1_[0-9a-f]{64}$/)
    const known = definitionHashOf(documentOf({ nodes: { a: { kind: 'log' } } }))
    const normal = '{"id":"w","nodes":{"a":{"kind":"log"}}}'
    expect(known).toBe(`w1_${createHash('sha256').update(normal).digest('hex')}`)
  })

  test.for<[string, JsonObject]>([
    ['title', { title: 'Other' }],
    ['description', { description: 'x' }],
    ['layout', { layout: { nodes: { a: { x: 1, y: 2 } } } }],
    ['notes', { notes: { n: { text: 'x' } } }],
    ['frames', { frames: { f: { title: 'x', nodes: ['a'] } } }],
    ['triggers', { triggers: { t: { kind: 'cron' } } }],
    ['mock sets', { mockSets: { m: {} } }],
    ['presets', { presets: { p: { title: 'P', input: { a: 1 } } } }],
    ['$schema', { $schema: 'x' }],
    [
      'default settings',
      { settings: { priority: 'NORMAL', onFailure: 'stop', concurrency: { onFull: 'queue' } } },
    ],
    ['empty capabilities', { capabilities: { hosts: [], paths: [] } }],
    ['empty variables', { variables: {}, input: {} }],
    ['empty saga scopes', { sagaScopes: {} }],
    ['an edge label', { edges: { e0: { ...(edgesOf('a>b')['e0'] as JsonObject), label: 'x' } } }],
  ])('%s does not change it', ([, parts]) => {
    expect(hashOf(parts)).toBe(plain)
  })

  test.for<[string, JsonObject]>([
    ['titles, notes and colours', { title: 'T', note: 'n', color: 'red' }],
    ['mocks', { mocks: { m: { output: 1 } } }],
    ['the default retry', { retry: { maxAttempts: 1, backoff: 'exponential', delayMs: 1000, jitter: 0.2 } }],
    ['an empty retry', { retry: {} }],
    ['the default timeout', { timeout: { attemptMs: 3_600_000 } }],
    ['the default join', { join: { mode: 'all', cancelLosers: false } }],
    ['the default error policy', { onError: 'fail', fallbackOutput: null }],
    ['no condition to be skipped', { skipIf: '', onSkip: 'skip' }],
    ['no condition to be tried again', { retry: { retryIf: '' } }],
    ['no condition to end the run', { stopAfterIf: '', stopAs: 'succeeded' }],
    ['nothing to take out', { redact: [] }],
    ['an output that stays', { keepOutput: 'full' }],
    ['the side effect of the kind', { sideEffect: 'keyed' }],
    ['what is off', { disabled: false, bypassed: false, tags: [], pool: 'default' }],
    ['disabled concurrency', { concurrency: { running: 'DISABLED', keys: [] } }],
  ])('%s of a node do not change it', ([, fields]) => {
    expect(hashOfNode(fields)).toBe(plain)
  })

  test('a cache counts, and an empty key is none', () => {
    const cached = hashOfNode({ cache: { ttlMs: 1_000 } })
    expect(hashOfNode({ cache: { ttlMs: 1_000, key: '' } })).toBe(cached)
    expect(hashOfNode({ cache: { ttlMs: 2_000 } })).not.toBe(cached)
    expect(cached).not.toBe(plain)
  })

  test.for<[string, JsonObject]>([
    ['the default method', { method: 'GET' }],
    ['default nested options', { options: { follow: true, depth: 3 } }],
    ['some default nested options', { options: { depth: 3 } }],
    ['no headers', { headers: [] }],
    ['the default union member', { auth: { kind: 'none' } }],
  ])('%s as parameters do not change it', ([, fields]) => {
    expect(hashOfParameters(fields)).toBe(plain)
  })

  test('defaults inside list items and union members count as absent', () => {
    expect(hashOfParameters({ headers: [{ name: 'a', on: true }] })).toBe(
      hashOfParameters({ headers: [{ name: 'a' }] }),
    )
    const basic = { auth: { kind: 'basic', user: 'me' } }
    expect(hashOfParameters(basic)).toBe(hashOfParameters({ auth: { kind: 'basic' } }))
  })

  test('without the spec the raw parameters count', () => {
    const explicit = documentOf({ nodes: { a: { kind: 'http', parameters: { url: 'x', method: 'GET' } } } })
    const absent = documentOf({ nodes: { a: { kind: 'http', parameters: { url: 'x' } } } })
    expect(definitionHashOf(explicit)).not.toBe(definitionHashOf(absent))
    expect(definitionHashOf(explicit, specs)).toBe(definitionHashOf(absent, specs))
  })

  test('sets count without order and repetition, lists with order', () => {
    expect(hashOfNode({ tags: ['x', 'y'] })).toBe(hashOfNode({ tags: ['y', 'x', 'y'] }))
    expect(hashOf({ variables: { v: [1, 2] } })).not.toBe(hashOf({ variables: { v: [2, 1] } }))
  })

  test('everything that changes meaning changes it, each differently [S7]', () => {
    const hashes = [
      plain,
      hashOf({ id: 'other' }),
      hashOf({ edges: {} }),
      hashOf({ edges: edgesOf('a:error>b') }),
      hashOf({ variables: { v: 1 } }),
      hashOf({ input: { type: 'object' } }),
      hashOf({ settings: { onFailure: 'finish' } }),
      hashOf({ settings: { rollbackOn: [] } }),
      hashOf({ capabilities: { hosts: ['a'] } }),
      hashOf({ sagaScopes: { s: { nodes: ['a'] } } }),
      hashOf({ sagaScopes: { s: { nodes: ['a'], order: 'parallel' } } }),
      hashOf({ future: true }),
      hashOfParameters({ url: 'y' }),
      hashOfParameters({ method: 'POST' }),
      hashOfParameters({ options: { follow: false } }),
      hashOfNode({ retry: { maxAttempts: 2 } }),
      hashOfNode({ retry: { retryOn: [] } }),
      hashOfNode({ timeout: { totalMs: 5 } }),
      hashOfNode({ join: { mode: 'any' } }),
      hashOfNode({ onError: 'continue' }),
      hashOfNode({ compensation: { node: 'b' } }),
      hashOfNode({ compensation: { task: { kind: 'http', parameters: { url: 'x' } } } }),
      hashOfNode({ sideEffect: 'unsafe' }),
      hashOfNode({ concurrency: { running: 'TASK' } }),
      hashOfNode({ disabled: true }),
      hashOfNode({ priority: 'NORMAL' }),
      hashOfNode({ future: 1 }),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  test('the default parameters of an inline compensation count as absent', () => {
    const undo = (parameters: JsonObject): string =>
      hashOfNode({ compensation: { task: { kind: 'http', parameters } } })
    expect(undo({ url: 'x', method: 'GET' })).toBe(undo({ url: 'x' }))
  })

  test('the order of keys never changes it [S50]', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.integer(),
        (variables, seed) => {
          const document = documentOf({ ...base, variables: withoutProto(variables as JsonObject) })
          const shuffled = shuffleKeys(document as unknown as JsonObject, seed) as unknown as WorkflowDocument
          expect(definitionHashOf(shuffled, specs)).toBe(definitionHashOf(document, specs))
          expect(canonicalDocument(shuffled)).toBe(canonicalDocument(document))
        },
      ),
    )
  })
})

describe('canonicalDocument', () => {
  test('sorts keys, puts the layout last and ends with a line break', () => {
    const text = canonicalDocument(
      documentOf({ ...base, layout: { nodes: { b: { y: 1, x: 2 } } }, variables: { z: [], a: {} } }),
    )
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'edges',
      'format',
      'id',
      'nodes',
      'schemaVersion',
      'title',
      'variables',
      'layout',
    ])
    expect(text).toContain('  "variables": {\n    "a": {},\n    "z": []\n  },\n  "layout": {')
    expect(text.endsWith('}\n')).toBe(true)
  })

  test('read and written again it is the same bytes [S50]', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (variables) => {
        const text = canonicalDocument(
          documentOf({ ...base, variables: withoutProto(variables as JsonObject) }),
        )
        const read = readDocument(text)
        if (!read.ok) throw read.error
        expect(canonicalDocument(read.value.document)).toBe(text)
      }),
    )
  })
})

/** Generated data without the one name that documents refuse. */
function withoutProto(value: JsonValue): JsonObject {
  const clean = (item: JsonValue): JsonValue => {
    if (Array.isArray(item)) return item.map(clean)
    if (!isJsonObject(item)) return item
    return Object.fromEntries(
      Object.entries(item)
        .filter(([key]) => key !== '__proto__')
        .map(([key, child]) => [key, clean(child)]),
    )
  }
  return clean(value) as JsonObject
}

function shuffleKeys(value: JsonValue, seed: number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => shuffleKeys(item, seed))
  if (!isJsonObject(value)) return value
  const rank = (key: string): number =>
    Math.imul(
      Array.from(key).reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7),
      seed | 1,
    )
  const entries = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b))
  return Object.fromEntries(entries.map(([key, item]) => [key, shuffleKeys(item, seed)]))
}
