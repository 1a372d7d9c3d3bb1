/** Steps that may not be silent for too long: what counts as a sign of life, and what a silence leads to. */

import { afterEach, describe, expect, it, test } from 'vitest'
import type { Beats } from '../../../src-engine/runtime/beats.ts'
import { listenForBeats } from '../../../src-engine/runtime/beats.ts'
import { createDeadlines } from '../../../src-engine/runtime/deadlines.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { SimulatedProcess, World } from '../../simulation/world.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

describe('an attempt that may say nothing for a second', () => {
  function listening(deadlineAt: () => number | null = () => 1_000_000) {
    const world = new World()
    const clock = new SimulatedProcess(world, 1).clock()
    const deadlines = createDeadlines(clock, () => clock.monotonic())
    const stops: number[] = []
    const began = world.now
    const beats: Beats = listenForBeats(
      { clock, deadlines },
      { stop: () => stops.push(world.now - began), deadlineAt },
      1_000,
    )
    const pass = (ms: number): Promise<void> => world.run(world.now + ms, () => false)
    return { beats, stops, pass }
  }

  test('is stopped when it says nothing for as long', async () => {
    const { beats, stops, pass } = listening()
    await pass(5_000)
    expect(stops).toEqual([1_000])
    expect(beats.fellSilent()).toBe(true)
  })

  test('goes on for as long as it says something in time', async () => {
    const { beats, stops, pass } = listening()
    for (let beat = 0; beat < 10; beat += 1) {
      await pass(900)
      beats.beat()
    }
    expect(stops).toEqual([])
    await pass(5_000)
    expect(stops).toEqual([10_000])
  })

  test('has nothing to say while a pause holds its program', async () => {
    let deadlineAt: number | null = 1_000_000
    const { stops, pass } = listening(() => deadlineAt)
    deadlineAt = null
    await pass(60_000)
    expect(stops).toEqual([])
    deadlineAt = 1_000_000
    await pass(5_000)
    expect(stops).toHaveLength(1)
  })

  test('is listened to no more once it has ended', async () => {
    const { beats, stops, pass } = listening()
    beats.cancel()
    await pass(5_000)
    expect(stops).toEqual([])
    expect(beats.fellSilent()).toBe(false)
  })
})

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

describe.each(Object.entries(sceneStores))('a silent step on %s', (_name, open) => {
  it('times out, is tried again as its policy says, and fails as a timeout', async () => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    await scene.launch()
    const id = await scene.start({
      nodes: {
        a: {
          kind: 'debug',
          parameters: { sleepMs: 60_000 },
          timeout: { heartbeatMs: 2_000 },
          retry: { maxAttempts: 2, delayMs: 0, jitter: 0 },
        },
      },
      edges: {},
    })
    await scene.pass(30_000)
    const run = await scene.run(id)
    expect(run).toMatchObject({ status: 'TIMED_OUT', error: { code: 'task_timeout' } })
    expect(run.error?.message).toBe('“a” said nothing for 2000 ms.')
    const attempts = await scene.store.load(0, 'attempts', { runId: id, invocationId: null })
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['timed-out', 'timed-out'])
  })
})
