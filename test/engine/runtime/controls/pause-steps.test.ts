/** A pause of one step says when it is in effect, whatever the step waits for. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { ControlAction, ControlAnswer } from '../../../../src-engine/protocol/run-control.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const minute = 60_000
const slow: JsonObject = { kind: 'debug', parameters: { sleepMs: minute } }

describe.each(Object.entries(sceneStores))('a paused step on %s', (_name, open) => {
  const flow = async (): Promise<FlowScene> => {
    const scene = new FlowScene(await open())
    scenes.push(scene)
    await scene.launch()
    return scene
  }
  const ask = (
    here: FlowScene,
    runId: RunId,
    { action, node }: { readonly action: ControlAction; readonly node: string },
  ): Promise<ControlAnswer> =>
    here.within(
      here.engine.controlRun({ runId, action, nodeId: nodeId(node), by: null, reason: null, wait: false }),
    )

  it('that waits for a signal is in effect at once, and takes the signal when it goes on', async () => {
    const here = await flow()
    const run = await here.start({ nodes: { a: { kind: 'wait-signal', parameters: { name: 'go' } } } })
    await here.pass(1_000)
    expect((await ask(here, run, { action: 'pause', node: 'a' })).inEffectAt).toEqual(expect.any(Number))
    const signal = { messageId: 'm', name: 'go', correlation: null, payload: 7 }
    await here.within(here.engine.sendSignal({ runId: run, ...signal }))
    await here.pass(minute)
    expect(await here.statuses(run)).toEqual({ a: 'WAITING' })
    expect(await whyWaiting(here.store, { runId: run, nodeId: null, now: 0 })).toMatchObject([
      { code: 'paused', until: null, since: expect.any(Number) },
    ])
    await ask(here, run, { action: 'resume', node: 'a' })
    await here.pass(1_000)
    expect(await here.run(run)).toMatchObject({ status: 'SUCCEEDED', output: { json: '7' } })
  })

  it('that is a map is in effect once what its items are at has ended', async () => {
    const here = await flow()
    const run = await here.start(
      {
        nodes: {
          each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
          step: { ...slow, parent: 'each' },
        },
      },
      [1, 2, 3],
    )
    await here.pass(1_000)
    expect((await ask(here, run, { action: 'pause', node: 'each' })).inEffectAt).toBeNull()
    await here.pass(2 * minute)
    expect((await ask(here, run, { action: 'pause', node: 'each' })).inEffectAt).toEqual(expect.any(Number))
    expect(await here.statuses(run)).toMatchObject({
      each: 'WAITING',
      'step@each:0': 'SUCCESS',
      'step@each:2': 'REGISTERED',
    })
    await here.pass(10 * minute)
    expect((await here.run(run)).status).not.toBe('SUCCEEDED')
    await ask(here, run, { action: 'resume', node: 'each' })
    await here.pass(2 * minute)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('that gets another one’s result takes it only when it goes on', async () => {
    const here = new EnginesScene(await open())
    scenes.push({ close: () => here.store.close() })
    await here.launch({ maxConcurrentTasks: 1 })
    const same = documentOf({ nodes: { work: { kind: 'noop', concurrency: { registration: 'TASK' } } } })
    await here.start(documentOf({ nodes: { block: { kind: 'noop', priority: 'CRITICAL' } } }))
    await here.start(same)
    const second = await here.start(same)
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['WAITING'])
    const request = { runId: second, nodeId: nodeId('work'), by: null, reason: null, wait: false }
    expect((await here.control(0, { ...request, action: 'pause' })).inEffectAt).toEqual(expect.any(Number))
    await here.end()
    await here.end()
    await here.pass(minute)
    expect(await here.statuses(second)).toEqual(['WAITING'])
    await here.control(0, { ...request, action: 'resume' })
    await here.pass(minute)
    expect(await here.statuses(second)).toEqual(['SUCCESS'])
  })
})
