/** What a look tells of that was taken while it was under way. */

import { expect, it } from 'vitest'
import { invocationId, runId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { Runner, RunnerDependencies } from '../../../../src-engine/runtime/runner.ts'
import { createOfferedWork } from '../../../../src-engine/runtime/take-offered.ts'

const id = invocationId('run_1/a')
const found = { id, runId: runId('run_1'), version: 1 } as InvocationRecord

/** Work whose decision comes to this, once it is answered. */
function scene(decision: object | null) {
  const answered = Promise.withResolvers<object | null>()
  let inFlight = 0
  const claimed: string[] = []
  const dependencies = {
    book: {
      decide: () => {
        inFlight += 1
        return answered.promise
      },
      inFlight: () => inFlight,
      cachedState: () => ({ invocations: new Map([[id, { status: 'RUNNING' }]]) }),
    },
    store: { info: { partitions: [{}], epochs: [1] } },
    executor: { failpoints() {} },
    settings: {},
  } as unknown as RunnerDependencies
  const runner = { executeRest() {} } as unknown as Runner
  const offered = createOfferedWork(dependencies, runner, async (record) => void claimed.push(record.id))
  return {
    offered,
    claimed,
    answer: () => {
      inFlight -= 1
      answered.resolve(decision)
    },
  }
}

it('is passed by until the next look begins, though its commit is answered', async () => {
  const { offered, answer } = scene({})
  offered.beginLook()
  expect(offered.isUnderWay(id)).toBe(false)
  const taking = offered.take(found)
  expect(offered.isUnderWay(id)).toBe(true)
  answer()
  await taking
  expect(offered.isUnderWay(id)).toBe(true)
  offered.beginLook()
  expect(offered.isUnderWay(id)).toBe(false)
})

it('is claimed where nothing came of it, and found by whoever looks', async () => {
  const { offered, claimed, answer } = scene(null)
  const taking = offered.take(found)
  answer()
  await taking
  expect([claimed, offered.isUnderWay(id)]).toEqual([[id], false])
})
