/** A run is read before its steps: what a failover between the two takes back is waited for. */

import { expect, it } from 'vitest'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { completed } from '../../../src-engine/tasks/task.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'
import { aFailingOverStore } from './failed-over-store.ts'

it('a step whose run was read before a failover, and whose steps were after it, begins with what it builds on', async () => {
  const { records, store, failOver } = aFailingOverStore()
  let asked: Promise<unknown> | null = null
  let lost: readonly InvocationRecord[] | null = null
  const got: unknown[] = []
  const here = new FlowScene({
    ...store,
    commit: async (partition, checkpoints) => {
      const answers = await store.commit(partition, checkpoints)
      const runId = checkpoints.find((one) => one.opId.startsWith('end:') && one.opId.includes('/first:'))
        ?.expect.run?.id
      if (runId === undefined || asked !== null) return answers
      // While that is answered somebody asks for something, and finds that what is in memory is of another epoch.
      failOver()
      const by = { nodeId: null, by: 'ada', reason: null, wait: false }
      asked = here.engine.controlRun({ runId, action: 'resume', ...by }).catch(() => null)
      return answers
    },
    load: async (partition, what, given) => {
      const found = await store.load(partition, what, given)
      if (what !== 'run' || asked === null || lost !== null) return found
      lost = [...records.invocations.values()]
      records.invocations.clear()
      failOver()
      return found
    },
    confirm: async () => {
      for (const record of lost ?? []) records.invocations.set(record.id, record)
    },
  })
  here.instead.set('ask-model', {
    execute: async (_parameters, { input }) => {
      got.push(input)
      return completed(got.length)
    },
  })
  await here.launch()
  const ask = { kind: 'ask-model', parameters: { model: 'm' } }
  await here.play({ nodes: { first: ask, second: ask }, edges: edgesOf('first>second') }, { a: 1 })
  expect([got, lost !== null]).toEqual([[{ a: 1 }, 1], true])
  await store.close()
})
