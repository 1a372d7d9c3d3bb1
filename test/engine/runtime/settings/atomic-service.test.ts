/** The settings of the atomic service: each one, set to something else, changes the slots or the rows. */

import { describe, expect, it } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import type { EngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'
import { createExecutionPruning } from '../../../../src-engine/runtime/atomic-service/execution-pruning.ts'
import { claimNow, perform } from '../../../../src-engine/runtime/atomic-service/perform.ts'
import { listExecutions } from '../../../../src-engine/runtime/atomic-service/start-record.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { watched } from './watched-store.ts'

/** A cycle begins here, whether it takes five minutes or ten. */
const cycle = 100 * 10 * minute
const ids = ['r0', 'r1']

/** What the second of two runners may do, so long after the cycle began. */
function claim(given: Partial<EngineSettings>, after: number, createdAt = 0) {
  const runners = ids.map((id) => ({ id: runnerId(id), createdAt }))
  const settings = engineSettings({ atomicServiceSpreadMarginMs: 0, ...given })
  const { slotStart, slotEnd, reason } = claimNow(
    { settings, runnerId: runnerId('r1') },
    runners,
    cycle + after,
  )
  return { from: (slotStart ?? 0) - cycle, to: (slotEnd ?? 0) - cycle, reason }
}

describe('the slots', () => {
  it('atomic_service_interval_minutes: the cycle that all share', () => {
    expect(claim({}, 0)).toMatchObject({ from: 2.5 * minute, to: 5 * minute })
    expect(claim({ atomicServiceIntervalMs: 10 * minute }, 0)).toMatchObject({
      from: 5 * minute,
      to: 10 * minute,
    })
  })

  it('atomic_service_spread_margin_minutes: what stays free between two slots', () => {
    expect(claim({ atomicServiceSpreadMarginMs: 30 * second }, 0).to).toBe(4.5 * minute)
    expect(claim({ atomicServiceSpreadMarginMs: minute }, 0).to).toBe(4 * minute)
  })

  it('atomic_service_max_start_slot_fraction: how late in its slot a runner may begin', () => {
    const late = 2.5 * minute + 60 * second
    expect(claim({ atomicServiceMaxStartSlotFraction: 0.2 }, late).reason).toBe('LATE_START')
    expect(claim({ atomicServiceMaxStartSlotFraction: 0.8 }, late).reason).toBe('ASSIGNED')
  })

  it('atomic_service_membership_stabilization_minutes: how long a new runner only watches', () => {
    const begun = 2.5 * minute
    const young = (atomicServiceMembershipStabilizationMs: number) =>
      claim({ atomicServiceMembershipStabilizationMs }, begun, cycle + begun - 90 * second).reason
    expect(young(3 * minute)).not.toBe('ASSIGNED')
    expect(young(minute)).toBe('ASSIGNED')
  })
})

it('atomic_service_execution_max_records: how many rows of turns are kept', async () => {
  const rows = async (atomicServiceExecutionMaxRecords: number) => {
    const store = createMemoryStore()
    let count = 0
    let turn = 0
    const settings = engineSettings({ atomicServiceExecutionMaxRecords })
    const known = {
      store,
      partition: 0,
      runnerId: runnerId('r0'),
      clock: { now: () => cycle + turn * minute, monotonic: () => turn, after: () => () => {} },
      ids: { next: () => `id${(count += 1)}` },
    }
    const pruning = createExecutionPruning(known, settings)
    for (; turn < 12; turn += 1) {
      await perform(
        {
          ...known,
          settings,
          pruning,
          log: { debug() {}, info() {}, warn() {}, error() {} },
          activeRunners: async () => [{ id: runnerId('r0'), createdAt: 0 }],
          evaluate: async () => {},
        },
        'due',
      )
    }
    return (await listExecutions({ store, partition: 0 })).length
  }
  expect(await rows(4)).toBe(4)
  expect(await rows(100)).toBe(12)
})

it('atomic_service_check_interval_minutes: how often a runner looks whether it is its turn', async () => {
  const looks = async (atomicServiceCheckIntervalMs: number) => {
    const { store, watch } = watched((name) => name === 'renew')
    const here = new EnginesScene(store)
    const hour = 60 * minute
    const seldom = { heartbeatIntervalMs: 2 * hour, claimTtlMs: 8 * hour, atomicServiceIntervalMs: hour }
    await here.launch({ ...seldom, atomicServiceCheckIntervalMs }, { canRunAtomicService: true })
    await here.pass(minute)
    const before = watch.calls.length
    await here.pass(10 * minute)
    await store.close()
    return watch.calls.length - before
  }
  const often = await looks(minute / 2)
  const rarely = await looks(4 * minute)
  expect(rarely).toBeGreaterThan(0)
  expect(often).toBeGreaterThanOrEqual(2 * rarely)
})
