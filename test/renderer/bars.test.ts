/** The lanes of the timeline. */

import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { barsOf } from '../../src-renderer/panels/timeline/bars.ts'
import { invocationRecord } from './factories.ts'

/** An invocation of `step` from one instant to another; null while it lasts. */
function life(id: string, from: number, to: number | null): readonly EngineEvent[] {
  const invocation = { ...invocationRecord('step', { status: 'REGISTERED' }), id }
  const change = (at: number, before: InvocationStatus, after: InvocationStatus) => ({
    at,
    invocationId: id,
    body: { type: 'invocation.changed', from: before, to: after },
  })
  return [
    { at: from, invocationId: id, body: { type: 'invocation.registered', invocation } },
    change(from + 1, 'REGISTERED', 'RUNNING'),
    ...(to === null ? [] : [change(to, 'RUNNING', 'SUCCESS')]),
    // Only what the bars read of an event.
  ] as unknown as readonly EngineEvent[]
}

const lanes = (...lives: readonly (readonly EngineEvent[])[]) => {
  const events = lives.flat().toSorted((left, right) => left.at - right.at)
  return barsOf(events).map(({ lane, parts }) => [lane, parts.map(({ status, to }) => `${status} ${to}`)])
}

describe('lanes of the timeline', () => {
  it('are shared by what comes one after the other: touching is not overlapping [P58]', () => {
    expect(lanes(life('a', 0, 10), life('b', 10, 20))).toEqual([
      [0, ['REGISTERED 1', 'RUNNING 10', 'SUCCESS 10', 'REGISTERED 11', 'RUNNING 20', 'SUCCESS 20']],
    ])
  })

  it('are apart for what is under way at the same time, and used again [P58]', () => {
    const found = lanes(life('a', 0, 10), life('b', 5, 20), life('c', 12, 30))
    expect(found).toMatchObject([
      [0, { length: 6 }],
      [1, { length: 3 }],
    ])
  })

  it('end with an open bar while the work lasts [P58]', () => {
    expect(lanes(life('a', 0, null))).toEqual([[0, ['REGISTERED 1', 'RUNNING null']]])
  })

  it('are no more than can be looked at; the others are counted [P58]', () => {
    const events = Array.from({ length: 1_000 }, (_, index) => life(`i${index}`, 0, null)).flat()
    const bars = barsOf(events)
    expect(bars).toHaveLength(12)
    expect(bars.map(({ hidden }) => hidden).filter((hidden) => hidden > 0)).toEqual([988])
  })
})
