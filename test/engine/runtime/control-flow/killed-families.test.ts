/** Families of runs whose engines die at random places, again and again: as if nothing had happened. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { runMachine } from '../../../../src-engine/model/run-status.ts'
import { failpointNames } from '../../../../src-engine/runtime/failpoints.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import type { RandomSource } from '../../../support/random-source.ts'
import { createRandomSource } from '../../../support/random-source.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const seeds = 8
const killsMax = 3

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const call = (workflow: string, more: JsonObject = {}): JsonObject => ({
  kind: 'sub-workflow',
  parameters: { workflow },
  ...more,
})
const pause = { kind: 'delay', parameters: { amount: 200, unit: 'milliseconds' } }

/** Each item has a child that has a child; what they emit comes back to the run that waits, or will. */
const family = documentOf({
  nodes: {
    each: { kind: 'map', parameters: { limit: 2 } },
    child: call('child', { parent: 'each' }),
    sum: transform('$sum(input)'),
    emit: { kind: 'emit-event', parameters: { name: 'done', run: '{{ run.id }}' } },
    told: { kind: 'wait-signal', parameters: { name: 'done' } },
  },
  edges: edgesOf('each>sum', 'sum>emit', 'emit>told'),
})
const child = documentOf({
  id: 'child',
  nodes: { pause, inner: call('inner'), plus: transform('input + 1') },
  edges: edgesOf('pause>inner', 'inner>plus'),
})
const inner = documentOf({ id: 'inner', nodes: { double: transform('input * 2') } })
const request = { document: family, input: [1, 2, 3], requestId: 'family', baseDirectory: null }
const id: RunId = runId('run_req_family')

/** Engines that die at random places, one after the other, each after a while at the latest. */
async function kill(here: FlowScene, random: RandomSource, act: (here: FlowScene) => void): Promise<void> {
  const kills = 1 + random.below(killsMax)
  for (let count = 0; count < kills; count += 1) {
    here.passed.clear()
    await here.launch({ name: random.pick(failpointNames), nth: 1 + random.below(6) })
    here.engine.startRun(request).catch(() => null)
    await here.pass(random.below(500))
    act(here)
    await here.pass(random.below(300))
    here.crash()
  }
  here.passed.clear()
  await here.launch()
  await here.within(here.engine.startRun(request))
}

async function familyOf(here: FlowScene): Promise<readonly RunRecord[]> {
  const filter = { statuses: null, workflowId: null, includeCore: false }
  return here.store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })
}

async function expectRest(here: FlowScene, runs: readonly RunRecord[]): Promise<void> {
  expect(runs.filter(({ status }) => !runMachine.final.has(status))).toEqual([])
  const page = { after: null, limit: 100 }
  const filter = { dueBefore: Number.MAX_SAFE_INTEGER }
  expect(await here.store.list(0, 'outbox', { filter, page })).toEqual([])
}

describe.each(Object.entries(sceneStores))('killed families on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    made.workflows.set('child', { document: child, folder: null })
    made.workflows.set('inner', { document: inner, folder: null })
    return made
  }

  it('end with the output that they would have had, each run once [C50]', async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const here = await scene()
      await kill(here, createRandomSource(`family ${seed}`), () => {})
      await here.pass(2_000)
      const runs = await familyOf(here)
      expect([seed, (await here.run(id)).status, await here.outputOf(id)]).toEqual([seed, 'SUCCEEDED', 15])
      expect([seed, runs.length]).toEqual([seed, 7])
      await expectRest(here, runs)
    }
  })

  it('are cancelled to the last of them, whenever the first one is', async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const here = await scene()
      const cancel = (): void => void here.engine.cancelRun(id).catch(() => null)
      await kill(here, createRandomSource(`cancelled ${seed}`), cancel)
      await here.within(here.engine.cancelRun(id))
      await here.pass(2_000)
      const runs = await familyOf(here)
      await expectRest(here, runs)
      const parent = await here.run(id)
      if (parent.status === 'SUCCEEDED') continue
      expect([seed, parent.status]).toEqual([seed, 'CANCELLED'])
    }
  })
})
