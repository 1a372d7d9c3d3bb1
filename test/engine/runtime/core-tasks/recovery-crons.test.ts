/**
 * Recovery by its crons, from the death of a runner to the end of its work. Leases last for a day here and no
 * process can be proven dead: so what is recovered is recovered by the core runs.
 */

import { describe, expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import { day, minute, second } from '../../../../src-engine/model/time.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import type { ControlAction } from '../../../../src-engine/protocol/run-control.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { strangers } from '../clock/clock-scene.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

const settings = {
  claimTtlMs: day,
  heartbeatIntervalMs: 15 * second,
  runnerDeadAfterMs: 10 * minute,
  runningTimeoutMs: day,
  maxConcurrentTasks: 1,
}

const workOf = (node: Partial<WorkflowNode> = {}): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('work'),
    title: 'Work',
    nodes: { work: { kind: 'noop', ...node } },
    edges: {},
  }) as unknown as WorkflowDocument

async function launch(scene: EnginesScene, given: SettingValues = {}): Promise<void> {
  const pid = scene.engines.length + 1
  await scene.launch({ ...settings, ...given }, { ...strangers(pid), canRunAtomicService: true })
}

/** Up to an instant of the world, in minutes. */
const until = (scene: EnginesScene, minutes: number) => scene.pass(minutes * minute - scene.world.now)

async function recoveries(store: Store) {
  const filter = { statuses: null, workflowId: workflowId('core.recover-running'), includeCore: true }
  const runs = await store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })
  return runs
    .map(({ cause, status, output }) => ({ slot: cause.detail, status, output: JSON.stringify(output) }))
    .toSorted((a, b) => String(a.slot).localeCompare(String(b.slot)))
}

async function control(scene: EnginesScene, runId: RunId, action: ControlAction): Promise<void> {
  const asked = { runId, action, nodeId: null, by: null, reason: null, wait: false }
  await scene.engines[0]?.controlRun(asked)
  await scene.pass(second)
}

describe.each(Object.entries(sceneStores))('the crons of recovery, on %s', (_kind, open) => {
  test('what a dead runner left RUNNING is recovered by the next */15, and done [P26] [P29]', async () => {
    const scene = new EnginesScene(await open())
    scene.looksSeldom = true
    await launch(scene)
    const runId = await scene.start(workOf())
    await launch(scene)
    await until(scene, 19)
    scene.processes[0]?.die()
    // Its heartbeat is ten minutes old soon after 29:00; the slot at 30:00 is the first that may say so.
    await scene.pass(30 * minute - second - scene.world.now)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0])
    await until(scene, 31)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0, 1])
    const [id] = (await scene.records(runId)).map((record) => record.id)
    const runs = await recoveries(scene.store)
    expect(runs.find(({ slot }) => slot === '1970-01-01T00:30:00.000Z')).toMatchObject({
      status: 'SUCCEEDED',
    })
    expect(runs.find(({ slot }) => slot === '1970-01-01T00:30:00.000Z')?.output).toContain(String(id))
    scene.atWork.find(({ engine }) => engine === 1)?.end()
    await scene.pass(second)
    expect(await scene.run(runId)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await scene.history(runId)).toEqual([
      'PENDING',
      'RUNNING',
      'RUNNING_RECOVERY',
      'REROUTED',
      'PENDING',
      'RUNNING',
      'SUCCESS',
    ])
  })

  test('what stood still, or went on again, is recovered as well [G2]', async () => {
    for (const actions of [['pause'], ['pause', 'resume']] as const) {
      const scene = new EnginesScene(await open())
      scene.looksSeldom = true
      scene.pausable = true
      await launch(scene)
      const runId = await scene.start(workOf())
      await launch(scene)
      await scene.pass(second)
      for (const action of actions) await control(scene, runId, action)
      const status = actions.length === 1 ? 'PAUSED' : 'RESUMED'
      expect(await scene.statuses(runId)).toEqual([status])
      await until(scene, 19)
      scene.processes[0]?.die()
      await until(scene, 31)
      const moves = await scene.history(runId)
      expect(moves.slice(moves.indexOf(status))).toContain('RUNNING_RECOVERY')
      // A run that is paused keeps what was recovered from running again.
      expect(scene.atWork.map(({ engine }) => engine)).toEqual(actions.length === 1 ? [0] : [0, 1])
    }
  })

  test('only what runs is taken, and not from those who live [P27]', async () => {
    const scene = new EnginesScene(await open())
    scene.looksSeldom = true
    await launch(scene)
    const running = await scene.start(workOf())
    const queued = await scene.start(workOf())
    await launch(scene)
    await scene.pass(10 * second)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0, 1])
    const waiting = await scene.start(workOf())
    scene.processes[0]?.die()
    await until(scene, 46)
    expect(await scene.statuses(running)).toEqual(['REROUTED'])
    expect(await scene.history(queued)).not.toContain('RUNNING_RECOVERY')
    expect(await scene.history(waiting)).toEqual([])
  })

  test('the last crash that the setting allows ends it with a dead letter [G8]', async () => {
    const scene = new EnginesScene(await open())
    scene.looksSeldom = true
    await launch(scene, { crashAttemptsMax: 2 })
    const runId = await scene.start(workOf({ sideEffect: 'idempotent' }))
    for (const engine of [0, 1]) {
      await launch(scene, { crashAttemptsMax: 2 })
      await scene.pass(minute)
      expect(scene.atWork.map((work) => work.engine)).toContain(engine)
      scene.processes[engine]?.die()
      await scene.pass(30 * minute)
    }
    expect((await scene.records(runId))[0]).toMatchObject({
      status: 'FAILED',
      crashCount: 2,
      error: { code: 'worker_lost' },
    })
    const letters = await scene.store.list(0, 'deadLetters', {
      filter: { reason: null, workflowId: null, runId },
      page: { after: null, limit: 10 },
    })
    expect(letters).toMatchObject([{ reason: 'worker_lost' }])
  })

  test('an effect that may have happened waits for a person', async () => {
    const scene = new EnginesScene(await open())
    scene.looksSeldom = true
    await launch(scene)
    const runId = await scene.start(workOf({ sideEffect: 'unsafe' }))
    await launch(scene)
    scene.processes[0]?.die()
    await until(scene, 31)
    expect((await scene.records(runId))[0]).toMatchObject({
      status: 'APPROVAL_REQUIRED',
      waitReason: { code: 'indeterminate_effect' },
    })
  })

  test('runs though every slot is taken, and in a runner of another pool', async () => {
    const scene = new EnginesScene(await open())
    scene.looksSeldom = true
    await launch(scene)
    const lost = await scene.start(workOf())
    await launch(scene, { pools: ['others'] })
    await launch(scene)
    await scene.start(workOf(), {}, 2)
    await scene.pass(second)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0, 2])
    scene.processes[0]?.die()
    await until(scene, 31)
    expect((await recoveries(scene.store)).map(({ status }) => status)).toEqual(['SUCCEEDED'])
    expect(await scene.statuses(lost)).toEqual(['REROUTED'])
    // Its own slot is for the engine's tasks only.
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0, 2])
    expect(scene.engines[2]?.load()).toMatchObject({ slots: 1, taken: 1 })
  })
})
