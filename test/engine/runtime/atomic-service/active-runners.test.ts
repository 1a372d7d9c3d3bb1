/** Who counts as a runner that may do the chores. */

import { expect, test } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import { minute } from '../../../../src-engine/model/time.ts'
import { listActiveRunners } from '../../../../src-engine/runtime/atomic-service/active-runners.ts'
import { sceneStores } from '../../../simulation/stores.ts'

const row = (id: string, given: Partial<RunnerRecord> = {}): RunnerRecord => ({
  id: runnerId(id),
  process: { host: 'host', pid: 1, startTime: null, bootId: null },
  startedAt: 1,
  heartbeatAt: 60 * minute,
  stoppedAt: null,
  pools: ['default'],
  slots: 1,
  active: 0,
  labels: [],
  capabilities: [],
  canRunAtomicService: true,
  parentId: null,
  cpuPercent: null,
  gpuPercent: null,
  drainingSince: null,
  ...given,
})

test.for(Object.entries(sceneStores))('runners that live and may, on %s [P25] [P24]', async ([, open]) => {
  const store = await open()
  const now = 60 * minute
  for (const runner of [
    row('lives'),
    row('late', { heartbeatAt: 50 * minute }),
    row('stale', { heartbeatAt: 50 * minute - 1 }),
    row('stopped', { stoppedAt: now }),
    row('drains', { drainingSince: now }),
    row('other', { canRunAtomicService: false }),
    row('gone', { process: { host: 'host', pid: 666, startTime: null, bootId: null } }),
  ])
    await store.renew({ partition: 0, runner, leases: [], expiresAt: now })
  const active = async (deadAfterMs: number) => {
    const isProvenGone = ({ pid }: { readonly pid: number }) => pid === 666
    const isSilent = ({ heartbeatAt }: RunnerRecord) => now - heartbeatAt > deadAfterMs
    const runners = await listActiveRunners({ store, partition: 0, isSilent, isProvenGone })
    return runners.map(({ id }) => id).toSorted()
  }
  expect(await active(10 * minute)).toEqual(['late', 'lives'])
  expect(await active(11 * minute)).toEqual(['late', 'lives', 'stale'])
  await store.close()
})
