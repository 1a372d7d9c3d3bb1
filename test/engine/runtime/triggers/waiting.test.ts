/** What has come to a trigger and waits for others: when that is looked at, what goes together, and what waits too long. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { triggerWaitingMax } from '../../../../src-engine/model/limits.ts'
import { day } from '../../../../src-engine/model/time.ts'
import type { TriggerRecord, WaitingOccurrence } from '../../../../src-engine/model/trigger.ts'
import {
  expiredOf,
  missingOf,
  together,
  waitingDueAt,
} from '../../../../src-engine/runtime/triggers/waiting.ts'
import { aTrigger } from './trigger-record.ts'

const came = (takenAt: number, condition = 0): WaitingOccurrence => ({
  condition,
  id: `${condition}/${takenAt}`,
  at: takenAt,
  takenAt,
  source: { kind: 'event', eventId: `e${takenAt}` },
})

describe('events that are gathered', () => {
  const gathered = (parameters: JsonObject, waiting: readonly WaitingOccurrence[]): TriggerRecord =>
    aTrigger({ parameters: { name: 'paid', ...parameters }, waiting })
  const two = [came(100), came(150)]

  test.for([
    { title: 'nothing has come', parameters: { debounceMs: 50 }, waiting: [], at: null },
    { title: 'quiet for as long as it says', parameters: { debounceMs: 50 }, waiting: two, at: 200 },
    { title: 'a batch is over', parameters: { batchMs: 60 }, waiting: two, at: 160 },
    { title: 'whichever is first', parameters: { debounceMs: 50, batchMs: 70 }, waiting: two, at: 170 },
    {
      title: 'a batch without a time lacks some for a day',
      parameters: { batchMax: 3 },
      waiting: two,
      at: 100 + day,
    },
    { title: 'a batch is full: at once', parameters: { batchMax: 2, batchMs: 900 }, waiting: two, at: 150 },
  ])('are looked at when: $title', ({ parameters, waiting, at }) => {
    expect(waitingDueAt(gathered(parameters, waiting))).toBe(at)
  })

  test('are looked at once there are as many as may wait, whatever else they wait for', () => {
    const many = Array.from({ length: triggerWaitingMax }, (_, index) => came(index))
    expect(waitingDueAt(gathered({ debounceMs: day }, many))).toBe(triggerWaitingMax - 1)
    expect(waitingDueAt(gathered({ debounceMs: day }, many.slice(1)))).toBe(triggerWaitingMax - 1 + day)
  })
})

describe('conditions that are met together', () => {
  const composite = (waiting: readonly WaitingOccurrence[], more: JsonObject = {}): TriggerRecord => {
    const parameters = { mode: 'all', conditions: ['paid', 'packed'], expiresMs: 1_000, ...more }
    return aTrigger({ kind: 'composite', parameters, waiting })
  }
  const paid = came(100)
  const packed = came(900, 1)

  test('are of each the one that has waited longest', () => {
    const record = composite([paid, came(200), packed])
    expect(together(record)).toEqual([paid, packed])
    expect(waitingDueAt(record)).toBe(900)
    expect(missingOf(record)).toEqual([])
    expect(together(composite([came(200), paid], { mode: 'any' }))).toEqual([came(200)])
  })

  test('lack what has not come, and wait for it only so long', () => {
    const record = composite([paid, came(200)])
    expect(together(record)).toBeNull()
    expect(missingOf(record)).toEqual(['packed'])
    expect(waitingDueAt(record)).toBe(1_100)
    expect([expiredOf(record, 1_099), expiredOf(record, 1_100)]).toEqual([[], [paid]])
    const patient = composite([paid], { expiresMs: 0 })
    expect([waitingDueAt(patient), expiredOf(patient, day)]).toEqual([null, []])
  })

  test('are not too old once all have come, however long one had waited', () => {
    expect(expiredOf(composite([paid, packed]), 5_000)).toEqual([])
  })
})
