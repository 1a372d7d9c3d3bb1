/** Permits whose holders live in other partitions: counted once for all, whatever dies in between. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import { graceMs } from '../../../../src-engine/store/partitioned/repair.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { accept, theInvocation } from '../../../conformance/scene.ts'
import { aClaim, anInvocation, aRun, byRunner, moving, start, starting } from '../../../conformance/story.ts'
import { claimOf, holdersOf, home, idElsewhere, key, planOf, runs, stepOf } from './permit-scene.ts'

let raw: RawStore
let store: Store
/** What the next call of the raw store is to meet, by its name. */
let failing: string | null
/** What somebody else does between the permits of a claim and the claim itself. */
let meanwhile: (() => Promise<void>) | null
/** What somebody else does before a permit is given back at its home. */
let beforeGiving: (() => Promise<void>) | null

/** What happens around each take of permits at a home. */
let together: ((take: () => ReturnType<RawStore['takeSlots']>) => ReturnType<RawStore['takeSlots']>) | null

beforeEach(async () => {
  failing = null
  together = null
  meanwhile = null
  beforeGiving = null
  const memory = createMemoryStore({ partitions: 4 })
  const claimLater: RawStore['claim'] = async (request) => {
    const first = meanwhile
    meanwhile = null
    await first?.()
    return memory.claim(request)
  }
  const giveLater: RawStore['releaseSlots'] = async (partition, releases) => {
    const first = beforeGiving
    beforeGiving = null
    await first?.()
    return memory.releaseSlots(partition, releases)
  }
  const takeAround: RawStore['takeSlots'] = (partition, asked) => {
    const take = () => memory.takeSlots(partition, asked)
    return together === null ? take() : together(take)
  }
  raw = new Proxy(memory, {
    get(target, name) {
      if (name === failing) return () => Promise.reject(new Error('killed'))
      if (name === 'releaseSlots') return giveLater
      if (name === 'takeSlots') return takeAround
      return name === 'claim' ? claimLater : (Reflect.get(target, name) as unknown)
    },
  })
  store = createPartitionedStore(raw, { wholeLookMs: 0 })
  for (const run of runs) await accept(store, starting(run, [stepOf(run)]))
})

const claim = (name = 'a', set: Parameters<typeof aClaim>[1] = {}) => claimOf(store, name, set)
const holders = () => holdersOf(store)
const end = async (id: InvocationRecord['id'], name = 'a'): Promise<void> => {
  const pending = await theInvocation(store, id)
  await accept(store, moving(pending, ['RUNNING'], { actor: byRunner(name) }))
  const running = await theInvocation(store, id)
  const ended = moving(running, ['FAILED'], { actor: byRunner(name) })
  const release = [{ key, holder: id }]
  await accept(store, { ...ended, writes: { ...ended.writes, release } })
}

describe('a permit of all partitions', () => {
  it('has as many holders as its limit, wherever they live', async () => {
    const { claimed, blocked } = await claim()
    expect(claimed).toHaveLength(1)
    expect(blocked).toHaveLength(3)
    for (const line of blocked) expect(line.endsWith(` ${claimed[0]}`)).toBe(true)
    expect(await holders()).toEqual(claimed)
  })

  it('of many claims at the same moment one gets it', async () => {
    const claims = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => claim(name)))
    expect(claims.flatMap(({ claimed }) => claimed)).toHaveLength(1)
    expect(await holders()).toHaveLength(1)
  })

  it('is taken for several steps at once while there is room for all, and of one left by the most urgent', async () => {
    const others = runs.map((_, partition) => aRun({ name: `s~p${partition}` }))
    for (const [index, run] of others.entries()) {
      // The last one waits longest; the first ones live where the key does, or not.
      const set = { permits: planOf(3), registeredAt: start - index }
      await accept(store, starting(run, [anInvocation(run, 'n', set)]))
    }
    const ids = others.map((run) => anInvocation(run, 'n').id)
    let under = 0
    let most = 0
    together = async (take) => {
      under += 1
      most = Math.max(most, under)
      await new Promise((resolve) => setImmediate(resolve))
      const answer = await take()
      under -= 1
      return answer
    }
    const { claimed, blocked } = await claim('a', { invocationIds: ids, limit: 4 })
    expect(claimed).toHaveLength(3)
    // What lives where its permits are counted takes them with its claim.
    expect(most).toBe(home === 0 ? 3 : 2)
    expect([...claimed, ...blocked.map((line) => line.split(' ')[0])].at(-1)).toBe(ids[0])
    expect(await holders()).toEqual(expect.arrayContaining([...claimed]))
  })

  it('is free for the next when its holder ends', async () => {
    const done: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const [first] = (await claim()).claimed
      if (first === undefined) throw new Error('One of them can be claimed.')
      done.push(first)
      await end(first)
    }
    expect(new Set(done).size).toBe(4)
    expect(await holders()).toEqual([])
  })

  it('is listed once, with all who hold it', async () => {
    const { claimed } = await claim()
    const page = { after: null, limit: 10 }
    const uses = await store.list(0, 'permits', { filter: { prefix: '' }, page })
    expect(uses.map((use) => ({ key: use.key, holders: use.holders.map(({ holder }) => holder) }))).toEqual([
      { key, holders: claimed },
    ])
  })

  it('is given back when the claim itself is lost', async () => {
    const ids = runs.map((run) => stepOf(run).id)
    // Each is gone by the time that it is claimed.
    for (const run of runs) {
      const record = await theInvocation(store, stepOf(run).id)
      await accept(store, moving(record, ['CANCELLED'], { actor: { kind: 'operator', id: 'ann' } }))
    }
    expect(await claim('a', { invocationIds: ids })).toEqual({ claimed: [], blocked: [] })
    expect(await holders()).toEqual([])
  })

  it('that a lost claim gives back stays with who claims the same step meanwhile', async () => {
    const [run] = runs
    if (run === undefined) throw new Error('There is one.')
    const { id } = stepOf(run)
    const another = createPartitionedStore(raw, { wholeLookMs: 0 })
    const ofOthers: string[] = []
    // By the time of the first claim the step needs more; while that gives back its permit another claims the step.
    meanwhile = async () => {
      const permits = {
        ...planOf(1),
        permits: [...planOf(1).permits, { key: 'node:more', limit: 1, windowMs: null }],
      }
      const record = await theInvocation(store, id)
      await accept(store, moving(record, ['WAITING', 'REROUTED'], { set: { permits } }))
    }
    beforeGiving = async () => {
      const answer = await another.claim(aClaim('b', { invocationIds: [id] }))
      ofOthers.push(...answer.claimed.map(({ invocation }) => invocation.id))
    }
    expect((await claim('a', { invocationIds: [id] })).claimed).toEqual([])
    expect(ofOthers).toEqual([id])
    expect(await holders()).toEqual([id])
    expect((await claim('c')).claimed).toEqual([])
  })

  it.for([
    { what: 'none', before: null },
    { what: 'none that was known yet', before: { ...planOf(1), permits: [], resolved: false } },
  ])('is not passed by for a step that needed $what when it was read', async ({ before }) => {
    const [held] = (await claim()).claimed
    const late = [0, 1, 2, 3].map((partition) => aRun({ name: `s~p${partition}` }))
    for (const run of late) {
      const { id } = anInvocation(run, 'n')
      await accept(store, starting(run, [anInvocation(run, 'n', { permits: before })]))
      meanwhile = async () => {
        const record = await theInvocation(store, id)
        await accept(store, moving(record, ['WAITING', 'REROUTED'], { set: { permits: planOf(1) } }))
      }
      expect((await claim('b', { invocationIds: [id] })).claimed).toEqual([])
      expect(await claim('b', { invocationIds: [id] })).toEqual({ claimed: [], blocked: [`${id} ${held}`] })
    }
    expect(await holders()).toEqual([held])
  })

  it('is not counted for a claim that comes after the holder gave it back meanwhile', async () => {
    const [run] = runs
    if (run === undefined) throw new Error('There are four.')
    const { id } = stepOf(run)
    meanwhile = async () => {
      const { claimed } = await claim('b', { invocationIds: [id] })
      expect(claimed).toEqual([id])
      const actor = byRunner('b')
      await accept(store, moving(await theInvocation(store, id), ['RUNNING'], { actor }))
      const again = moving(await theInvocation(store, id), ['RETRY'], { actor })
      await accept(store, { ...again, writes: { ...again.writes, release: [{ key, holder: id }] } })
    }
    expect((await claim('a', { invocationIds: [id] })).claimed).toEqual([])
    expect(await holders()).toEqual([])
    expect((await claim('a', { invocationIds: [id] })).claimed).toEqual([id])
    expect(await holders()).toEqual([id])
  })

  /** Has the step claimed and worked on, up to the checkpoint that has it tried again and gives its permit back. */
  const triedAgain = async (id: InvocationRecord['id']) => {
    expect((await claim('a', { invocationIds: [id] })).claimed).toEqual([id])
    const actor = byRunner('a')
    await accept(store, moving(await theInvocation(store, id), ['RUNNING'], { actor }))
    const again = moving(await theInvocation(store, id), ['RETRY'], { actor })
    return { ...again, writes: { ...again.writes, release: [{ key, holder: id }] } }
  }

  it('that is given back late stays with who claimed the same step since', async () => {
    const another = createPartitionedStore(raw, { wholeLookMs: 0 })
    // Two of them live elsewhere than their permit is counted, at least.
    const told: string[] = []
    for (const id of runs.map((run) => stepOf(run).id)) {
      const again = await triedAgain(id)
      let since: readonly string[] | null = null
      beforeGiving = async () => {
        const { claimed } = await another.claim(aClaim('b', { invocationIds: [id] }))
        since = claimed.map(({ invocation }) => invocation.id)
      }
      await accept(store, again)
      const isElsewhere = since !== null
      if (isElsewhere) {
        told.push(id)
        expect(since).toEqual([id])
        expect(await holders()).toEqual([id])
        expect((await claim('c')).claimed).toEqual([])
        await end(id, 'b')
      }
      beforeGiving = null
      expect(await holders()).toEqual([])
    }
    expect(told).toHaveLength(3)
  })

  it('that its home never heard of is not taken from who claims the step since', async () => {
    const id = idElsewhere()
    const again = await triedAgain(id)
    // A failover has brought the home back to before the take.
    await raw.releaseSlots(home, [{ key, holder: id }])
    beforeGiving = async () => {
      expect((await claim('b', { invocationIds: [id] })).claimed).toEqual([id])
    }
    await accept(store, again)
    expect(await holders()).toEqual([id])
  })

  it('is taken by a checkpoint that needs it, or the checkpoint is refused with who has it', async () => {
    const [one, two] = runs
    if (one === undefined || two === undefined) throw new Error('There are four.')
    const { claimed } = await claim()
    const other = runs.map((run) => stepOf(run).id).find((id) => id !== claimed[0])
    const record = await theInvocation(store, other ?? stepOf(two).id)
    const moved = moving(record, ['WAITING'], { set: { notBefore: start + 1 } })
    const take = [{ key, holder: record.id, limit: 1, expiresAt: null }]
    const [answer] = await store.commit(0, [{ ...moved, writes: { ...moved.writes, take } }])
    expect(answer).toEqual({ kind: 'refused', refusal: { kind: 'slot-taken', key, holders: claimed } })
    expect(await holders()).toEqual(claimed)
  })
})

describe('what a death in between leaves', () => {
  /** A runner that takes the permit at its home and dies before it claims. */
  const halfClaimed = async (): Promise<void> => {
    failing = 'claim'
    await expect(claim()).rejects.toThrow('killed')
    failing = null
    expect(await holders()).toHaveLength(1)
  }
  const repair = (now: number) => store.repair?.(now)

  it('holds others up for a while, and never lets too many through', async () => {
    await halfClaimed()
    const held = (await holders())[0]
    // Whoever it was taken for may still have it.
    const { claimed } = await claim('b')
    expect(claimed).toEqual([held])
  })

  it('is given back by the repair, but not before whoever took it may have used it', async () => {
    await halfClaimed()
    expect(await repair(start)).toBe(0)
    expect(await repair(start + graceMs - 1)).toBe(0)
    expect(await holders()).toHaveLength(1)
    expect(await repair(start + graceMs)).toBe(1)
    expect(await holders()).toEqual([])
    expect((await claim('b')).claimed).toHaveLength(1)
  })

  it('is given back whoever looks the second time', async () => {
    await halfClaimed()
    await repair(start)
    const another = createPartitionedStore(raw)
    expect(await another.repair?.(start + graceMs)).toBe(1)
    expect(await holders()).toEqual([])
  })

  it('is given back in time although whoever saw it first had a clock that was far ahead', async () => {
    await halfClaimed()
    await repair(start + 100 * graceMs)
    expect(await repair(start)).toBe(0)
    expect(await repair(start + graceMs)).toBe(1)
    expect(await holders()).toEqual([])
  })

  it('told again by the repair, is not taken from who claims its step while it is given back', async () => {
    const id = idElsewhere()
    await raw.takeSlots(home, { takes: [{ key, holder: id, limit: 1, expiresAt: null }], at: start })
    await repair(start)
    beforeGiving = async () => {
      expect((await claim('b', { invocationIds: [id] })).claimed).toEqual([id])
    }
    await repair(start + graceMs)
    expect(await holders()).toEqual([id])
  })

  it('comes free by itself where it is one of a while: no repair gives that back', async () => {
    const take = { key, holder: idElsewhere(), limit: 1, expiresAt: start + 10 * graceMs, by: 'x' }
    await raw.takeSlots(home, { takes: [take], at: start })
    expect(await repair(start)).toBe(0)
    expect(await repair(start + graceMs)).toBe(0)
    expect(await holders()).toEqual([take.holder])
  })

  it('is no longer suspect once the holder has it', async () => {
    await halfClaimed()
    await repair(start)
    const { claimed } = await claim('b')
    expect(await repair(start + graceMs)).toBe(0)
    expect(await holders()).toEqual(claimed)
  })

  it('a permit that its holder has and its home forgot is told again, also beyond the limit', async () => {
    const [first] = (await claim()).claimed
    if (first === undefined) throw new Error('One of them can be claimed.')
    for (const partition of [0, 1, 2, 3]) {
      // A failover has brought the home back to before the take.
      if (!(await isHome(partition, first))) continue
      await raw.releaseSlots(partition, [{ key, holder: first }])
    }
    expect(await repair(start)).toBe(1)
    expect(await holders()).toEqual([first])
    expect((await claim('b')).claimed).toEqual([])
  })

  it.for([
    ['while it counts', 9, 1],
    ['once it has run out', 10, 0],
  ] as const)('one for a while that its home forgot is told again %s', async ([, afterMs, repaired]) => {
    const record = await theInvocation(store, idElsewhere())
    const moved = moving(record, ['WAITING'], { set: { notBefore: start + 1 } })
    const take = [{ key, holder: record.id, limit: 1, expiresAt: start + 10 }]
    await accept(store, { ...moved, writes: { ...moved.writes, take } })
    await raw.releaseSlots(home, [{ key, holder: record.id }])
    expect(await holders()).toEqual([])
    expect(await repair(start + afterMs)).toBe(repaired)
    expect(await holders()).toHaveLength(repaired)
  })

  /** Whether the partition counts the key's permits for a holder of another one. */
  const isHome = async (partition: number, holder: string): Promise<boolean> => {
    const held = await raw.load(partition, 'slotHolders', { key })
    return held.some((slot) => slot.holder === holder) && !holder.includes(`~p${partition}/`)
  }
})
