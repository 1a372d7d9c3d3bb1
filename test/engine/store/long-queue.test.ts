/** More runs than a SQLite store keeps in memory: what is forgotten is read again, whole and in its order. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeId } from '../../../src-engine/model/ids.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Claimed, Store } from '../../../src-engine/store/store.ts'
import { accept, theRun } from '../../conformance/scene.ts'
import { aClaim, anInvocation, aRun, registering, start, starting } from '../../conformance/story.ts'

const many = 3_000
const runOf = (index: number) => aRun({ name: `r${String(index).padStart(5, '0')}` })

let store: Store
beforeEach(async () => {
  const clock = { now: () => start, after: () => () => undefined }
  store = await openSqliteStore({ directory: ':memory:', storeId: storeId('s'), clock })
  const runs = Array.from({ length: many }, (_, index) => runOf(index))
  await accept(store, ...runs.map((run) => starting(run, [anInvocation(run, 'a'), anInvocation(run, 'b')])))
})
afterEach(() => store.close())

async function claimAll(limit: number): Promise<readonly Claimed[]> {
  const all: Claimed[] = []
  for (;;) {
    const { claimed } = await store.claim(aClaim('a', { limit }))
    if (claimed.length === 0) return all
    all.push(...claimed)
  }
}

test('a long queue is claimed once, in its order, with the runs as they are', async () => {
  const claimed = await claimAll(70)
  const ids = claimed.map(({ invocation }) => invocation.id)
  expect(ids).toHaveLength(2 * many)
  expect(ids).toEqual([...ids].toSorted())
  expect(new Set(ids).size).toBe(2 * many)
  expect(claimed.find(({ run, invocation }) => run.id !== invocation.runId)).toBeUndefined()
  const first = await store.load(0, 'invocations', { runId: runOf(0).id })
  expect(first).toEqual(claimed.slice(0, 2).map(({ invocation }) => invocation))
})

test('a run that was forgotten gets new work beside what it has', async () => {
  const run = await theRun(store, runOf(0).id)
  await accept(store, registering(run, [anInvocation(run, 'c')]))
  const listed = await store.list(0, 'work', {
    filter: { statuses: ['REGISTERED'], pool: null },
    page: { after: null, limit: 3 },
  })
  expect(listed.map(({ id }) => id)).toEqual([`${run.id}/a`, `${run.id}/b`, `${run.id}/c`])
  const mine = (await claimAll(500)).filter(({ invocation }) => invocation.runId === run.id)
  expect(mine).toHaveLength(3)
})

test('what a fetch found a claim by its ids then takes', async () => {
  const fetched = await store.fetch(aClaim('a', { limit: 20 }))
  const { claimed } = await store.claim(
    aClaim('a', { limit: 20, invocationIds: fetched.map(({ id }) => id) }),
  )
  expect(claimed.map(({ invocation }) => invocation.id)).toEqual(fetched.map(({ id }) => id))
})
