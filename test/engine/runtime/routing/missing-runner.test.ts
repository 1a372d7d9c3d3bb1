/** What keeps every living runner from a piece of work, in words. */

import { describe, expect, test } from 'vitest'
import { invocationId, nodeId, runId, runnerId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { newInvocation } from '../../../../src-engine/model/new-records.ts'
import { noPoolRules } from '../../../../src-engine/model/pools.ts'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import { livingRunners, missingRunner } from '../../../../src-engine/runtime/routing/missing-runner.ts'

const runner = (set: Partial<RunnerRecord> = {}): RunnerRecord => ({
  ...{ id: runnerId('r'), process: { host: 'h', pid: 1, startTime: null, bootId: null } },
  ...{ startedAt: 0, heartbeatAt: 1_000, stoppedAt: null, pools: ['default'], slots: 1, active: 0 },
  ...{ capabilities: ['noop', 'gpu'], labels: ['site=a'], drainingSince: null },
  ...{ cpuPercent: null, gpuPercent: null, canRunAtomicService: false, parentId: null },
  ...set,
})

const work = (set: Partial<InvocationRecord> = {}): InvocationRecord =>
  newInvocation({
    ...{ id: invocationId('r/a'), runId: runId('r'), nodeId: nodeId('a'), taskKind: 'noop', registeredAt: 0 },
    cause: { kind: 'upstream', by: null, detail: null },
    ...set,
  })

const route: InvocationRecord['route'] = {
  ...{ pools: ['default'], requires: ['gpu'], labels: ['site=a'] },
  ...{ preferredRunner: null, preferredUntil: null },
}

describe('somebody could do it', () => {
  const why = (living: readonly RunnerRecord[], record = work()) =>
    missingRunner(living, record, noPoolRules)?.message ?? null

  test('who works for its pool, knows its kind and what it requires, and has its labels', () => {
    expect(why([runner()])).toBeNull()
    expect(why([runner()], work({ route }))).toBeNull()
  })

  test.for([
    { title: 'another pool', set: { pools: ['gpu'] }, words: 'No runner works for the pool “default”.' },
    { title: 'drained', set: { drainingSince: 5 }, words: 'No runner works for the pool “default”.' },
    { title: 'another kind', set: { capabilities: ['gpu'] }, words: 'offers noop and gpu.' },
    { title: 'not all that it requires', set: { capabilities: ['noop'] }, words: 'offers noop and gpu.' },
    { title: 'elsewhere', set: { labels: [] }, words: 'No runner that could do it has the label “site=a”.' },
  ])('nobody does: $title', ({ set, words }) => {
    expect(why([runner(set)], work({ route }))).toContain(words)
  })

  test('who has stopped, or is silent for a minute, is nobody', () => {
    const all = [runner(), runner({ stoppedAt: 1 }), runner({ heartbeatAt: 900 })]
    expect(livingRunners(all, 60_900)).toEqual([all[0]])
  })
})
