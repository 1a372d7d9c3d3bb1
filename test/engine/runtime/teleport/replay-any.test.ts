/** Whatever a run was, its replay on its own version is the same: joins, races, failures, tries, timeouts. */

import { afterAll, expect, it } from 'vitest'
import { runMachine } from '../../../../src-engine/model/run-status.ts'
import { createExpressionService } from '../../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { replayOf } from '../../../../src-engine/runtime/teleport/replay.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { taskMocksByKind } from '../../../../src-engine/tasks/mocks.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { partitionedOf } from '../../../simulation/stores.ts'
import { createRandomSource } from '../../../support/random-source.ts'
import { randomWorkflow } from '../../../support/random-workflow.ts'
import { pullSceneOn } from './pull-scene.ts'

const expressions = createExpressionService({ clock: systemClock })
afterAll(() => expressions.close())

const runsPerTest = 24

it.each([true, false])('a random workflow whose steps may fail: %s', async (mayFail) => {
  const here = await pullSceneOn(partitionedOf(createMemoryStore({ partitions: 4 })))
  const host = {
    specsByKind: taskSpecsByKind,
    // A step that is really done is a finding.
    runOf: (kind: string) => ({
      execute: () => Promise.reject(new Error(`${kind} was done again`)),
    }),
    resolver: expressions,
    echoService: async () => '',
  }
  for (let seed = 1; seed <= runsPerTest; seed += 1) {
    const parts = randomWorkflow(createRandomSource(String(seed)), { nodesMax: 12, mayFail })
    const id = await here.cluster.start(parts, { seed })
    // Somebody cancels some of them on their way.
    if (seed % 3 === 0) {
      await here.cluster.pass(seed * 100)
      await here.cluster.within(here.cluster.engine.cancelRun(id))
    }
    await here.cluster.pass(120_000)
    const run = await here.cluster.run(id)
    await here.pull(id)
    const store = here.store(id)
    const source = { store, host, validation: {}, kindMocks: taskMocksByKind, clock: systemClock }
    const report = await replayOf(source, { runId: id, document: null, nodeId: null, mocks: null })
    const wrong = report.steps.filter(({ verdict }) => verdict !== 'same' && verdict !== 'open')
    expect({ seed, wrong, end: report.end.differences }).toEqual({ seed, wrong: [], end: [] })
    if (runMachine.final.has(run.status)) expect(report.end.replayed).toBe(run.status)
  }
  await here.close()
})
