/** A trigger of an event that nothing has happened to yet. */

import { definitionHash, workflowId } from '../../../../src-engine/model/ids.ts'
import type { TriggerRecord } from '../../../../src-engine/model/trigger.ts'

export const aTrigger = (more: Partial<TriggerRecord> = {}): TriggerRecord => ({
  workflowId: workflowId('w'),
  triggerId: 't',
  kind: 'event',
  title: null,
  workflowTitle: 'W',
  parameters: { name: 'paid' },
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
  ...more,
})
