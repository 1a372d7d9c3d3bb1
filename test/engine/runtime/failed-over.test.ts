/** What an engine saw before a failover counts no more: a partition that lost some of it gives the same versions again. */

import { afterEach, expect, it } from 'vitest'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { second } from '../../../src-engine/model/time.ts'
import type { Records } from '../../../src-engine/store/memory/memory-records.ts'
import { noRecords } from '../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

function aStore() {
  const records = noRecords(0)
  const store = createMemoryStore({ records: [records] })
  stores.push(store)
  /** Another server leads. */
  const failOver = (): void => {
    const epochs: number[] = store.info.epochs as number[]
    epochs[0] = records.head.epoch + 1
    records.head = { ...records.head, epoch: records.head.epoch + 1, seq: 0 }
  }
  return { records, store, failOver }
}

const onlyRun = ({ runs }: Records): RunRecord => {
  const [run] = runs.values()
  if (run === undefined) throw new Error('there is no run')
  return run
}

it('a run in memory is looked at again, though its version is still the same', async () => {
  const { records, store, failOver } = aStore()
  const here = new EnginesScene(store)
  await here.launch()
  const id = await here.start(
    documentOf({ nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } }, edges: edgesOf('a>b') }),
  )
  await here.pass(second)
  // Somebody else has made the run's last change in another way, for the first was lost.
  records.runs.set(id, { ...onlyRun(records), tenant: 'another' })
  failOver()
  await here.end()
  await here.end()
  expect(await here.run(id)).toMatchObject({ status: 'SUCCEEDED', tenant: 'another' })
})

it('what a run means for another is not done with while what it is from is lost', async () => {
  const { records, store, failOver } = aStore()
  let hidden: RunRecord | null = null
  const forgetful: Store = {
    ...store,
    load: async (partition, kind, input) => {
      const found = await store.load(partition, kind, input)
      const isEndOfChild = kind === 'run' && [...records.outbox.keys()].some((id) => id.startsWith('ended:'))
      const run = isEndOfChild ? (found as RunRecord | null) : null
      if (hidden !== null || run === null || run.parentRunId === null) return found
      // For a moment it never was; then its author has brought it back.
      hidden = run
      failOver()
      return null
    },
  }
  const here = new FlowScene(forgetful)
  const child = { id: 'child', title: 'Child', nodes: { a: { kind: 'noop' } } }
  here.workflows.set('child', { document: documentOf(child), folder: null })
  await here.launch()
  const id = await here.start({ nodes: { sub: { kind: 'sub-workflow', parameters: { workflow: 'child' } } } })
  await here.pass(10 * second)
  expect(hidden).not.toBeNull()
  expect((await here.run(id)).status).toBe('SUCCEEDED')
})
