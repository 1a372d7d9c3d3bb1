/** Heads of queues that a write brings along, and when they say all that a look would find. */

import { describe, expect, it } from 'vitest'
import { invocationId } from '../../../../src-engine/model/ids.ts'
import { news } from '../../../../src-engine/store/hints.ts'
import type { HeadsState } from '../../../../src-engine/store/redis/queue-heads.ts'
import {
  headsFor,
  headsToAsk,
  keepHeads,
  noteElsewhere,
  noteLook,
} from '../../../../src-engine/store/redis/queue-heads.ts'
import { emptyUnit } from '../../../../src-engine/store/redis/unit.ts'
import type { FeedEnd } from '../../../../src-engine/store/redis/watching.ts'

const queues = [{ ...emptyUnit, news: news.work }]
const now = 10_000
const looked = { shapes: ['a', 'b'], wanted: 3, at: now }
const ids = (...names: readonly string[]) => names.map((name) => invocationId(name))

function aState(set: Partial<HeadsState> = {}): HeadsState {
  const shapes = new Map(['a', 'b'].map((id) => [id, '{}']))
  return { epoch: 1, seq: 7, shapes, looked: null, heads: null, elsewhere: null, ...set }
}

/** A state whose last write has brought what stands in both queues. */
function withHeads(set: Partial<HeadsState> = {}): HeadsState {
  const state = aState(set)
  noteLook(state, looked)
  const asked = headsToAsk(state, queues, now)
  if (asked === null) throw new Error('somebody has looked')
  keepHeads(state, { asked, answer: [2, 'r/x r/y', ''], seq: 7, epoch: 1 })
  return state
}

describe('a write', () => {
  it('brings along what was looked for a moment ago', () => {
    const state = aState()
    expect(headsToAsk(state, queues, now)).toBeNull()
    noteLook(state, looked)
    expect(headsToAsk(state, queues, now + 100)).toMatchObject({
      shapes: ['a', 'b'],
      wanted: 3,
      until: now + 200,
    })
    expect(headsToAsk(state, queues, now + 101)).toBeNull()
  })

  it('brings nothing along where it makes nothing available', () => {
    const state = aState()
    noteLook(state, looked)
    expect(headsToAsk(state, [emptyUnit, { ...emptyUnit, news: news.due }], now)).toBeNull()
    expect(headsToAsk(state, [emptyUnit, ...queues], now)).not.toBeNull()
  })

  it('reads no queues for whoever fits none, or too many', () => {
    const state = aState()
    noteLook(state, { ...looked, shapes: [] })
    noteLook(state, { ...looked, shapes: Array.from({ length: 9 }, (_, index) => `s${index}`) })
    expect(headsToAsk(state, queues, now)).toBeNull()
  })
})

describe('what it brought', () => {
  it('is all that a look would find', () => {
    expect(headsFor(withHeads(), ['a', 'b'], now)).toEqual([ids('r/x', 'r/y'), []])
    expect(headsFor(withHeads(), ['b'], now)).toEqual([[]])
    expect(headsFor(aState(), ['a'], now)).toBeNull()
  })

  it('says nothing once something else was written, by whomever leads', () => {
    expect(headsFor({ ...withHeads(), seq: 8 }, ['a'], now)).toBeNull()
    expect(headsFor({ ...withHeads(), epoch: 2 }, ['a'], now)).toBeNull()
  })

  it('says nothing once others are known to have written after it, whichever is told first', () => {
    const seen = (end: FeedEnd, isTold: 'before' | 'after') => {
      const state = isTold === 'after' ? withHeads() : withHeads({ elsewhere: end })
      if (isTold === 'after') noteElsewhere(state, end)
      return headsFor(state, ['a'], now) !== null
    }
    for (const order of ['before', 'after'] as const) {
      // What was written before the queues were read is in them.
      expect(seen({ epoch: 1, seq: 7 }, order)).toBe(true)
      expect(seen({ epoch: 1, seq: 8 }, order)).toBe(false)
      expect(seen({ epoch: 2, seq: 1 }, order)).toBe(false)
    }
    const state = aState()
    // The later message may be told of the earlier write.
    for (const seq of [8, 9, 8]) noteElsewhere(state, { epoch: 1, seq })
    expect(state.elsewhere).toEqual({ epoch: 1, seq: 9 })
  })

  it('says nothing of what has become available since', () => {
    expect(headsFor(withHeads(), ['a'], now + 100)).not.toBeNull()
    expect(headsFor(withHeads(), ['a'], now + 101)).toBeNull()
  })

  it('says nothing of other queues, whether the asker knows them or not', () => {
    expect(headsFor(withHeads(), ['a', 'c'], now)).toBeNull()
    const more = new Map([...withHeads().shapes, ['c', '{}']])
    expect(headsFor({ ...withHeads(), shapes: more }, ['a'], now)).toBeNull()
  })

  it('says nothing of a queue of which it read only the first', () => {
    const state = withHeads()
    const { heads } = state
    if (heads === null) throw new Error('they were kept')
    const full = { ...state, heads: { ...heads, lists: [ids('r/x', 'r/y', 'r/z'), []] } }
    expect(headsFor(full, ['a', 'b'], now)).toBeNull()
    expect(headsFor(full, ['b'], now)).toEqual([[]])
  })
})
