/** Breakpoints: a run stops before a step, durably and for itself, and goes on by a step or altogether; on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Breakpoint } from '../../../../src-engine/model/breakpoint.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { replayRun } from '../../../../src-engine/model/replay.ts'
import type { ControlAction } from '../../../../src-engine/protocol/run-control.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const minute = 60_000
const slow: JsonObject = { kind: 'debug', parameters: { sleepMs: 500 } }
const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const at = (node: string, condition: string | null = null): Breakpoint => ({
  nodeId: nodeId(node),
  condition,
})

const line: JsonObject = {
  nodes: { a: transform('input.n + 1'), b: transform('input * 10'), c: transform('input + 3') },
  edges: edgesOf('a>b', 'b>c'),
}

describe.each(Object.entries(sceneStores))('a run with breakpoints on %s', (_name, open) => {
  const flow = async (): Promise<FlowScene> => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    await scene.launch()
    return scene
  }
  const start = async (
    here: FlowScene,
    parts: JsonObject,
    given: { readonly breakpoints: readonly Breakpoint[]; readonly input?: JsonValue },
  ): Promise<RunId> => {
    const { breakpoints, input = { n: 1 } } = given
    const document = documentOf(parts)
    const request = { document, input, requestId: null, baseDirectory: null, breakpoints }
    const { runId } = await here.within(here.engine.startRun(request))
    await here.pass(minute)
    return runId
  }
  const ask = async (here: FlowScene, runId: RunId, wish: ControlAction | `step ${string}`) => {
    const [action, node = null] = wish.split(' ') as [ControlAction, string?]
    const named = { by: 'ada', reason: null, wait: false }
    const step = node === null ? null : nodeId(node)
    const answer = await here.within(here.engine.controlRun({ runId, action, nodeId: step, ...named }))
    await here.pass(minute)
    return answer
  }

  it('stops before the step with a reason, goes on when it is resumed, and stops there once', async () => {
    const here = await flow()
    const run = await start(here, line, { breakpoints: [at('b')] })
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'REROUTED' })
    const stopped = await here.run(run)
    expect(stopped).toMatchObject({ status: 'PAUSED', waitReason: { code: 'breakpoint' } })
    expect(stopped.waitReason?.message).toContain('“b”')
    await ask(here, run, 'resume')
    expect(await here.run(run)).toMatchObject({
      status: 'SUCCEEDED',
      output: { json: '23' },
      waitReason: null,
      pauseRequestedAt: null,
    })
  })

  it('the n-th time only: turns of a loop count, also over a crash and other breakpoints, and it stops once', async () => {
    const here = await flow()
    const third = { ...at('work'), nth: 3 }
    const run = await start(
      here,
      {
        nodes: {
          each: { kind: 'map', parameters: { items: '[1..6]', limit: 1 } },
          work: { ...slow, parent: 'each' },
        },
        edges: edgesOf(),
      },
      { breakpoints: [third, at('each', 'false')] },
    )
    const at3 = await here.run(run)
    expect(at3).toMatchObject({
      status: 'PAUSED',
      breakpoints: [{ ...third, passed: 3 }, at('each', 'false')],
    })
    expect(at3.waitReason?.message).toContain('This is time 3.')
    expect(await here.statuses(run)).toMatchObject({ 'work@each:1': 'SUCCESS', 'work@each:2': 'REROUTED' })
    here.crash()
    await here.launch()
    await here.within(here.engine.setBreakpoints({ runId: run, breakpoints: [third], by: null }))
    expect((await here.run(run)).breakpoints).toEqual([{ ...third, passed: 3 }])
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    const events = await eventsOfRun(here.store, run)
    expect(replayRun(events).run?.breakpoints).toEqual([{ ...third, passed: 3 }])
  })

  it('the n-th time that its condition holds; tries of one step count once', async () => {
    const here = await flow()
    const nodes = {
      each: { kind: 'map', parameters: { items: '[1..6]', limit: 1 } },
      work: {
        kind: 'debug',
        parent: 'each',
        parameters: { failTimes: 1 },
        retry: { maxAttempts: 3, delayMs: 1 },
      },
    }
    const even = { ...at('work', 'item % 2 = 0'), nth: 2 }
    const run = await start(here, { nodes, edges: edgesOf() }, { breakpoints: [even] })
    expect(await here.statuses(run)).toMatchObject({ 'work@each:2': 'SUCCESS', 'work@each:3': 'REROUTED' })
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('steps: each goes on alone, and the run stands before what comes next', async () => {
    const here = await flow()
    const run = await start(here, line, { breakpoints: [at('a'), at('c')] })
    expect(await here.statuses(run)).toEqual({ a: 'REROUTED' })
    await ask(here, run, 'step')
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'REGISTERED' })
    expect((await here.run(run)).waitReason).toMatchObject({
      code: 'breakpoint',
      message: expect.stringContaining('“b”'),
    })
    await ask(here, run, 'step')
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'SUCCESS', c: 'REGISTERED' })
    // It stands before c already: its breakpoint has nothing to add.
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('stops where the condition holds, and only there', async () => {
    const here = await flow()
    const breakpoints = [at('b', 'input > 5')]
    const low = await start(here, line, { breakpoints, input: { n: 1 } })
    const high = await start(here, line, { breakpoints, input: { n: 7 } })
    expect((await here.run(low)).status).toBe('SUCCEEDED')
    expect(await here.run(high)).toMatchObject({
      status: 'PAUSED',
      waitReason: { message: expect.stringContaining('input > 5') },
    })
  })

  it('stops where the condition fails, and says why', async () => {
    const here = await flow()
    const run = await start(here, line, { breakpoints: [at('b', '$number("x") > 1')] })
    expect((await here.run(run)).waitReason?.message).toMatch(/Its condition fails: .+/)
  })

  it('pauses only its own run', async () => {
    const here = await flow()
    const stopped = await start(here, line, { breakpoints: [at('b')] })
    const free = await start(here, line, { breakpoints: [] })
    expect([(await here.run(stopped)).status, (await here.run(free)).status]).toEqual(['PAUSED', 'SUCCEEDED'])
  })

  it('lets what is under way end, holds the rest, and steps one branch alone', async () => {
    const here = await flow()
    const parts = {
      nodes: { f: { kind: 'noop' }, x: slow, y: slow, z: slow, xx: slow, zz: slow },
      edges: edgesOf('f>x', 'f>y', 'f>z', 'x>xx', 'z>zz'),
    }
    const run = await start(here, parts, { breakpoints: [at('y')] })
    const statuses = await here.statuses(run)
    expect(statuses).toMatchObject({ x: 'SUCCESS', y: 'REROUTED', z: 'SUCCESS' })
    expect((await here.run(run)).status).toBe('PAUSED')
    await ask(here, run, 'step y')
    expect(await here.statuses(run)).toMatchObject({ y: 'SUCCESS', xx: 'REGISTERED', zz: 'REGISTERED' })
    await expect(ask(here, run, 'step y')).rejects.toMatchObject({ code: 'step_not_ready' })
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('steps over a map with all of its items, and stops within one at a breakpoint there', async () => {
    const here = await flow()
    const parts = {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 1 } },
        step: { ...transform('input * 2'), parent: 'each' },
        after: transform('input'),
      },
      edges: edgesOf('each>after'),
    }
    const whole = await start(here, parts, { breakpoints: [at('each')], input: [1, 2, 3] })
    await ask(here, whole, 'step')
    expect(await here.statuses(whole)).toMatchObject({ each: 'SUCCESS', after: 'REGISTERED' })
    const inside = await start(here, parts, { breakpoints: [at('step', 'item = 2')], input: [1, 2, 3] })
    expect(await here.statuses(inside)).toMatchObject({ 'step@each:0': 'SUCCESS', 'step@each:1': 'REROUTED' })
    await ask(here, inside, 'resume')
    expect(await here.run(inside)).toMatchObject({ status: 'SUCCEEDED', output: { json: '[2,4,6]' } })
  })

  it('stops before a step that only hands on, and before one that must be tried again only once', async () => {
    const here = await flow()
    const parts = {
      nodes: {
        f: { kind: 'noop' },
        a: { kind: 'debug', parameters: { failTimes: 1 }, retry: { maxAttempts: 3, delayMs: 10 } },
      },
      edges: edgesOf('f>a'),
    }
    const run = await start(here, parts, { breakpoints: [at('f'), at('a')] })
    expect(await here.statuses(run)).toEqual({ f: 'REROUTED' })
    await ask(here, run, 'resume')
    expect(await here.statuses(run)).toMatchObject({ f: 'SUCCESS', a: 'REROUTED' })
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('stays stopped when its engine dies, and goes on with another one', async () => {
    const here = await flow()
    const run = await start(here, line, { breakpoints: [at('b')] })
    here.crash()
    await here.launch()
    await here.pass(30 * minute)
    expect((await here.run(run)).status).toBe('PAUSED')
    await ask(here, run, 'step')
    expect(await here.statuses(run)).toMatchObject({ b: 'SUCCESS', c: 'REGISTERED' })
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    const { state } = { state: replayRun(await eventsOfRun(here.store, run)) }
    expect(state.run?.status).toBe('SUCCEEDED')
  })

  it('is cancelled like any other', async () => {
    const here = await flow()
    const run = await start(here, line, { breakpoints: [at('b')] })
    await ask(here, run, 'cancel')
    expect(await here.run(run)).toMatchObject({ status: 'CANCELLED', waitReason: null })
  })

  it('takes other breakpoints while it is under way, and none once it has ended', async () => {
    const here = await flow()
    const run = await start(here, line, { breakpoints: [at('a')] })
    const request = { runId: run, breakpoints: [at('c')], by: null }
    await here.within(here.engine.setBreakpoints(request))
    await ask(here, run, 'resume')
    expect(await here.statuses(run)).toMatchObject({ b: 'SUCCESS', c: 'REROUTED' })
    await here.within(here.engine.setBreakpoints({ ...request, breakpoints: [] }))
    await ask(here, run, 'resume')
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    await expect(here.within(here.engine.setBreakpoints(request))).rejects.toMatchObject({
      code: 'run_already_final',
    })
  })

  it('a step is refused where nothing stands still', async () => {
    const here = await flow()
    const run = await start(
      here,
      { nodes: { a: { kind: 'wait-signal', parameters: { name: 'go' } } } },
      { breakpoints: [] },
    )
    await expect(ask(here, run, 'step')).rejects.toMatchObject({ code: 'run_not_paused' })
  })
})
