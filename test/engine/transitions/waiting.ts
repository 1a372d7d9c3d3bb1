/** What waits, and results that are held back. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from '../runtime/control-flow/flow-scene.ts'
import { chain, OutputScene, pausing, rule, secretKey } from '../runtime/output-policy/output-scene.ts'
import type { Scenario } from './scenario.ts'
import { minute, second, twice } from './scenario.ts'

/** The product's own tasks on one engine. */
async function flow(store: Store): Promise<FlowScene> {
  const scene = new FlowScene(store)
  await scene.launch()
  return scene
}

const give: JsonObject = { kind: 'transform', parameters: { expression: '1' } }
const failing: JsonObject = { kind: 'debug', parameters: { failTimes: 99 } }
const calling = (more: JsonObject = {}): JsonObject => ({
  kind: 'sub-workflow',
  parameters: { workflow: 'inner', input: '{}', mode: 'wait' },
  ...more,
})

const waits: readonly Scenario[] = [
  {
    name: 'a loop takes its next turn',
    reaches: ['WAITING > REROUTED'],
    play: async (store) => {
      const scene = await flow(store)
      await scene.play({
        nodes: {
          each: { kind: 'loop', parameters: { mode: 'until', condition: 'turn >= 1', max: 3 } },
          step: { kind: 'transform', parameters: { expression: 'input' }, parent: 'each' },
        },
      })
    },
  },
  {
    name: 'the run that a step waits for fails, and the step is tried again, then fails',
    reaches: ['WAITING > RETRY', 'WAITING > FAILED', 'run WAITING > RUNNING'],
    play: async (store) => {
      const scene = await flow(store)
      scene.workflows.set('inner', {
        document: documentOf({ id: 'inner', nodes: { a: failing } }),
        folder: null,
      })
      await scene.play({ nodes: { sub: calling({ retry: twice }) } })
      await scene.pass(minute)
    },
  },
  {
    name: 'a signal doesn’t come in time',
    reaches: ['WAITING > TIMEOUT'],
    play: async (store) => {
      const scene = await flow(store)
      const parameters = { name: 'go', onTimeout: 'fail', amount: 10, unit: 'seconds' }
      await scene.play({ nodes: { wait: { kind: 'wait-signal', parameters } } })
      await scene.pass(minute)
    },
  },
  {
    name: 'a wait is cancelled with its run',
    reaches: ['WAITING > CANCELLED'],
    play: async (store) => {
      const scene = await flow(store)
      const run = await scene.start({ nodes: { wait: { kind: 'wait-signal', parameters: { name: 'go' } } } })
      await scene.pass(second)
      await scene.within(scene.engine.cancelRun(run))
      await scene.pass(second)
    },
  },
]

const children: readonly Scenario[] = [
  {
    name: 'what undoes a sub-workflow waits until that is rolled back',
    reaches: ['REROUTED > WAITING'],
    play: async (store) => {
      const scene = await flow(store)
      const pay = { ...give, sideEffect: 'idempotent', compensation: { task: give } }
      scene.workflows.set('inner', { document: documentOf({ id: 'inner', nodes: { pay } }), folder: null })
      await scene.play({ nodes: { sub: calling(), b: failing }, edges: edgesOf('sub>b') })
    },
  },
  {
    name: 'the time of a run is over in line, for it is that of its parent',
    reaches: ['run CREATED > TIMED_OUT'],
    play: async (store) => {
      const scene = await flow(store)
      const inner = { id: 'inner', nodes: { slow: { kind: 'debug', parameters: { sleepMs: 10 * minute } } } }
      const parts = { ...inner, settings: { concurrency: { limit: 1 } } }
      scene.workflows.set('inner', { document: documentOf(parts), folder: null })
      await scene.start(parts)
      await scene.start({ nodes: { sub: calling() }, settings: { timeoutMs: minute } })
      await scene.pass(2 * minute)
    },
  },
]

const held: readonly Scenario[] = [
  {
    name: 'a result is held back before anybody sees it',
    reaches: ['RUNNING > OUTPUT_QUARANTINED'],
    play: async (store) => {
      const scene = await OutputScene.judging(store, [rule('quarantine', { outputSizeGt: 100 })])
      await scene.play(chain, { text: 'x'.repeat(200) })
    },
  },
  {
    name: 'a result that was handed on is found to be none to hand on, and a person lets it go',
    reaches: ['SUCCESS > OUTPUT_QUARANTINED', 'OUTPUT_QUARANTINED > SUCCESS'],
    play: async (store) => {
      const scene = await OutputScene.judging(store, [rule('quarantine', { scanners: ['secret'] })])
      const run = await scene.start(pausing, { key: secretKey })
      await scene.pass(minute)
      const decision = { invocationId: scene.id(run, 'a'), by: 'ada', reason: 'It is no key.', goOn: false }
      await scene.within(scene.engine.outputs.quarantine.release(decision))
    },
  },
]

export const waiting: readonly Scenario[] = [...waits, ...children, ...held]
