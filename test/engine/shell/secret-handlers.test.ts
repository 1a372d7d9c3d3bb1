/** Which published versions name which secrets. */

import { expect, test } from 'vitest'
import { noWrites } from '../../../src-engine/model/checkpoint.ts'
import { definitionHash, opId, runnerId, workflowId } from '../../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../../src-engine/model/limits.ts'
import type { HandlerDeps } from '../../../src-engine/shell/handlers/contract.ts'
import { secretHandlers } from '../../../src-engine/shell/handlers/secrets.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

const version = (id: string, number: number, text: string) => ({
  hash: definitionHash(`w1_${number.toString(16).padStart(64, '0')}`),
  workflowId: workflowId(id),
  title: id,
  document: JSON.stringify({ nodes: { a: { kind: 'log', parameters: { message: text } } } }),
  publishedAt: number,
})

test('the newest version of a workflow counts, however often another was published since', async () => {
  const store = createMemoryStore()
  const often = Array.from({ length: pageSizeMax + 1 }, (_, index) => version('often', index + 2, '1'))
  const workflowVersions = [
    version('once', 0, '{{ secrets.OLD }}'),
    version('once', 1, '{{ secrets.KEY }}'),
    ...often,
  ]
  const [answer] = await store.commit(0, [
    {
      partition: 0,
      opId: opId('publish'),
      actor: { kind: 'operator', id: runnerId('r') },
      at: 0,
      expect: { invocations: [], registers: [] },
      writes: { ...noWrites, workflowVersions },
      events: [],
    },
  ])
  expect(answer?.kind).toBe('accepted')
  // Only what is asked for users is there.
  const deps = { engine: { store }, library: { list: async () => [] } } as unknown
  const { published } = await secretHandlers(deps as HandlerDeps)['secrets.users']({})
  expect(published).toMatchObject([{ name: 'KEY', title: 'once', publishedAt: 1 }])
})
