/** Keys of occurrences: whether one with the same key came before, and what is known of that. */

import { expect, test } from 'vitest'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import { lookForKey } from '../../../../src-engine/runtime/triggers/occurrence-keys.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'

const now = 10_000

/** The key that its expression gives, with what is known of that key. */
function look(of: {
  readonly key: JsonValue
  readonly mark?: JsonValue
  readonly id?: string
  readonly text?: string
}) {
  const { key, mark, id = 'second', text = 'event.payload.order' } = of
  const load = (async () => (mark === undefined ? null : { version: 4, value: mark })) as Store['load']
  const event = { id, name: 'paid', correlation: null, payload: {}, at: '', source: null }
  const parts = {
    store: { ...createMemoryStore(), load },
    partition: 0,
    clock: { now: () => now },
    ids: { next: () => '1' },
    host: {
      specsByKind: taskSpecsByKind,
      resolver: { resolveParameters: async () => ({ expression: key }) },
    },
  }
  const parameters = { key: text, keyMs: 500 }
  return lookForKey(parts, { name: { workflowId: 'w' as never, triggerId: 't' }, parameters, id, event })
}

const known = (until: number) => ({ id: 'first', at: 9_000, until })

test('the first with its key counts, and keeps it for as long as it says', async () => {
  const found = await look({ key: 'k' })
  expect(found).toMatchObject({
    kind: 'counts',
    mark: { value: { id: 'second', at: now, until: now + 500 }, dueAt: now + 500 },
  })
})

test('one whose key is known starts nothing, until that is over', async () => {
  expect(await look({ key: 'k', mark: known(now + 1) })).toMatchObject({
    kind: 'not',
    skip: { reason: 'repeated' },
  })
  expect(await look({ key: 'k', mark: known(now) })).toMatchObject({
    kind: 'counts',
    mark: { value: { id: 'second' } },
  })
})

test('what is delivered once more is no repeat of itself, and keeps its key no longer for that', async () => {
  const mark = known(now + 1)
  expect(await look({ key: 'k', mark, id: 'first' })).toMatchObject({ kind: 'counts', mark: { value: mark } })
})

test('one without a key counts each time', async () => {
  expect(await look({ key: null, mark: known(now + 1) })).toEqual({ kind: 'counts', mark: null })
  expect(await look({ key: 'k', mark: known(now + 1), text: ' ' })).toEqual({ kind: 'counts', mark: null })
})
