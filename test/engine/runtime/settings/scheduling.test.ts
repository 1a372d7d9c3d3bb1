/** Settings of scheduling: each one, set to something else than it is by itself, changes what happens. */

import { afterEach, expect, it } from 'vitest'
import { schedulingBackoffMs } from '../../../../src-engine/core/reconcile/unclaimable.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'
import { watched } from './watched-store.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const oneStep = (node: JsonObject) => documentOf({ nodes: { work: node }, edges: {} })

const ofNobody = oneStep({ kind: 'noop', pool: 'gpu' })
const alone = oneStep({
  kind: 'noop',
  concurrency: { running: 'TASK', onFull: 'reroute' },
})

async function scene(settings: SettingValues, store: Store = createMemoryStore()): Promise<EnginesScene> {
  const here = new EnginesScene(store)
  scenes.push(here)
  await here.launch(settings)
  return here
}

const attemptsOf = async (here: EnginesScene, run: Awaited<ReturnType<EnginesScene['start']>>) =>
  (await here.records(run))[0]?.dispatch?.schedulingAttempts ?? 0

it('pending_age: the younger it may be, the sooner a step says why nobody takes it', async () => {
  const reasonAfterOneTick = async (settings: SettingValues) => {
    const here = await scene(settings)
    const run = await here.start(ofNobody)
    await here.pass(62_000)
    return (await here.records(run))[0]?.waitReason?.code ?? null
  }
  expect(await reasonAfterOneTick({})).toBeNull()
  expect(await reasonAfterOneTick({ pendingAgeMs: 20_000 })).toBe('no_workers')
})

it('scheduling_attempts_max: after so many attempts a step that nobody can do has failed', async () => {
  const here = await scene({ schedulingAttemptsMax: 3, pendingAgeMs: 10_000 })
  const run = await here.start(ofNobody)
  await here.pass(150_000)
  expect(await here.statuses(run)).toEqual(['FAILED'])
  const [letter] = await here.store.list(0, 'deadLetters', {
    filter: { reason: null, workflowId: null, runId: null },
    page: { after: null, limit: 1 },
  })
  expect(letter).toMatchObject({ reason: 'max_scheduling_retries', body: { schedulingAttempts: 3 } })
})

it('backoff_initial, backoff_max, backoff_jitter: the pauses between the attempts', () => {
  const rules = engineSettings({ backoffInitialMs: 100, backoffMaxMs: 450, backoffJitterMs: 40 })
  expect([0, 1, 2, 3].map((attempt) => schedulingBackoffMs(attempt, rules, 0.5))).toEqual([
    120, 220, 420, 450,
  ])
})

it('retry_delay_no_workers: between two ticks a step that nobody can do isn’t asked about more often', async () => {
  const attempts = async (settings: SettingValues) => {
    const here = await scene({ pendingAgeMs: 10_000, replayerIntervalMs: 200_000, ...settings })
    const run = await here.start(ofNobody)
    await here.pass(275_000)
    return attemptsOf(here, run)
  }
  // The pauses are 2, 4, 8, 16, 30 s; with the setting none is shorter than 25 s.
  expect(await attempts({})).toBe(7)
  expect(await attempts({ retryDelayNoWorkersMs: 25_000 })).toBe(4)
})

it('concurrency_retry_delay: how often the line of a permit is looked at for what a crash left', async () => {
  const looks = async (settings: SettingValues) => {
    const { store, watch } = watched((name, given) => name === 'list' && given[1] === 'permits')
    const here = await scene({ pollIntervalMs: 30_000, ...settings }, store)
    await here.start(alone)
    await here.start(alone)
    await here.pass(30_000)
    const before = watch.calls.length
    await here.pass(60_000)
    return watch.calls.length - before
  }
  expect(await looks({ concurrencyRetryDelayMs: 2_000 })).toBe(30)
  expect(await looks({ concurrencyRetryDelayMs: 20_000 })).toBe(3)
})

it('reconciler_failures_max: so often one turn tries to end a step that takes too long', async () => {
  const tries = async (settings: SettingValues) => {
    const { store, watch } = watched(
      (name, given) => name === 'commit' && JSON.stringify(given[1]).includes('timeout:'),
    )
    const here = new EnginesScene(store)
    scenes.push(here)
    const told: string[] = []
    here.log = { debug() {}, info() {}, warn: (event: string) => told.push(event), error() {} }
    await here.launch({ runningTimeoutMs: 5_000, reconcilerIntervalMs: 10_000, ...settings })
    await here.start(oneStep({ kind: 'noop' }))
    watch.answer = [{ kind: 'refused', refusal: { kind: 'invalid', problems: ['It makes no sense.'] } }]
    await here.pass(19_000)
    return told.filter((event) => event === 'reconciler.failed').length
  }
  expect(await tries({ reconcilerFailuresMax: 2 })).toBe(2)
  expect(await tries({ reconcilerFailuresMax: 7 })).toBe(7)
})

it('retry_delay_store: how long a store that failed isn’t asked for timers', async () => {
  const looks = async (settings: SettingValues) => {
    const { store, watch } = watched((name) => name === 'listDue')
    const here = await scene(settings, store)
    watch.isFailing = true
    await here.pass(1)
    const before = watch.calls.length
    await here.pass(60_000)
    return watch.calls.length - before
  }
  const often = await looks({ retryDelayStoreMs: 1_000 })
  const seldom = await looks({ retryDelayStoreMs: 10_000 })
  expect(often).toBeGreaterThan(50)
  expect(seldom).toBeLessThan(10)
})
