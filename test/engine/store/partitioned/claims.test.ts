/** Claims over partitions of which some can't be asked. */

import { expect, it } from 'vitest'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import { accept } from '../../../conformance/scene.ts'
import { aClaim, anInvocation, aRun, start, starting } from '../../../conformance/story.ts'

/** A store with a step in each of four partitions, whose claims fail in these. */
async function storeFailingIn(partitions: readonly number[]) {
  const memory = createMemoryStore({ partitions: 4 })
  const raw: RawStore = {
    ...memory,
    claim: async (request) => {
      if (partitions.includes(request.partition)) throw new Error(`no room in ${request.partition}`)
      return memory.claim(request)
    },
  }
  const store = createPartitionedStore(raw, { wholeLookMs: 0 })
  for (const partition of [0, 1, 2, 3]) {
    const run = aRun({ name: `r~p${partition}` })
    await accept(store, starting(run, [anInvocation(run, 'n')]))
  }
  return store
}

it('hands over what was claimed, when another partition fails meanwhile', async () => {
  const store = await storeFailingIn([1, 3])
  const { claimed } = await store.claim(aClaim('a', { limit: 4 }))
  expect(claimed.map(({ invocation }) => invocation.runId).sort()).toEqual(['r~p0', 'r~p2'])
})

it('fails when nothing was claimed, with what went wrong', async () => {
  const store = await storeFailingIn([0, 1, 2, 3])
  await expect(store.claim(aClaim('a', { limit: 4 }))).rejects.toThrow('no room in 0')
})

it('asks for slots once it knows how much there is to claim, and takes no more than it gets', async () => {
  const store = await storeFailingIn([])
  const wanted: number[] = []
  const reserving = (free: number) => (count: number) => {
    wanted.push(count)
    return Math.min(count, free)
  }
  const first = await store.claim({ ...aClaim('a', { limit: 50 }), reserve: reserving(3) })
  expect(first.claimed).toHaveLength(3)
  const none = await store.claim({ ...aClaim('a', { limit: 50 }), reserve: reserving(0) })
  expect(none.claimed).toEqual([])
  const last = await store.claim({ ...aClaim('b', { limit: 50 }), reserve: reserving(9) })
  expect(last.claimed).toHaveLength(1)
  // Nothing is left: nobody asks.
  await store.claim({ ...aClaim('b', { limit: 50 }), reserve: reserving(9) })
  expect(wanted).toEqual([4, 1, 1])
})

it('leaves to the runner what that takes by itself, and counts it among its slots', async () => {
  const store = await storeFailingIn([])
  const wanted: number[] = []
  const request = {
    ...aClaim('a', { limit: 3 }),
    reserve: (count: number) => (wanted.push(count), Math.min(count, 3)),
    takes: ({ runId }: { readonly runId: string }) => runId === 'r~p0' || runId === 'r~p1',
  }
  const { claimed, offered } = await store.claim(request)
  expect(offered?.map(({ runId, status }) => [runId, status])).toEqual([
    ['r~p0', 'REGISTERED'],
    ['r~p1', 'REGISTERED'],
  ])
  expect(claimed.map(({ invocation }) => invocation.runId)).toEqual(['r~p2'])
  expect(wanted).toEqual([3])
  // Nothing was done to it.
  expect((await store.claim(aClaim('b', { limit: 4 }))).claimed).toHaveLength(3)
})

it('passes by what its process has decided on already', async () => {
  const store = await storeFailingIn([])
  const { claimed } = await store.claim({
    ...aClaim('a', { limit: 4 }),
    isUnderWay: (id) => id.startsWith('r~p3'),
  })
  expect(claimed.map(({ invocation }) => invocation.runId).sort()).toEqual(['r~p0', 'r~p1', 'r~p2'])
})

it('doesn’t look again where it took all there was, and does where it left some', async () => {
  const memory = createMemoryStore({ partitions: 2 })
  const asked: number[] = []
  const store = createPartitionedStore({
    ...memory,
    fetch: async (request) => {
      asked.push(request.partition)
      return memory.fetch(request)
    },
  })
  const [one, two] = [aRun({ name: 'r~p0' }), aRun({ name: 'r~p1' })]
  await accept(store, starting(one, [anInvocation(one, 'n')]))
  await accept(store, starting(two, [anInvocation(two, 'n'), anInvocation(two, 'o')]))
  const looks = async () => {
    // It begins them itself: nothing is written for that.
    const { offered } = await store.claim({
      ...aClaim('a', { limit: 2 }),
      reserve: () => 2,
      takes: () => true,
    })
    return [offered?.length, asked.splice(0)]
  }
  expect(await looks()).toEqual([2, [0, 1]])
  expect(await looks()).toEqual([2, [1]])
  expect(await looks()).toEqual([0, []])
})

/** A store of one partition with so many steps, of which nobody tells; `asked` is how often it was looked at. */
async function untold(steps: number) {
  const memory = createMemoryStore({ partitions: 1 })
  const seen = { asked: 0 }
  const store = createPartitionedStore(
    {
      ...memory,
      watch: () => () => undefined,
      fetch: async (request) => {
        seen.asked += 1
        return memory.fetch(request)
      },
    },
    { wholeLookMs: 60_000 },
  )
  const run = aRun({ name: 'r~p0' })
  await accept(
    store,
    starting(
      run,
      Array.from({ length: steps }, (_, index) => anInvocation(run, `n${index}`)),
    ),
  )
  return { store, seen }
}

it('tells until when it doesn’t look again where it claimed all there was', async () => {
  const { store, seen } = await untold(2)
  expect(await store.claim(aClaim('a', { limit: 2 }))).toMatchObject({ restsUntil: start + 1_000 })
  expect('restsUntil' in (await store.claim(aClaim('a', { limit: 2 })))).toBe(false)
  expect(seen.asked).toBe(1)
})

it('looks again where there may have been more than it saw, and takes for taken what is under way', async () => {
  // As many as it looks at.
  const { store, seen } = await untold(1 + 16)
  const request = { ...aClaim('a', { limit: 1 }), isUnderWay: (id: string) => !id.endsWith('n0') }
  expect('restsUntil' in (await store.claim(request))).toBe(false)
  await store.claim(request)
  expect(seen.asked).toBe(2)
  const few = await untold(3)
  expect((await few.store.claim(request)).restsUntil).toBe(start + 1_000)
})

it('asks nobody for what is known, and all others', async () => {
  const memory = createMemoryStore({ partitions: 2 })
  const asked: number[] = []
  const run = aRun({ name: 'r~p0' })
  const known = anInvocation(run, 'n')
  const glances = [[known], []]
  const store = createPartitionedStore({
    ...memory,
    glance: ({ partition }) => (partition === 0 ? (glances.shift() ?? null) : null),
    fetch: async (request) => {
      asked.push(request.partition)
      return memory.fetch(request)
    },
  })
  await accept(store, starting(run, [known]))
  const other = aRun({ name: 'r~p1' })
  await accept(store, starting(other, [anInvocation(other, 'n')]))
  const { claimed } = await store.claim(aClaim('a', { limit: 2 }))
  expect(claimed.map(({ invocation }) => invocation.runId).sort()).toEqual(['r~p0', 'r~p1'])
  expect(asked.splice(0)).toEqual([1])
  // Nothing is there any more, as is known, and so it isn't looked for until something is written.
  await store.claim(aClaim('a', { limit: 2 }))
  expect(asked.splice(0)).toEqual([1])
  await store.claim(aClaim('a', { limit: 2 }))
  expect(asked).toEqual([])
})
