/** A demand that only its home still knows, though who stood for it was cancelled: those who waited for it wait on, and then go on. */

import { afterEach, expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import { partitionedOf } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const documentOf = (id: string, work: JsonValue): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes: { work },
    edges: {},
  }) as unknown as WorkflowDocument

const blocker = documentOf('blocker', { kind: 'noop', priority: 'CRITICAL' })
const asking = documentOf('asking', { kind: 'noop', concurrency: { registration: 'TASK' } })

let here: EnginesScene
afterEach(() => here.store.close())

test('who waited for it is woken once, when its home knows it no more', async () => {
  const memory = createMemoryStore({ partitions: 4 })
  let lost = 0
  let commits = 0
  const raw: RawStore = {
    ...memory,
    commit(partition, checkpoints) {
      commits += 1
      // What is woken without end ends here.
      if (commits > 200) here.processes[0]?.die()
      return memory.commit(partition, checkpoints)
    },
    releaseSlots(partition, releases) {
      if (lost > 0 || !releases.some(({ key }) => key.startsWith('reg:')))
        return memory.releaseSlots(partition, releases)
      lost += 1
      return Promise.resolve()
    },
  }
  here = new EnginesScene(partitionedOf(raw))
  await here.launch({ maxConcurrentTasks: 1 })
  await here.start(blocker)
  await here.pass(10)
  const runs: RunId[] = []
  for (let count = 0; count < 3; count += 1) runs.push(await here.start(asking))
  await here.pass(10)
  const [first, ...others] = runs
  const statuses = async () => (await Promise.all(others.map((run) => here.statuses(run)))).flat().sort()
  await here.engines[0]?.cancelRun(first as RunId)
  await here.pass(500)
  expect(lost).toBe(1)
  expect(await statuses()).toEqual(['WAITING', 'WAITING'])
  await here.pass(20_000)
  expect(await statuses()).toEqual(['REROUTED', 'WAITING'])
  const woken = await Promise.all(others.map(async (run) => (await here.history(run)).join(' ')))
  // Once each: one of them stands for the demand now, and the other one waits for that one.
  expect(new Set(woken)).toEqual(new Set(['WAITING REROUTED REROUTED', 'WAITING REROUTED WAITING']))
})
