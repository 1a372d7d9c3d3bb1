/** Delays: they hold nothing, outlive the process, and end each at its own instant, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

/** What a delay of one takes. */
const spanMs = 120_000

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const delay = (spans = 1): JsonObject => ({
  kind: 'delay',
  parameters: { amount: 2 * spans, unit: 'minutes' },
})

describe.each(Object.entries(sceneStores))('delays on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }

  it('a delay waits with its instant, also when asked early, and then goes on [S19]', async () => {
    const here = await scene()
    const run = await here.start(
      { nodes: { wait: delay(), b: transform('input') }, edges: edgesOf('wait>b') },
      7,
    )
    await here.pass(1_000)
    const began = here.world.now
    const [parked] = (await here.engine.snapshot(run)).invocations
    expect(parked).toMatchObject({ status: 'WAITING', lease: null })
    expect((parked?.notBefore ?? 0) - began).toBeLessThanOrEqual(spanMs)
    expect((await here.run(run)).status).toBe('WAITING')
    here.crash()
    await here.launch()
    await here.pass(spanMs / 2)
    expect(await here.statuses(run)).toEqual({ wait: 'WAITING' })
    await here.pass(spanMs)
    expect(await here.outputOf(run)).toBe(7)
  })

  it('delays hand on what they got, in a row and as the last step [S20] [S21]', async () => {
    const here = await scene()
    const nodes = { a: delay(), b: delay(2), c: delay(3) }
    const value = { any: ['thing', null, 0, false] }
    const run = await here.start({ nodes, edges: edgesOf('a>b', 'b>c') }, value)
    await here.pass(6 * spanMs - 10_000)
    expect(await here.statuses(run)).toMatchObject({ a: 'SUCCESS', b: 'SUCCESS', c: 'WAITING' })
    await here.pass(20_000)
    expect(await here.outputOf(run)).toEqual(value)
  })

  it('a delay in a chain goes on after a crash, with another runner and no step twice [S9] [S44]', async () => {
    const here = await scene()
    const nodes = { a: transform('input + 1'), wait: delay(), b: transform('input * 2') }
    const run = await here.start({ nodes, edges: edgesOf('a>wait', 'wait>b') }, 1)
    await here.pass(1_000)
    here.crash()
    await here.launch()
    await here.pass(spanMs + 10_000)
    expect(await here.outputOf(run)).toBe(4)
    expect((await here.executions(run)).filter(([node]) => node === 'a')).toHaveLength(1)
  })

  it('delays that became due while all was down fire at the start, later ones in time, each once [C59] [G22]', async () => {
    const here = await scene()
    const nodes = { short: delay(1), long: delay(5), a: transform('"a"'), b: transform('"b"') }
    const run = await here.start({ nodes, edges: edgesOf('short>a', 'long>b') }, null)
    await here.pass(1_000)
    here.crash()
    await here.pass(2 * spanMs)
    expect(await here.statuses(run)).toEqual({ short: 'WAITING', long: 'WAITING' })
    await here.launch()
    await here.pass(1_000)
    expect(await here.statuses(run)).toEqual({ short: 'SUCCESS', long: 'WAITING', a: 'SUCCESS' })
    await here.pass(3 * spanMs)
    expect(await here.outputOf(run)).toEqual({ a: 'a', b: 'b' })
    expect((await here.executions(run)).filter(([node]) => node === 'a' || node === 'b')).toHaveLength(2)
  })

  it('a cancel reaches a run that is in a delay [S12] [T9]', async () => {
    const here = await scene()
    const run = await here.start({ nodes: { wait: delay(), b: transform('1') }, edges: edgesOf('wait>b') })
    await here.pass(1_000)
    expect(await here.within(here.engine.cancelRun(run))).toBe('CANCELLED')
    expect(await here.statuses(run)).toEqual({ wait: 'CANCELLED' })
    await here.pass(2 * spanMs)
    expect(await here.statuses(run)).toEqual({ wait: 'CANCELLED' })
  })

  it('of a fork with a delayed branch the others finish, and only the delayed one goes on later [S22]', async () => {
    const here = await scene()
    const nodes = {
      a: transform('"a"'),
      wait: delay(),
      b: transform('"b"'),
      late: transform('"late"'),
      join: { kind: 'join' },
    }
    const edges = edgesOf('wait>late', 'a>join', 'b>join', 'late>join')
    const run = await here.start({ nodes, edges }, null)
    await here.pass(1_000)
    const before = await here.executions(run)
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'SUCCESS', wait: 'WAITING' })
    here.crash()
    await here.launch()
    await here.pass(spanMs)
    expect(await here.outputOf(run)).toEqual({ a: 'a', b: 'b', late: 'late' })
    const after = await here.executions(run)
    expect(after.filter(([node]) => node === 'a' || node === 'b')).toEqual(
      before.filter(([node]) => node === 'a' || node === 'b'),
    )
  })

  it('a join of several delayed branches waits for the last of them [S23]', async () => {
    const here = await scene()
    const nodes = { a: delay(1), b: delay(3), c: delay(2), join: { kind: 'join' } }
    const run = await here.start({ nodes, edges: edgesOf('a>join', 'b>join', 'c>join') }, 1)
    await here.pass(2.5 * spanMs)
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'WAITING', c: 'SUCCESS' })
    await here.pass(spanMs)
    expect(await here.outputOf(run)).toEqual({ a: 1, b: 1, c: 1 })
  })

  it('a run that begins with branches gives each of them its input, also after a crash midway [T14]', async () => {
    const here = await scene()
    const nodes = {
      a: transform('input.n + 1'),
      wait: delay(),
      b: transform('input.n + 2'),
      c: transform('input'),
    }
    const run = await here.start({ nodes, edges: edgesOf('wait>b') }, { n: 5 })
    await here.pass(1_000)
    here.crash()
    await here.launch()
    await here.pass(spanMs + 10_000)
    expect(await here.outputOf(run)).toEqual({ a: 6, b: 7, c: { n: 5 } })
  })
})
