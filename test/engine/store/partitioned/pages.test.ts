/** Lists over partitions: one order, nothing twice, nothing left out, from any place. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { accept } from '../../../conformance/scene.ts'
import { anInvocation, aRun, start, starting } from '../../../conformance/story.ts'

async function storeWith(count: number, raw = createMemoryStore({ partitions: 5 })): Promise<Store> {
  const store = createPartitionedStore(raw)
  for (let index = 0; index < count; index += 1) {
    const run = aRun({ name: `run_${String(index).padStart(4, '0')}`, createdAt: start + index })
    await accept(store, starting(run, [anInvocation(run, 'n', { registeredAt: start + index })]))
  }
  return store
}

const filter = { statuses: null, workflowId: null, includeCore: true }

async function pagesOf(store: Store, limit: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly id: string }[] = await store.list(0, 'runs', {
      filter,
      page: { after, limit },
    })
    ids.push(...page.map(({ id }) => id))
    after = page.at(-1)?.id ?? null
    if (page.length < limit) return ids
  }
}

it('runs come newest first over all partitions, whatever the page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (count, limit) => {
        const store = await storeWith(count)
        const ids = await pagesOf(store, limit)
        expect(ids).toEqual([...ids].sort().reverse())
        expect(ids).toHaveLength(count)
      },
    ),
    { numRuns: 40 },
  )
})

it('a page goes on after a run that another reader’s page ended with', async () => {
  const raw = createMemoryStore({ partitions: 5 })
  const reader = await pagesOf(await storeWith(30, raw), 7)
  // This one has given no page: it has to find the place.
  const other = createPartitionedStore(raw)
  const page = await other.list(0, 'runs', { filter, page: { after: reader[11] ?? null, limit: 5 } })
  expect(page.map(({ id }) => id)).toEqual(reader.slice(12, 17))
})

it('what services sweep through comes whole, page by page', async () => {
  const store = await storeWith(23)
  const seen: string[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly { readonly id: string }[] = await store.list(0, 'work', {
      filter: { statuses: ['REGISTERED'], pool: null },
      page: { after, limit: 4 },
    })
    seen.push(...page.map(({ id }) => id))
    after = page.at(-1)?.id ?? null
    if (page.length < 4) break
  }
  expect(new Set(seen).size).toBe(23)
  expect(seen).toHaveLength(23)
})

it('what is gone has nothing behind it', async () => {
  const store = await storeWith(3)
  expect(await store.list(0, 'runs', { filter, page: { after: 'run_never', limit: 5 } })).toEqual([])
})

it('a blob that any partition names stays, and one that none names goes', async () => {
  const raw = createMemoryStore({ partitions: 5, now: () => start })
  const store = createPartitionedStore(raw)
  const [named, unnamed] = await Promise.all([
    store.putBlob(new Uint8Array([1])),
    store.putBlob(new Uint8Array([2])),
  ])
  const run = aRun({ name: 'r~p3', input: { kind: 'blob', hash: named, bytes: 1 } })
  await accept(store, starting(run))
  const request = { partition: 0, endedBefore: null, keep: null, blobsBefore: start + 1, limit: 10 }
  expect(await store.prune(request)).toEqual({ runs: 0, blobs: 1, more: false })
  expect(await store.getBlob(named)).toEqual(new Uint8Array([1]))
  await expect(store.getBlob(unnamed)).rejects.toMatchObject({ code: 'blob_missing' })
})

it('a page goes on where one of its partitions lost the run that it had ended with', async () => {
  const memory = createMemoryStore({ partitions: 5 })
  const gone = new Set<string>()
  const raw: RawStore = {
    ...memory,
    // Pruned: neither listed nor a place any more.
    load: async (partition, kind, input) => {
      const found = await memory.load(partition, kind, input)
      return kind === 'run' && gone.has((input as { readonly runId: string }).runId) ? null : found
    },
    async list(partition, kind, query) {
      const { after, limit } = query.page
      if (after !== null && gone.has(after)) return []
      const all = await memory.list(partition, kind, { ...query, page: { after: null, limit: 1_000 } })
      const there = all.filter((item) => !('id' in item) || !gone.has(item.id))
      const from = there.findIndex((item) => 'id' in item && item.id === after) + 1
      return there.slice(from, from + limit)
    },
  }
  const store = await storeWith(40, raw)
  const all = (await store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })).map(({ id }) => id)
  const first = (await store.list(0, 'runs', { filter, page: { after: null, limit: 15 } })).map(
    ({ id }) => id,
  )
  // All but the last of the page are pruned meanwhile, and so are the places of most partitions.
  for (const id of first.slice(0, -1)) gone.add(id)
  const page = { after: first.at(-1) ?? null, limit: 100 }
  const rest = (await store.list(0, 'runs', { filter, page })).map(({ id }) => id)
  expect([...first, ...rest]).toEqual(all)
})
