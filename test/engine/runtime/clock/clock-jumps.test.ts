/** Wall clocks that are set, or that differ: what lives is left alone, what is dead is taken over. */

import { describe, expect, test } from 'vitest'
import { hour, minute, second } from '../../../../src-engine/model/time.ts'
import type { EnginesScene } from '../permits/engines-scene.ts'
import { clockScene, clockStores, oneStep, strangers } from './clock-scene.ts'

const settings = {
  claimTtlMs: minute,
  heartbeatIntervalMs: 15 * second,
  runnerDeadAfterMs: 10 * minute,
  maxConcurrentTasks: 1,
}

/** What every step goes through until it runs. */
const begun = ['PENDING', 'RUNNING']

function setClocks(scene: EnginesScene, byMs: number): void {
  for (const process of scene.processes) process.skew += byMs
}

describe.each(clockStores)('wall clocks, on %s', (kind, open) => {
  test.for(kind === 'memory' ? [hour, -hour, 24 * hour, -24 * hour] : [hour, -hour])(
    'set by %d ms, they take nothing from who lives, in no respect',
    async (byMs) => {
      const { scene, launch } = await clockScene(open)
      await launch(settings)
      const runId = await scene.start(oneStep({ timeoutMs: 40 * minute, runMs: 50 * minute }))
      await launch(settings)
      await launch(settings)
      await scene.pass(5 * minute)
      setClocks(scene, byMs)
      await scene.pass(30 * minute)
      expect(scene.atWork.map(({ engine }) => engine)).toEqual([0])
      expect(await scene.history(runId)).toEqual(begun)
      await scene.end()
      expect(await scene.run(runId)).toMatchObject({ status: 'SUCCEEDED' })
      expect((await scene.records(runId))[0]).toMatchObject({ attempt: 1, crashCount: 0 })
    },
  )

  test.for([hour, -hour])('set by %d ms, an attempt times out when its time has passed', async (byMs) => {
    const { scene, launch } = await clockScene(open)
    await launch(settings)
    const runId = await scene.start(oneStep({ timeoutMs: 10 * minute }))
    await scene.pass(5 * minute)
    setClocks(scene, byMs)
    await scene.pass(4 * minute)
    expect(await scene.statuses(runId)).toEqual(['RUNNING'])
    await scene.pass(minute + second)
    expect(await scene.statuses(runId)).toEqual(['TIMEOUT'])
  })

  test('set ahead, many runs that only seem to be over don’t keep the timers from resting', async () => {
    let looks = 0
    const { scene, launch } = await clockScene(async () => {
      const store = await open()
      return new Proxy(store, {
        get: (target, name) => {
          if (name === 'listDue') looks += 1
          return Reflect.get(target, name)
        },
      })
    })
    await launch(settings)
    // As many as one look at what is due takes.
    const starts = Array.from({ length: 200 }, () => [{}, 0] as const)
    const runs = await scene.startTogether(oneStep({ runMs: 50 * minute }), starts)
    await scene.pass(minute)
    setClocks(scene, hour)
    await scene.pass(second)
    looks = 0
    await scene.pass(10 * second)
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThan(20)
    const last = runs.at(-1)
    expect(last === undefined ? null : await scene.run(last)).toMatchObject({ status: 'RUNNING' })
  })

  test('set ahead, a step without a timeout of its own is not too long in RUNNING', async () => {
    const { scene, launch } = await clockScene(open)
    await launch({ ...settings, runningTimeoutMs: 20 * minute })
    const runId = await scene.start(oneStep())
    await scene.pass(5 * minute)
    setClocks(scene, 24 * hour)
    await scene.pass(14 * minute)
    expect(await scene.statuses(runId)).toEqual(['RUNNING'])
    await scene.pass(2 * minute)
    expect(await scene.statuses(runId)).toEqual(['TIMEOUT'])
  })

  test('set ahead, a run times out when its time has passed', async () => {
    const { scene, launch } = await clockScene(open)
    await launch(settings)
    const runId = await scene.start(oneStep({ runMs: 20 * minute }))
    await scene.pass(5 * minute)
    setClocks(scene, hour)
    await scene.pass(14 * minute)
    expect(await scene.run(runId)).toMatchObject({ status: 'RUNNING' })
    await scene.pass(2 * minute)
    expect(await scene.run(runId)).toMatchObject({ status: 'TIMED_OUT' })
  })

  test.for([
    { byMs: hour, withinMs: minute + second },
    { byMs: -hour, withinMs: 11 * minute },
  ])('set by $byMs ms, they keep nothing of who is dead', async ({ byMs, withinMs }) => {
    const { scene, launch } = await clockScene(open)
    await launch(settings)
    await scene.start(oneStep())
    await launch(settings)
    await scene.pass(minute)
    scene.processes[0]?.die()
    setClocks(scene, byMs)
    await scene.pass(withinMs)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0, 1])
  })

  test.for([
    { lives: true, at: [0] },
    { lives: false, at: [1] },
  ])(
    'far ahead in a process that begins, they count only against who may be gone: $lives',
    async ({ lives, at }) => {
      const { scene, launch } = await clockScene(open)
      await launch(settings)
      await scene.start(oneStep())
      await scene.pass(minute)
      const { process } = strangers(2)
      const late = scene.make(settings, { process: { ...process, isProvenAlive: () => lives } })
      const [, beginning] = scene.processes
      if (beginning !== undefined) beginning.skew = hour
      await scene.within(late.start())
      await scene.pass(minute / 2)
      expect(scene.atWork.map(({ engine }) => engine)).toEqual(at)
    },
  )

  test('that differ by more than a lease take nothing from who lives, and what is dead is found', async () => {
    const { scene, launch } = await clockScene(open)
    for (let engine = 0; engine < 3; engine += 1) await launch(settings)
    const skews = [-10 * minute, 0, 10 * minute]
    for (const [index, process] of scene.processes.entries()) process.skew = skews[index] ?? 0
    const runs = [0, 1, 2].map((engine) => scene.start(oneStep(), {}, engine))
    const ids = await Promise.all(runs)
    await scene.pass(30 * minute)
    expect(new Set(scene.atWork.map(({ engine }) => engine))).toEqual(new Set([0, 1, 2]))
    expect(scene.begun).toHaveLength(3)
    for (const id of ids) expect(await scene.history(id)).toEqual(begun)
    // The one that is ahead dies with the others full; then one of them has room.
    scene.processes[2]?.die()
    await scene.pass(11 * minute)
    const late = scene.atWork.find(({ engine }) => engine === 0)
    late?.end()
    await scene.pass(minute)
    expect(scene.begun).toHaveLength(4)
  })
})
