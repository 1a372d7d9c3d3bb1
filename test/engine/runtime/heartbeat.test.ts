/** Which leases a heartbeat renews. */

import { expect, test } from 'vitest'
import { invocationId, runId } from '../../../src-engine/model/ids.ts'
import { createExecutions } from '../../../src-engine/runtime/execution.ts'
import { createHeartbeat } from '../../../src-engine/runtime/heartbeat.ts'
import { sceneSettings } from './permits/scene-settings.ts'

const work = (id: string) => {
  return { runId: runId('r'), invocationId: invocationId(`r/${id}`), fence: { epoch: 1, counter: 1 } }
}

test('a step that runs ahead of its claim is not asked for: the store would say that it is lost', async () => {
  const executions = createExecutions()
  const [claimed, ahead] = [executions.open(work('a')), executions.open({ ...work('b'), ahead: true })]
  const renewed: string[] = []
  const beat = () =>
    createHeartbeat({
      clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
      executions,
      executor: { failpoints: () => undefined },
      settings: sceneSettings({}),
      secrets: null,
      driver: null,
      row: () => ({}),
      store: {
        renew: async ({ leases }: { readonly leases: readonly { readonly invocationId: string }[] }) => {
          renewed.push(leases.map((lease) => lease.invocationId).join(' '))
          const held = new Set(['r/a', ...(ahead.claim() === 'durable' ? ['r/b'] : [])])
          const lost = leases.flatMap((lease) => (held.has(lease.invocationId) ? [] : [lease.invocationId]))
          return { lost, cancelRequested: [] }
        },
      },
    } as never).beat()
  expect(await beat()).toBe(true)
  ahead.settleClaim('durable')
  expect(await beat()).toBe(true)
  expect(renewed).toEqual(['r/a', 'r/a r/b'])
  expect([claimed.stopReason(), ahead.stopReason()]).toEqual([null, null])
})
