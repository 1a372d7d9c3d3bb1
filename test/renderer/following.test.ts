/** A followed value in the designer: the rows of its way, the marks on cards, and what is shown when. */

import { describe, expect, it } from 'vitest'
import type { Hop } from '../../src-engine/model/following/follow-value.ts'
import type { ValuePlace } from '../../src-engine/model/following/value-place.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { LoadedValue } from '../../src-engine/protocol/load-followed-value.ts'
import { hopRows } from '../../src-renderer/panels/following/hop-rows.ts'
import { followedMarks } from '../../src-renderer/rules/followed-marks.ts'
import { createFollowingStore } from '../../src-renderer/state/following-store.ts'

const run = runId('run_a')
const placeOf = (nodeId: string | null, of: RunId = run): ValuePlace => ({
  runId: of,
  of: nodeId === null ? 'run.input' : 'output',
  nodeId,
  path: '',
  field: [],
})
const hop = (nodeId: string | null, from: readonly number[]): Hop => ({
  place: placeOf(nodeId),
  how: from.length === 0 ? 'step' : from.length === 1 ? 'copied' : 'made',
  expression: null,
  from,
})
const told = (hops: readonly Hop[]): readonly string[] =>
  hopRows(hops).map(({ index, depth, isAgain }) => `${depth}:${index}${isAgain ? ' again' : ''}`)

describe('the rows of a way', () => {
  it('a chain stands below one another, at one level', () => {
    expect(told([hop('c', [1]), hop('b', [2]), hop('a', [])])).toEqual(['0:0', '0:1', '0:2'])
  })

  it('what was made of several has each with its own way below it, in their order', () => {
    expect(told([hop('sum', [1, 2]), hop('left', [3]), hop('right', []), hop('begin', [])])).toEqual([
      '0:0',
      '1:1',
      '1:3',
      '1:2',
    ])
  })

  it('what two were made of is told once, and named the second time', () => {
    const rows = told([
      hop('sum', [1, 2]),
      hop('left', [3]),
      hop('right', [3]),
      hop('begin', [4]),
      hop(null, []),
    ])
    expect(rows).toEqual(['0:0', '1:1', '1:3', '1:4', '1:2', '1:3 again'])
  })

  it('a way that leads back to itself ends', () => {
    expect(told([hop('a', [1]), hop('b', [0])])).toEqual(['0:0', '0:1', '0:0 again'])
  })
})

describe('marks on cards', () => {
  it('say what a card has to do with it; the stronger word stays', () => {
    const child = runId('run_child')
    const marks = followedMarks({
      hops: [
        hop('c', [1]),
        { ...hop('b', [2]), place: placeOf('b', child) },
        hop('a', [3]),
        { ...hop('a', []), place: { ...placeOf('a'), of: 'parameters' } },
      ],
      readers: [
        { place: { ...placeOf('d'), of: 'parameters' }, expression: 'input' },
        { place: { ...placeOf('a'), of: 'parameters' }, expression: 'input' },
      ],
      isCut: false,
    })
    expect(Object.fromEntries(marks.get(run) ?? [])).toEqual({ a: 'begin', c: 'here', d: 'reader' })
    expect([...(marks.get(child) ?? [])]).toEqual([['b', 'before']])
  })
})

describe('what was asked for', () => {
  const found: LoadedValue = { hops: [hop('a', [])], readers: [], isCut: false, runs: new Map() }

  it('an answer to what is no longer asked for is dropped', () => {
    const store = createFollowingStore()
    const [first, second] = [
      { site: null, place: placeOf('a') },
      { site: null, place: placeOf('b') },
    ]
    store.getState().setTrail([first])
    store.getState().setTrail([first, second])
    store.getState().setFound(first, found)
    expect(store.getState().found).toBeNull()
    store.getState().setFound(second, found)
    expect(store.getState().found).toBe(found)
    expect(store.getState().marks.get(run)?.get('a')).toBe('here')
  })

  it('the next one takes the marks of the one before off', () => {
    const store = createFollowingStore()
    const asked = { site: null, place: placeOf('a') }
    store.getState().setTrail([asked])
    store.getState().setFound(asked, found)
    store.getState().setTrail([asked, { site: null, place: placeOf('b') }])
    expect(store.getState().marks.size).toBe(0)
  })
})
