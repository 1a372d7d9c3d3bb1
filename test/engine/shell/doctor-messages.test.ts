/** What `doctor` says of messages between runs. */

import { expect, test } from 'vitest'
import { noWrites } from '../../../src-engine/model/checkpoint.ts'
import { opId } from '../../../src-engine/model/ids.ts'
import { checkMessages } from '../../../src-engine/shell/commands/doctor-messages.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

test('messages on their way are counted, and told when nobody has had them for long', async () => {
  const store = createMemoryStore()
  const look = (now: number) => checkMessages(store, { messageVisibilityMs: 120_000 }, now)
  expect(await look(0)).toMatchObject({ check: 'messages', verdict: 'ok', hint: null })
  await store.commit(0, [
    {
      partition: 0,
      opId: opId('left'),
      actor: { kind: 'operator', id: null },
      at: 1_000,
      expect: { invocations: [], registers: [{ key: 'test', version: 0 }] },
      writes: {
        ...noWrites,
        registers: [{ key: 'test', value: 1 }],
        outbox: [
          { id: 'a', kind: 'event.emitted', body: {}, dueAt: 1_000 },
          { id: 'b', kind: 'event.emitted', body: {}, dueAt: 2_000 },
        ],
      },
      events: [],
    },
  ])
  const young = await look(120_999)
  expect(young.verdict).toBe('ok')
  expect(young.message).toContain('2 between runs on their way, 0 of them')
  const old = await look(121_000)
  expect(old.verdict).toBe('warn')
  expect(old.message).toContain('1 of them taken by nobody for 2 min')
  expect(old.hint).toContain('engine')
  await store.close()
})
