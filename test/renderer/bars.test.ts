/** The lanes of the timeline. */

import { describe, expect, it, test } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { RowsBuilder } from '../../src-renderer/state/timeline-rows.ts'
import { invocationRecord } from './factories.ts'

function rowsOf(events: readonly EngineEvent[]) {
  const builder = new RowsBuilder()
  builder.take(events)
  return builder.rows()
}

/** An invocation of `step` from one instant to another; null while it lasts. */
function life(id: string, from: number, to: number | null): readonly EngineEvent[] {
  const invocation = { ...invocationRecord('step', { status: 'REGISTERED' }), id }
  const change = (at: number, before: InvocationStatus, after: InvocationStatus) => ({
    at,
    invocationId: id,
    body: { type: 'invocation.changed', from: before, to: after, set: {} },
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
  return rowsOf(events).lanes.map(({ lane, stretches }) => [
    lane,
    stretches.map(({ status, to }) => `${status} ${to}`),
  ])
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
    const bars = rowsOf(events).lanes
    expect(bars).toHaveLength(12)
    expect(bars.map(({ hidden }) => hidden).filter((hidden) => hidden > 0)).toEqual([988])
  })
})

test('what comes later is added to what was there', () => {
  const events = [...life('a', 0, 10), ...life('b', 5, 20), ...life('c', 12, 30)].toSorted(
    (a, b) => a.at - b.at,
  )
  const builder = new RowsBuilder()
  for (const [index, event] of events.entries()) {
    builder.take([event])
    expect(builder.rows()).toEqual(rowsOf(events.slice(0, index + 1)))
  }
  expect(builder.rows().until).toBe(events.at(-1)?.at)
})

test('what a step does is told apart by phase, and by try', () => {
  const id = 'a'
  const change = (at: number, [from, to]: readonly [InvocationStatus, InvocationStatus], set = {}) => ({
    at,
    invocationId: id,
    body: { type: 'invocation.changed', from, to, set },
  })
  const events = [
    ...life(id, 0, null).slice(0, 1),
    change(1, ['REGISTERED', 'PENDING']),
    change(2, ['PENDING', 'RUNNING'], { attempt: 1 }),
    change(3, ['RUNNING', 'RETRY']),
    change(9, ['RETRY', 'PENDING']),
    change(10, ['PENDING', 'RUNNING'], { attempt: 2 }),
    change(12, ['RUNNING', 'WAITING']),
    change(30, ['WAITING', 'SUCCESS']),
    // Only what the rows read of an event.
  ] as unknown as readonly EngineEvent[]
  const { lanes: found, idle } = rowsOf(events)
  expect(
    found[0]?.stretches.map(({ phase, from, to, attempt }) => `${phase} ${from}-${to} ${attempt}`),
  ).toEqual([
    'queue 0-1 0',
    'lease 1-2 0',
    'run 2-3 1',
    'backoff 3-9 1',
    'lease 9-10 1',
    'run 10-12 2',
    'wait 12-30 2',
    'end 30-30 2',
  ])
  // At the end nobody knows yet how long it lasts.
  expect(idle).toEqual([{ from: 3, to: 9 }])
})
