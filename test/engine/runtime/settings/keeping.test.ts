/** Settings of leases, locks, retention and messages: each one, set to something else, changes what happens. */

import { afterEach, expect, it } from 'vitest'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'
import { createLocks } from '../../../../src-engine/runtime/locks/locks.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { World } from '../../../simulation/world.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'
import type { Watch } from './watched-store.ts'
import { watched } from './watched-store.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const oneStep = documentOf({ nodes: { work: { kind: 'noop' } }, edges: {} })

function sceneOn(store: Store): EnginesScene {
  const here = new EnginesScene(store)
  scenes.push(here)
  return here
}

async function scene(settings: SettingValues, store: Store = createMemoryStore()): Promise<EnginesScene> {
  const here = sceneOn(store)
  await here.launch(settings)
  return here
}

const isCommit = (name: string): boolean => name === 'commit'

/** For how long the lock was taken each time. */
const lockedFor = ({ calls }: Watch, key: string): readonly number[] =>
  calls.flatMap((given) => {
    const found = JSON.stringify(given[1]).match(new RegExp(`"key":"lock/${key}","value":(\\{[^}]*\\})`))
    if (found?.[1] === undefined) return []
    const state = JSON.parse(found[1]) as { readonly token: string | null; readonly ttlMs: number }
    return state.token === null ? [] : [state.ttlMs]
  })

it('heartbeat_failures_max: after so many failed renewals the work is given up', async () => {
  const isGivenUp = async (heartbeatFailuresMax: number) => {
    const { store, watch } = watched((name) => name === 'renew')
    const here = await scene({ heartbeatFailuresMax, heartbeatIntervalMs: 2 * second }, store)
    await here.start(oneStep)
    watch.isFailing = true
    await here.pass(5 * second)
    return here.atWork.length === 0
  }
  expect(await isGivenUp(2)).toBe(true)
  expect(await isGivenUp(5)).toBe(false)
})

it('lock_strikes_max: after so many failed renewals of a lock its work is told to stop', async () => {
  const strikes = async (given: SettingValues) => {
    const { lockStrikesMax: strikesMax, retryDelayLockBusyMs: retryDelayMs } = engineSettings(given)
    const { store, watch } = watched(isCommit)
    const world = new World()
    const clock = {
      now: () => world.now,
      monotonic: () => world.now,
      after: (span: number, call: () => void) => world.at(world.now + span, call),
    }
    let ids = 0
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const next = { next: () => `id${(ids += 1)}` }
    const common = { store, partition: 0, owner: 'a', clock, ids: next, log, strikesMax, retryDelayMs }
    const lock = await createLocks(common).acquire('work', 30 * second)
    watch.isFailing = true
    let span = 0
    for (; span < 30 && lock?.signal.aborted === false; span += 1) {
      await world.run(world.now + second, () => false)
    }
    return span
  }
  // It is renewed each ten seconds.
  expect(await strikes({ lockStrikesMax: 1 })).toBe(10)
  expect(await strikes({ lockStrikesMax: 2 })).toBe(20)
})

it('retry_delay_lock_busy: how often a busy lock is asked for', async () => {
  const asked = async (retryDelayLockBusyMs: number) => {
    const { store, watch } = watched(
      (name, given) => name === 'load' && JSON.stringify(given).includes('lock/prune'),
    )
    const here = await scene({ retryDelayLockBusyMs, runLockTtlMs: minute }, store)
    const held = { token: 'other', owner: 'other', expiresAt: here.world.now + 20 * second, ttlMs: minute }
    watch.answer = { key: 'lock/prune', version: 1, value: held }
    void here.engines[0]?.pruner.prune().catch(() => {})
    await here.pass(10 * second)
    return watch.calls.length
  }
  expect(await asked(second)).toBe(11)
  expect(await asked(5 * second)).toBe(3)
})

it('run_retention_age, run_retention_count, blob_grace, prune_batch_size, prune_interval: what is forgotten, and when', async () => {
  const { store, watch } = watched((name) => name === 'prune')
  const here = await scene(
    {
      runRetentionAgeMs: 10 * minute,
      runRetentionCount: 5,
      blobGraceMs: 3 * minute,
      pruneBatchSize: 7,
      pruneIntervalMs: 20 * minute,
    },
    store,
  )
  const from = here.world.now
  await here.pass(20 * minute - 1)
  expect(watch.calls).toEqual([])
  await here.pass(1)
  const now = from + 20 * minute
  expect(watch.calls).toEqual([
    [
      {
        partition: 0,
        endedBefore: now - 10 * minute,
        keep: 5,
        blobsBefore: now - 3 * minute,
        limit: 7,
      },
    ],
  ])
})

it('run_lock_ttl: for how long whoever forgets keeps others from it', async () => {
  const { store, watch } = watched(isCommit)
  const here = await scene({ runLockTtlMs: 77 * second, pruneIntervalMs: minute }, store)
  await here.pass(minute)
  expect(lockedFor(watch, 'prune')).toEqual([77 * second])
})

it('tick_lock_ttl: for how long a turn of the reconciler keeps others from it', async () => {
  const { store, watch } = watched(isCommit)
  const here = await scene({ reconcilerIntervalMs: minute, tickLockTtlMs: 5 * minute }, store)
  await here.pass(minute)
  expect(lockedFor(watch, 'reconciler:default')).toEqual([5 * minute])
})

it('dead_letter_ttl: a letter is kept for so long', async () => {
  const letters = async (deadLetterTtlMs: number) => {
    const here = await scene({ deadLetterTtlMs, pruneIntervalMs: minute })
    await here.start(oneStep)
    await here.pass(1)
    await here.end(new Error('no luck'))
    const page = { after: null, limit: 10 }
    const all = () =>
      here.store.list(0, 'deadLetters', { filter: { reason: null, workflowId: null, runId: null }, page })
    expect(await all()).toHaveLength(1)
    await here.pass(5 * minute)
    return (await all()).length
  }
  expect(await letters(2 * minute)).toBe(0)
  expect(await letters(20 * minute)).toBe(1)
})

it('registry_snapshot_lock_ttl: for how long whoever writes the list keeps others from it', async () => {
  const { store, watch } = watched(isCommit)
  const here = sceneOn(store)
  for (let count = 0; count < 2; count += 1) await here.launch({ registrySnapshotLockTtlMs: 33 * second })
  await here.pass(minute)
  const spans = lockedFor(watch, 'registry:snapshot')
  expect(spans.length).toBeGreaterThan(0)
  expect(new Set(spans)).toEqual(new Set([33 * second]))
})

it('retry_delay_publish: how long an effect on other runs that failed waits for its next try', async () => {
  const tries = async (retryDelayPublishMs: number) => {
    const { store, watch } = watched(
      (name, given) => isCommit(name) && JSON.stringify(given[1]).includes('"opId":"delivered:'),
    )
    const here = new FlowScene(store, { retryDelayPublishMs })
    await here.launch()
    watch.isFailing = true
    const nodes = { tell: { kind: 'emit-event', parameters: { name: 'paid', payload: '1' } } }
    await here.start({ nodes })
    await here.pass(7 * second)
    await here.close()
    return watch.calls.length
  }
  expect(await tries(3 * second)).toBe(3)
  expect(await tries(second)).toBe(5)
})
