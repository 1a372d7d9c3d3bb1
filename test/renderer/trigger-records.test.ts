/** The records of triggers in the designer: which are listed, and what is said of each. */

import { describe, expect, test } from 'vitest'
import { runId, workflowId } from '../../src-engine/model/ids.ts'
import type { FiringRecord } from '../../src-engine/model/trigger.ts'
import {
  outcomeWords,
  shownFirings,
  slotWords,
  titleOfFiring,
} from '../../src-renderer/panels/engine-page/records/record-rows.ts'
import { skipHints } from '../../src-renderer/text/record-words.ts'
import { firingWords } from '../../src-renderer/text/source-words.ts'
import { skipWords } from '../../src-renderer/text/trigger-words.ts'
import { momentWords } from '../../src-renderer/ui/time-words.ts'

const record = (changes: Partial<FiringRecord> = {}): FiringRecord =>
  ({
    ...{ id: 'a', workflowId: workflowId('wf'), triggerId: 'morning', kind: 'cron', at: 5 },
    ...{
      runId: runId('run-1'),
      reason: null,
      words: 'Its schedule was due.',
      slots: null,
      sources: [],
      depth: 1,
    },
    ...changes,
  }) as FiringRecord

const skipped = record({ id: 'b', runId: null, reason: 'still_running' })

describe('records of triggers', () => {
  test('are narrowed to what started runs, or to what was skipped', () => {
    const all = [record(), skipped]
    expect(shownFirings(all, { outcome: 'all', led: null })).toBe(all)
    expect(shownFirings(all, { outcome: 'started', led: null })).toEqual([all[0]])
    expect(shownFirings(all, { outcome: 'skipped', led: null })).toEqual([skipped])
  })

  test('hold the one that somebody was led to, once, however old it is', () => {
    const old = record({ id: 'old' })
    expect(shownFirings([record()], { outcome: 'all', led: old })).toEqual([record(), old])
    expect(shownFirings([old], { outcome: 'all', led: { ...old } })).toEqual([old])
    expect(shownFirings([record()], { outcome: 'skipped', led: old })).toEqual([])
  })

  test('say what came of it and what can be done, for each reason', () => {
    expect(outcomeWords(record())).toBe('Started a run')
    expect(outcomeWords(skipped)).toBe('Skipped: its last run still goes on')
    expect(Object.keys(skipHints)).toEqual(Object.keys(skipWords))
  })

  test('name the trigger as it is called now, else by its kind and key', () => {
    expect(titleOfFiring(record(), 'Each morning')).toBe('Each morning')
    expect(titleOfFiring(record())).toBe('On a schedule · morning')
    expect(titleOfFiring(record({ kind: 'mail-arrived' }), null)).toBe('morning')
  })

  test('name the slots that they stand for', () => {
    const at = new Date(2026, 2, 2, 9).getTime()
    expect(slotWords(record())).toBeNull()
    expect(slotWords(record({ slots: { from: at, to: at, count: 1 } }))).toBe('the slot of 2 Mar 09:00:00')
    expect(slotWords(record({ slots: { from: at, to: at + 60_000, count: 2 } }))).toBe(
      '2 slots, from 2 Mar 09:00:00 to 2 Mar 09:01:00',
    )
  })
})

test('instants in what was written down are told as all others are', () => {
  const slot = Date.UTC(2026, 10, 27, 9, 15, 45)
  const told = (words: string) => firingWords(record({ words }))
  const at = momentWords(slot)
  expect(told(`Its schedule was due at ${new Date(slot).toISOString()}.`)).toBe(
    `Its schedule was due at ${at}.`,
  )
  expect(told('Event order-2026-11-27 came.')).toBe('Event order-2026-11-27 came.')
})
