/** A process that stood still, or whose machine slept: what it still owns, what it lost, what is due. */

import { describe, expect, test } from 'vitest'
import { hour, minute, second } from '../../../../src-engine/model/time.ts'
import { clockScene, clockStores, oneStep } from './clock-scene.ts'

const settings = { claimTtlMs: minute, heartbeatIntervalMs: 15 * second, maxConcurrentTasks: 1 }

describe.each(clockStores)('after a standstill, on %s', (_kind, open) => {
  test('nothing is completed before a renewal, and what was taken over is given up [C18]', async () => {
    const { scene, written, launch } = await clockScene(open)
    await launch(settings)
    const runId = await scene.start(oneStep())
    await launch(settings)
    const [first] = scene.processes
    const [work] = scene.atWork
    if (first === undefined || work === undefined) throw new Error('it runs')
    // What ends it is the first thing that happens when the process goes on.
    first.plan(1, () => {
      written.length = 0
      work.end()
    })
    first.pausedUntil = scene.world.now + 5 * minute
    await scene.pass(5 * minute - 1)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([0, 1])
    await scene.pass(minute)
    expect(scene.atWork.map(({ engine }) => engine)).toEqual([1])
    expect(written).not.toContain('end')
    expect(written).toContain('renew')
    await scene.end()
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

  test('what nobody took is completed, once a renewal has told so', async () => {
    const { scene, written, launch } = await clockScene(open)
    await launch(settings)
    const runId = await scene.start(oneStep())
    const [first] = scene.processes
    const [work] = scene.atWork
    if (first === undefined || work === undefined) throw new Error('it runs')
    first.plan(1, () => {
      written.length = 0
      work.end()
    })
    first.pausedUntil = scene.world.now + 5 * minute
    await scene.pass(6 * minute)
    expect(await scene.run(runId)).toMatchObject({ status: 'SUCCEEDED' })
    const end = written.indexOf('end')
    expect(end).toBeGreaterThan(0)
    expect(written.slice(0, end)).toContain('renew')
    const [record] = await scene.records(runId)
    expect(record).toMatchObject({ attempt: 1, crashCount: 0 })
  })

  test('a store that can’t be asked gives up everything, after as many tries as a heartbeat has', async () => {
    const { scene, written, launch } = await clockScene(open)
    await launch(settings)
    await scene.start(oneStep())
    const [first] = scene.processes
    const [work] = scene.atWork
    if (first === undefined || work === undefined) throw new Error('it runs')
    first.plan(1, () => {
      written.length = 0
      Object.assign(scene.store, { renew: () => Promise.reject(new Error('gone')) })
      work.end()
    })
    first.pausedUntil = scene.world.now + 5 * minute
    await scene.pass(6 * minute)
    expect(written).not.toContain('end')
    expect(scene.engines[0]?.load().taken).toBe(0)
  })

  test('timers that came due while the machine slept are served at once', async () => {
    const { scene, launch } = await clockScene(open)
    // So that no look at an interval serves them.
    await launch({ ...settings, pollIntervalMs: hour })
    const runId = await scene.start(oneStep({ runMs: 30 * minute }))
    scene.processes[0]?.sleep(hour)
    await scene.pass(10 * second)
    expect(await scene.run(runId)).toMatchObject({ status: 'TIMED_OUT' })
  })

  test('an attempt whose time passed in the sleep has timed out [S33] [T7]', async () => {
    const { scene, launch } = await clockScene(open)
    await launch(settings)
    const runId = await scene.start(oneStep({ timeoutMs: 10 * minute }))
    await scene.pass(minute)
    scene.processes[0]?.sleep(hour)
    await scene.pass(10 * second)
    expect((await scene.records(runId))[0]).toMatchObject({ status: 'TIMEOUT' })
  })

  test('the system’s word that it wakes is enough to renew and to look', async () => {
    const { scene, written, launch } = await clockScene(open)
    await launch({ ...settings, heartbeatIntervalMs: 15 * second })
    await scene.start(oneStep())
    await scene.pass(second)
    written.length = 0
    scene.engines[0]?.powerHint('suspend')
    await scene.pass(0)
    scene.engines[0]?.powerHint('resume')
    await scene.pass(0)
    expect(written.filter((word) => word === 'renew')).toHaveLength(2)
  })
})
