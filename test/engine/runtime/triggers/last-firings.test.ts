/** What a trigger did, where only its records tell it. */

import { expect, test } from 'vitest'
import { definitionHash, runId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { FiringRecord, TriggerRecord } from '../../../../src-engine/model/trigger.ts'
import { lastOf } from '../../../../src-engine/runtime/triggers/last-firings.ts'

const trigger: TriggerRecord = {
  workflowId: workflowId('w'),
  triggerId: 't',
  kind: 'webhook',
  title: null,
  workflowTitle: 'W',
  parameters: { path: 'orders' },
  definitionHash: definitionHash('hash'),
  baseDirectory: null,
  enabled: true,
  switched: null,
  since: 0,
  heardFrom: null,
  decidedUpTo: 0,
  nextAt: null,
  lastFired: null,
  lastSkip: null,
  firedCount: 0,
  skippedCount: 0,
  problem: null,
  conditionOf: [],
  waiting: [],
}

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
