/** What people read of a trigger that starts nothing. */

import { expect, test } from 'vitest'
import { runId } from '../../../../src-engine/model/ids.ts'
import { minute } from '../../../../src-engine/model/time.ts'
import type { FiringRecord, TriggerRecord } from '../../../../src-engine/model/trigger.ts'
import { standingOf } from '../../../../src-engine/runtime/triggers/standing.ts'
import { aTrigger } from './trigger-record.ts'

const half = (triggerId: string) =>
  ({
    condition: 0,
    id: 'x',
    at: 0,
    takenAt: minute,
    source: { kind: 'condition', triggerId, firingId: 'f' },
  }) as const

const cases: readonly (readonly [string, Partial<TriggerRecord>, readonly string[]])[] = [
  ['never met', {}, ['It has not occurred since 1970-01-01T00:00:00.000Z.']],
  [
    'off by hand',
    { switched: false, firedCount: 1, lastFired: fired(1) },
    ['It is off: somebody switched it off.'],
  ],
  ['off', { enabled: false, lastFired: fired(1) }, ['It is off: its workflow says so.']],
  ['wrong', { problem: 'No.', lastFired: fired(1) }, ['It can’t work as it is: No.']],
  [
    'a schedule',
    { kind: 'cron', nextAt: minute, lastFired: fired(1), conditionOf: ['both'] },
    ['It is due at 1970-01-01T00:01:00.000Z.', 'It starts nothing by itself: it is a condition of “both”.'],
  ],
  ['a schedule that is over', { kind: 'cron', lastFired: fired(1) }, ['No slot of its schedule is ahead.']],
  [
    'a batch',
    {
      parameters: { name: 'paid', batchMax: 2 },
      lastFired: fired(1),
      waiting: [{ ...half('x'), source: { kind: 'event', eventId: 'e' } }],
    },
    ['1 event waits for others, until 1970-01-02T00:01:00.000Z at the latest.'],
  ],
  [
    'a composite',
    {
      kind: 'composite',
      parameters: { mode: 'all', conditions: ['a', 'b', 'c'], expiresMs: 0 },
      lastFired: fired(1),
      waiting: [half('a')],
    },
    ['It waits for “b”, “c”; “a” was met at 1970-01-01T00:01:00.000Z.'],
  ],
  [
    'a skip after a run',
    { lastFired: fired(1), lastSkip: { at: 2, firingId: 'f', reason: 'input_invalid' } },
    ['Last time, at 1970-01-01T00:00:00.002Z, it started nothing: There is no order.'],
  ],
  ['a run after a skip', { lastFired: fired(3), lastSkip: { at: 2, firingId: 'f', reason: 'loop' } }, []],
]

function fired(at: number) {
  return { at, firingId: 'g', runId: runId('r') }
}

test.each(cases)('%s', (...[, more, words]) => {
  const firing = { id: 'f', words: 'There is no order.' } as FiringRecord
  const isMet = more.lastFired !== undefined || more.lastSkip !== undefined
  expect(standingOf(aTrigger(more), isMet ? [firing] : [])).toEqual(words)
})

test('a stream that isn’t read says since when, why, and what can be done', () => {
  const problem = { code: 'connection_failed', message: 'a.test: gone.', hint: 'Look there.', at: minute }
  const read = {
    ...aTrigger({ kind: 'redis-stream', lastFired: fired(1) }),
    reading: { problem, open: 2, last: null },
  }
  expect(standingOf(read, [{ id: 'f' } as FiringRecord])).toEqual([
    'Its stream isn’t read since 1970-01-01T00:01:00.000Z: a.test: gone. Look there.',
    '2 entries are not acknowledged yet.',
  ])
})
