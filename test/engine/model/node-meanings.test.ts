/** What makes a step another one, so that its result must not be kept. */

import { describe, expect, test } from 'vitest'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { nodeMeaningsOf } from '../../../src-engine/model/node-meanings.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from './workflow-fixture.ts'

const base: JsonObject = {
  nodes: {
    a: { kind: 'log', parameters: { message: 'hello' } },
    each: { kind: 'map' },
    work: { kind: 'noop', parent: 'each' },
  },
  edges: edgesOf('a>each'),
}

const meaningOf = (id: string, parts: JsonObject = {}): string | undefined =>
  nodeMeaningsOf(documentOf({ ...base, ...parts }), taskSpecsByKind).get(nodeId(id))

const withNodes = (nodes: JsonObject): JsonObject => ({
  nodes: { ...(base['nodes'] as JsonObject), ...nodes },
})

describe('a step is the same', () => {
  test.for([
    ['with another title or note', { title: 'Say it', note: 'why' }],
    ['with other tries and times', { retry: { maxAttempts: 5 }, timeout: { attemptMs: 5_000 } }],
    ['in another pool and with another priority', { pool: 'gpu', priority: 'HIGH' }],
  ] as const)('%s', ([, fields]) => {
    const changed = withNodes({ a: { kind: 'log', parameters: { message: 'hello' }, ...fields } })
    expect(meaningOf('a', changed)).toBe(meaningOf('a'))
  })

  test('while others change', () => {
    const changed = withNodes({ work: { kind: 'log', parameters: { message: 'x' }, parent: 'each' } })
    expect(meaningOf('a', changed)).toBe(meaningOf('a'))
  })

  test('with other variables that it doesn’t read', () => {
    expect(meaningOf('a', { variables: { url: 'x' } })).toBe(meaningOf('a'))
  })
})

describe('a step is another one', () => {
  test('with other parameters', () => {
    const changed = withNodes({ a: { kind: 'log', parameters: { message: 'bye' } } })
    expect(meaningOf('a', changed)).not.toBe(meaningOf('a'))
  })

  test('with other ways in', () => {
    expect(meaningOf('each', { edges: {} })).not.toBe(meaningOf('each'))
  })

  test('with another body', () => {
    const changed = withNodes({ work: { kind: 'log', parameters: { message: 'x' }, parent: 'each' } })
    expect(meaningOf('each', changed)).not.toBe(meaningOf('each'))
  })

  test('when the variables that it reads are others', () => {
    const reading = withNodes({ a: { kind: 'log', parameters: { message: '{{ vars.url }}' } } })
    expect(meaningOf('a', { ...reading, variables: { url: 'x' } })).not.toBe(
      meaningOf('a', { ...reading, variables: { url: 'y' } }),
    )
  })
})
