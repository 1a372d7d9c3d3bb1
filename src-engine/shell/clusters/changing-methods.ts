/** The methods that change what is in a store: what a read-only connection refuses. */

import type { Method } from '../../protocol/api.ts'

export const changingMethods = [
  'workflows.publish',
  'workflows.sign',
  'trust.sign',
  'runs.start',
  'runs.cancel',
  'runs.control',
  'runs.rerun',
  'runs.retry',
  'runs.bulk',
  'signals.send',
  'events.emit',
  'invocations.resolve',
  'deadLetters.replay',
  'deadLetters.discard',
  'quarantine.content',
  'quarantine.release',
  'quarantine.discard',
  'outputPolicy.set',
  'saga.act',
  'store.prune',
  'policy.rollback',
  'policy.set',
  'pools.set',
  'seal.begin',
  'seal.rotate',
  'tenants.set',
] as const satisfies readonly Method[]
