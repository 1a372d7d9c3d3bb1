/** Pauses that meet a step between its beginning and that of its program, and time that goes on in them. */

import { describe, expect, test } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { EventDraft } from '../../../../src-engine/model/event.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'
import type { ControlAction } from '../../../../src-engine/protocol/run-control.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { oneStep } from '../clock/clock-scene.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

interface Ask {
  readonly runId: RunId
  readonly action: ControlAction
  /** Who is asked; the first when absent. */
  readonly engine?: number
}

/** The owner’s own answers only: requests go through. */
const entersBy =
  (to: string) =>
  ({ body }: EventDraft): boolean =>
    body.type === 'invocation.changed' && body.to === to && body.from !== to

async function ask(scene: EnginesScene, { runId, action, engine = 0 }: Ask): Promise<void> {
  const request = { runId, action, nodeId: null, by: null, reason: null, wait: false }
  await scene.engines[engine]?.controlRun(request)
  await scene.pass(0)
}

describe.each(Object.entries(sceneStores))('a pause, on %s', (_kind, open) => {
  test.for([
    { from: 'its owner', engine: 0 },
    { from: 'another process', engine: 1 },
  ])('asked for by $from before the program is there stops it as soon as it is', async ({ engine }) => {
    const scene = new EnginesScene(await open())
    await scene.launch()
    const runId = await scene.start(oneStep())
    await scene.launch()
    const [work] = scene.atWork
    if (work === undefined) throw new Error('it runs')
    await ask(scene, { runId, action: 'pause', engine })
    await scene.pass(minute)
    expect(await scene.statuses(runId)).toEqual(['RUNNING'])
    const program = work.program()
    await scene.pass(0)
    expect(program.isPaused()).toBe(true)
    expect(await scene.statuses(runId)).toEqual(['PAUSED'])
    await ask(scene, { runId, action: 'resume' })
    await scene.pass(10 * second)
    expect(program.isPaused()).toBe(false)
    await scene.end()
    expect(await scene.run(runId)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test.for([
    { from: 'its owner', engine: 0 },
    { from: 'another process', engine: 1 },
  ])('asked for by $from before the task is called has it not begin', async ({ engine }) => {
    const scene = new EnginesScene(await open())
    scene.hintsFromElsewhere = engine === 1
    await scene.launch()
    const resolved = Promise.withResolvers<void>()
    scene.resolving = resolved.promise
    const runId = await scene.start(oneStep())
    await scene.launch()
    await scene.pass(second)
    expect(await scene.statuses(runId)).toEqual(['RUNNING'])
    await ask(scene, { runId, action: 'pause', engine })
    resolved.resolve()
    await scene.pass(second)
    expect(scene.begun).toEqual([])
    expect(await scene.statuses(runId)).toEqual(['REROUTED'])
    expect(await scene.run(runId)).toMatchObject({ status: 'PAUSED' })
    await scene.pass(minute)
    expect(scene.begun).toEqual([])
    await ask(scene, { runId, action: 'resume' })
    await scene.pass(10 * second)
    expect(scene.begun).toEqual([runId])
    await scene.end()
    expect(await scene.run(runId)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('taken back before the program is there leaves it alone', async () => {
    const scene = new EnginesScene(await open())
    await scene.launch()
    const runId = await scene.start(oneStep())
    await ask(scene, { runId, action: 'pause' })
    await ask(scene, { runId, action: 'resume' })
    const program = scene.atWork[0]?.program()
    await scene.pass(minute)
    expect(program?.isPaused()).toBe(false)
    expect(await scene.statuses(runId)).toEqual(['RUNNING'])
  })

  test.for([
    { answer: 'pause', to: 'PAUSED', how: 'is written, and its answer lost', writes: true },
    { answer: 'pause', to: 'PAUSED', how: 'can’t be written', writes: false },
    { answer: 'resume', to: 'RESUMED', how: 'is written, and its answer lost', writes: true },
    { answer: 'resume', to: 'RESUMED', how: 'can’t be written', writes: false },
  ] as const)('has no program stand still for ever where its $answer $how', async ({ to, writes }) => {
    const store = await open()
    let failures = 0
    const failing: Store = {
      ...store,
      commit: async (partition, checkpoints) => {
        const isMeant = failures < 3 && checkpoints.some(({ events }) => events.some(entersBy(to)))
        if (!isMeant) return store.commit(partition, checkpoints)
        failures += 1
        if (writes) await store.commit(partition, checkpoints)
        throw new SagasmithError('store_failed')
      },
    }
    const scene = new EnginesScene(failing)
    scene.pausable = true
    await scene.launch()
    const runId = await scene.start(oneStep())
    const program = scene.atWork[0]?.program()
    await ask(scene, { runId, action: 'pause' })
    await ask(scene, { runId, action: 'resume' })
    await scene.pass(10 * second)
    expect(failures).toBeGreaterThan(0)
    expect(program?.isPaused()).toBe(false)
    await scene.end()
    expect(await scene.run(runId)).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('stops the time of the attempt, but not the one of the run', async () => {
    const scene = new EnginesScene(await open())
    scene.pausable = true
    await scene.launch()
    const runId = await scene.start(oneStep({ timeoutMs: 10 * minute, runMs: 60 * minute }))
    await scene.pass(5 * minute)
    await ask(scene, { runId, action: 'pause' })
    await scene.pass(50 * minute)
    expect(await scene.statuses(runId)).toEqual(['PAUSED'])
    expect(await scene.run(runId)).toMatchObject({ status: 'PAUSED' })
    const pausedAt = scene.world.now - 50 * minute
    expect(await whyWaiting(scene.store, { runId, nodeId: null, now: scene.world.now })).toMatchObject([
      { status: 'PAUSED', code: 'paused', since: pausedAt, help: expect.stringContaining('runs resume') },
    ])
    await scene.pass(6 * minute)
    expect(await scene.run(runId)).toMatchObject({ status: 'TIMED_OUT' })
    expect(scene.atWork).toEqual([])
  })
})
