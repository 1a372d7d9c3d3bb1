/** Items and turns at a glance, which of them is looked at, and what counts once a run went on. */

import { describe, expect, it } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { waysOf } from '../../src-renderer/state/generations.ts'
import { modelOfSnapshot, nodesAt } from '../../src-renderer/state/run-model.ts'
import {
  chosenPath,
  countsOf,
  heaviestStep,
  lastBegun,
  levelsOf,
  nextFailed,
  nextMarked,
  shortStrip,
  stripsOf,
} from '../../src-renderer/state/turns.ts'
import { invocationRecord, runRecord } from './factories.ts'

const at = (node: string, path: string, changes: Partial<InvocationRecord> = {}): InvocationRecord =>
  invocationRecord(node, { id: `run-1/${path}/${node}` as never, path, ...changes })

const items = (count: number) =>
  ({ kind: 'items', items: { kind: 'inline', json: '[]' }, count, limit: 2, tolerated: 0 }) as const

describe('the deck of a map', () => {
  it('counts its items by state, what needs a person first', () => {
    expect(countsOf('dafdw.d')).toEqual([
      { mark: 'f', count: 1 },
      { mark: 'a', count: 1 },
      { mark: 'w', count: 1 },
      { mark: '.', count: 1 },
      { mark: 'd', count: 3 },
    ])
    expect(countsOf('')).toEqual([])
  })

  it('leads from one item in a state to the next, and around', () => {
    expect(nextMarked('fdf.', 'f', -1)).toBe(0)
    expect(nextMarked('fdf.', 'f', 0)).toBe(2)
    expect(nextMarked('fdf.', 'f', 2)).toBe(0)
    expect(nextMarked('fdf.', 'a', 0)).toBeNull()
  })

  it('names the step that makes an item what it is, however deep', () => {
    const records = [
      at('a', 'each:1', { status: 'SUCCESS' }),
      at('b', 'each:1/while:0', { status: 'FAILED' }),
      at('c', 'each:1', { status: 'RUNNING' }),
      at('d', 'each:10', { status: 'FAILED' }),
    ]
    expect(heaviestStep(records, 'each:1')).toBe('b')
    expect(heaviestStep(records, 'each:2')).toBeNull()
  })
})

describe('strips of turns', () => {
  it('tell each item by its worst step, and know the items that have not begun', () => {
    const strips = stripsOf([
      invocationRecord('each', { status: 'WAITING', wait: items(6) }),
      at('a', 'each:0', { status: 'SUCCESS' }),
      at('b', 'each:0', { status: 'SUCCESS' }),
      at('a', 'each:1', { status: 'SUCCESS' }),
      at('b', 'each:1', { status: 'RUNNING' }),
      at('a', 'each:2', { status: 'FAILED' }),
      at('a', 'each:3', { status: 'FAILED', ports: ['error'] }),
      at('a', 'each:4', { status: 'RETRY' }),
    ])
    expect(strips.get('each')).toBe('dafdw.')
  })

  it('tell a turn by all that happens inside of it, however deep', () => {
    const strips = stripsOf([
      at('inner', 'each:0/while:0', { status: 'SUCCESS' }),
      at('inner', 'each:0/while:1', { status: 'FAILED' }),
      at('inner', 'each:1/while:0', { status: 'RUNNING' }),
    ])
    expect(strips.get('each')).toBe('fa')
    expect(strips.get('each:0/while')).toBe('df')
    expect(strips.get('each:1/while')).toBe('a')
  })

  it('are shortened to the worst of each few', () => {
    expect(shortStrip('dddd', 8)).toBe('dddd')
    expect(shortStrip('ddddfddd....', 3)).toBe('df.')
    expect(shortStrip('d'.repeat(10_000), 48)).toBe('d'.repeat(48))
  })

  it('lead to the last begun and to the next that failed', () => {
    expect(lastBegun('dda...')).toBe(2)
    expect(lastBegun('...')).toBe(0)
    expect(nextFailed('dfdf', 1)).toBe(3)
    expect(nextFailed('dfdf', 3)).toBe(1)
    expect(nextFailed('dd', 0)).toBeNull()
  })
})

describe('the turn that is looked at', () => {
  it('is the newest, unless one was chosen', () => {
    expect(levelsOf('each:3/while:0').map(({ scope, index }) => [scope, index])).toEqual([
      ['each', 3],
      ['each:3/while', 0],
    ])
    const strips = new Map([['each:1/while', 'ddd']])
    expect(chosenPath('each:3/while:0', {}, strips)).toBe('each:3/while:0')
    expect(chosenPath('each:3/while:0', { 'each:3/while': 2 }, strips)).toBe('each:3/while:2')
    // Another item: of its own loop, the newest turn.
    expect(chosenPath('each:3/while:0', { each: 1 }, strips)).toBe('each:1/while:2')
  })

  it('gives every step of a body its state in that turn', () => {
    const model = modelOfSnapshot({
      run: runRecord(),
      invocations: [
        invocationRecord('each', { status: 'SUCCESS' }),
        at('a', 'each:0', { status: 'FAILED' }),
        at('a', 'each:1', { status: 'SUCCESS' }),
        at('b', 'each:1', { status: 'SUCCESS' }),
      ],
      skipped: [],
      epoch: 0,
      seq: 1,
    })
    const seen = nodesAt(model, { each: 0 })
    expect(seen.get('a')?.invocation?.status).toBe('FAILED')
    expect(seen.has('b')).toBe(false)
    expect(seen.get('each')).toBe(model.nodes.get('each'))
    expect(nodesAt(model, {})).toBe(model.nodes)
  })
})

describe('a run that went on from a step', () => {
  const port = (node: string, name: string) => ({ node: nodeId(node), port: name })
  const edge = (from: string, to: string) => ({ from: port(from, 'out'), to: port(to, 'in') })
  const ways = waysOf({
    nodes: Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { kind: 'noop', parameters: {} }])),
    edges: { 1: edge('a', 'b'), 2: edge('b', 'c') },
  } as never)

  it('says nothing of what follows that step until it has begun anew', () => {
    const model = modelOfSnapshot(
      {
        run: { ...runRecord(), generation: 1 },
        invocations: [
          invocationRecord('a', { status: 'SUCCESS' }),
          invocationRecord('b', { status: 'FAILED' }),
          invocationRecord('b', { id: 'run-1/b/1' as never, status: 'RUNNING', generation: 1 }),
          invocationRecord('c', { status: 'CANCELLED' }),
          invocationRecord('d', { status: 'SUCCESS' }),
        ],
        skipped: [],
        epoch: 0,
        seq: 1,
      },
      [],
      ways,
    )
    expect(model.nodes.get('a')?.invocation?.status).toBe('SUCCESS')
    expect(model.nodes.get('b')?.invocation?.status).toBe('RUNNING')
    expect(model.nodes.has('c')).toBe(false)
    expect(model.nodes.get('d')?.invocation?.status).toBe('SUCCESS')
  })
})
