import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonFault } from '../../../src-engine/model/json-place.ts'
import { documentBytesMax, documentNodesMax, nestingMax } from '../../../src-engine/model/limits.ts'
import { parseDocument, readDocument } from '../../../src-engine/model/read-document.ts'
import type { DocumentMigration } from '../../../src-engine/model/workflow-migrations.ts'
import { migrateDocument } from '../../../src-engine/model/workflow-migrations.ts'

const minimal = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'w',
  title: 'Orders',
  nodes: { a: { kind: 'log' }, b: { kind: 'log' } },
  edges: { e: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } } },
}

const refusal = (value: unknown): { readonly code: string; readonly message: string } => {
  const read = typeof value === 'string' ? readDocument(value) : parseDocument(value)
  if (read.ok) throw new Error('Expected a refusal')
  return read.error
}

const problemsOf = (value: unknown): readonly { field: string | null; message: string }[] => {
  const read = parseDocument(value)
  if (!read.ok) throw read.error
  return read.value.problems
}

describe('readDocument', () => {
  test('reads a minimal document without problems', () => {
    const read = readDocument(JSON.stringify(minimal))
    expect(read).toEqual({ ok: true, value: { document: minimal, problems: [], migrated: [] } })
  })

  test('a byte order mark is no fault', () => {
    expect(readDocument(`\uFEFF${JSON.stringify(minimal)}`).ok).toBe(true)
  })

  test('unknown fields and kinds are kept at every level', () => {
    const document = {
      ...minimal,
      future: { x: 1 },
      nodes: {
        ...minimal.nodes,
        c: { kind: 'not.invented', magic: [1], retry: { maxAttempts: 2, extra: true } },
      },
    }
    const read = parseDocument(document)
    expect(read).toEqual({ ok: true, value: { document, problems: [], migrated: [] } })
  })

  test('a truncated file is refused with line and column', () => {
    const text = JSON.stringify(minimal, null, 2)
    const { code, message } = refusal(text.slice(0, 80))
    expect(code).toBe('document_unreadable')
    expect(message).toMatch(/cut off at line 5, column \d+/)
  })

  test('every truncation of a file is refused as cut off [S49]', () => {
    const text = JSON.stringify({ ...minimal, x: ['é\\n\\u00e9', -1.5e3, true, null, {}] }, null, 1)
    for (let length = 0; length < text.length; length += 1) {
      expect(refusal(text.slice(0, length)).message, text.slice(0, length)).toContain('cut off at line')
    }
  })

  test('a file that is too large is refused before it is parsed', () => {
    expect(refusal(' '.repeat(documentBytesMax + 1))).toMatchObject({ code: 'document_too_large' })
  })

  test('nesting beyond the limit is refused, also when it is absurd', () => {
    const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const withInput = (depth: number): string =>
      JSON.stringify(minimal).replace('"title"', `"variables":{"deep":${nest(depth)}},"title"`)
    expect(readDocument(withInput(nestingMax - 2)).ok).toBe(true)
    expect(refusal(withInput(nestingMax - 1))).toMatchObject({ code: 'document_too_large' })
    expect(refusal(withInput(200_000)).message).toContain('deeper than')
  })

  test('too many nodes are refused', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: documentNodesMax + 1 }, (_, index) => [`n${index}`, { kind: 'log' }]),
    )
    expect(refusal({ ...minimal, nodes, edges: {} }).code).toBe('document_too_large')
  })

  test('a document of a newer version is refused untouched [S49]', () => {
    expect(refusal({ ...minimal, schemaVersion: 2 })).toMatchObject({
      code: 'document_too_new',
      message: 'The file has schema version 2; this Sagasmith reads up to 1.',
    })
  })

  test.for([
    ['null', null],
    ['a list', []],
    ['another format', { ...minimal, format: 'other' }],
    ['no version', { ...minimal, schemaVersion: 'one' }],
    ['nodes as a list', { ...minimal, nodes: [] }],
    ['a node without a kind', { ...minimal, nodes: { a: {} } }],
    ['an edge without an end', { ...minimal, edges: { e: { from: { node: 'a', port: 'out' } } } }],
    ['an id with a slash', { ...minimal, nodes: { 'a/b': { kind: 'log' } } }],
    ['an id found on every object', { ...minimal, nodes: { constructor: { kind: 'log' } } }],
  ] as const)('%s is refused as invalid', ([, value]) => {
    expect(refusal(value).code).toBe('document_invalid')
  })

  test('a name that would change objects of the program is refused wherever it stands', () => {
    const text = JSON.stringify(minimal).replace(
      '"kind":"log"',
      '"kind":"log","parameters":{"x":{"__proto__":{}}}',
    )
    expect(refusal(text)).toMatchObject({ code: 'document_invalid' })
    expect(refusal(text).message).toContain('nodes.a.parameters.x')
  })

  test('a field of a wrong form is a problem of its node, not a refusal', () => {
    const document = {
      ...minimal,
      nodes: { a: { kind: 'log', title: 'Say', retry: { maxAttempts: 'three' } } },
      edges: {},
    }
    expect(problemsOf(document)).toEqual([
      {
        code: 'wrong_form',
        severity: 'error',
        nodeId: 'a',
        edgeId: null,
        field: 'retry.maxAttempts',
        message: '“Say”: “retry.maxAttempts” must be a number.',
        hint: 'Correct the value, or remove the field to get its default.',
      },
    ])
  })

  test('bounds are told in words', () => {
    const node = {
      kind: 'log',
      retry: { maxAttempts: 101, jitter: -1 },
      timeout: { attemptMs: 0 },
      onError: 'maybe',
    }
    const messages = problemsOf({ ...minimal, nodes: { a: node }, edges: {} }).map(
      (problem) => problem.message,
    )
    expect(messages).toEqual([
      'Node “a”: “retry.maxAttempts” must be at most 100.',
      'Node “a”: “retry.jitter” must be at least 0.',
      'Node “a”: “timeout.attemptMs” must be at least 1.',
      'Node “a”: “onError” must be "fail" or "continue".',
    ])
  })
})

describe('findJsonFault', () => {
  test('finds no fault in any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonFault(text)).toBeNull()
      }),
    )
  })

  test('a very long string is no trouble', () => {
    expect(findJsonFault(`"${'a\\n'.repeat(2_000_000)}`)).toMatchObject({ truncated: true, line: 1 })
  })

  test('finds a fault exactly where JSON.parse refuses', () => {
    const unit = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '1',
      '-',
      '.',
      'e',
      'true',
      'null',
      ' ',
      '\\',
      'a',
      '\n',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect(findJsonFault(text) === null).toBe(isJson)
      }),
      { numRuns: 5_000 },
    )
  })

  test.for([
    ['{"a": 1\n "b": 2}', 2, 2, 'a comma or a closing bracket is missing'],
    ['{"a": 1,}', 1, 9, 'a name in double quotes is missing (is there a comma too many?)'],
    ["{'a': 1}", 1, 2, 'a name in double quotes or } is missing'],
    ['[1}', 1, 3, 'a ] is expected here'],
    ['{"a" 1}', 1, 6, 'a colon after the name is missing'],
    ['[\n"a\\q"]', 2, 3, 'the backslash starts no known escape'],
    ['[1] x', 1, 5, 'there is something after the end'],
    ['{"a":\n{', 2, 2, 'the text ends before the { of line 2 is closed'],
  ] as const)('%s', ([text, line, column, reason]) => {
    expect(findJsonFault(text)).toMatchObject({ line, column, reason })
  })
})

describe('migrateDocument', () => {
  const rename: DocumentMigration = {
    name: 'name-becomes-title',
    from: 1,
    up: ({ name, ...rest }) => ({ ...rest, title: name ?? '' }),
  }
  const mark: DocumentMigration = { name: 'mark', from: 2, up: (document) => ({ ...document, marked: true }) }

  test('takes each step in order, keeps unknown fields and the original', () => {
    const old = { format: 'sagasmith.workflow', schemaVersion: 1, name: 'X', future: [1] }
    const migrated = migrateDocument(old, [mark, rename], 3)
    expect(migrated).toEqual({
      ok: true,
      value: {
        document: { format: 'sagasmith.workflow', schemaVersion: 3, title: 'X', future: [1], marked: true },
        applied: ['name-becomes-title', 'mark'],
      },
    })
    expect(old).toEqual({ format: 'sagasmith.workflow', schemaVersion: 1, name: 'X', future: [1] })
  })

  test('a missing step is refused, not skipped', () => {
    const old = { format: 'sagasmith.workflow', schemaVersion: 1 }
    expect(migrateDocument(old, [mark], 3)).toMatchObject({ ok: false, error: { code: 'document_invalid' } })
  })
})
