/** What a trigger did, where only its records tell it. */

import { expect, test } from 'vitest'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { lastOf } from '../../../../src-engine/runtime/triggers/last-firings.ts'
import { aTrigger } from './trigger-record.ts'

const trigger = aTrigger({ kind: 'webhook', parameters: { path: 'orders' } })

const firing = (at: number, outcome: Partial<FiringRecord>): FiringRecord => ({
  id: `f${at}`,
  workflowId: trigger.workflowId,
  triggerId: 't',
  kind: 'webhook',
  at,
  runId: null,
  reason: null,
  words: '',
  slots: null,
  sources: [],
  depth: 0,
  conditionOf: [],
  carried: null,
  ...outcome,
})
const started = (at: number) => firing(at, { runId: runId(`run_${at}`) })

test('a web call that started a run is counted, as what started none is', () => {
  const skipped = firing(3, { reason: 'input_invalid' })
  const told = lastOf(trigger, [started(4), skipped, started(2)])
  expect(told).toMatchObject({ firedCount: 2, skippedCount: 1, lastFired: { at: 4 }, lastSkip: { at: 3 } })
})

test('a schedule counts itself, further back than its records go; many slots may be one skip', () => {
  const counted = { ...trigger, kind: 'cron', firedCount: 7_000, skippedCount: 2 }
  const slots = { from: 1, to: 5, count: 5 }
  expect(lastOf(counted, [started(9), firing(8, { reason: 'missed', slots })])).toMatchObject({
    firedCount: 7_000,
    skippedCount: 5,
  })
})
