/** Permits that are given back while servers fail: others stand in line for them, so it is never left to a repair. */

import { beforeEach, expect, it } from 'vitest'
import type { CommitAnswer } from '../../../../src-engine/model/checkpoint.ts'
import type { InvocationId } from '../../../../src-engine/model/ids.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import { partitionOf } from '../../../../src-engine/model/partition.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { accept, theInvocation } from '../../../conformance/scene.ts'
import {
  aClaim,
  anInvocation,
  aRun,
  byOperator,
  byRunner,
  moving,
  start,
  starting,
} from '../../../conformance/story.ts'

const key = 'node:n'
const home = partitionOf(runId(key), 4)
/** A step of another partition than its permit is counted in. */
const run = aRun({ name: `r~p${(home + 1) % 4}` })
const step = anInvocation(run, 'n', {
  permits: {
    permits: [{ key, limit: 1, windowMs: null }],
    resolved: true,
    blockedSince: null,
    blockedBy: null,
  },
})
const { id } = step

let raw: RawStore
let store: Store
/** What the next commit is answered, once it was written. */
let answering: ((answers: readonly CommitAnswer[]) => readonly CommitAnswer[]) | null
/** What happens instead of the next commit. */
let instead: (() => Promise<never>) | null
/** What somebody else does before the next permit is given back, and before the next claim. */
let beforeGiving: (() => Promise<void>) | null
let beforeClaim: (() => Promise<void>) | null
/** How many calls that give back are to fail. */
let failures: number
let silent: boolean
const timers = new Set<() => void>()

beforeEach(async () => {
  answering = null
  instead = null
  beforeGiving = null
  beforeClaim = null
  failures = 0
  silent = false
  timers.clear()
  const memory = createMemoryStore({ partitions: 4 })
  raw = {
    ...memory,
    async commit(partition, checkpoints) {
      const first = instead
      instead = null
      if (first !== null) await first()
      const told = answering
      answering = null
      const answers = await memory.commit(partition, checkpoints)
      return told === null ? answers : told(answers)
    },
    async claim(request) {
      const first = beforeClaim
      beforeClaim = null
      await first?.()
      return memory.claim(request)
    },
    async releaseSlots(partition, releases) {
      const first = beforeGiving
      beforeGiving = null
      await first?.()
      if (silent) await new Promise(() => undefined)
      failures -= 1
      if (failures >= 0) throw new Error('nobody is there')
      await memory.releaseSlots(partition, releases)
    },
  }
  store = createPartitionedStore(raw, {
    wholeLookMs: 0,
    permitClock: {
      after(_, call) {
        timers.add(call)
        return () => timers.delete(call)
      },
    },
  })
  await accept(store, starting(run, [step]))
})

/** Time passes until everything that waited for it has happened. */
async function pass(): Promise<void> {
  for (let turn = 0; turn < 40 && timers.size > 0; turn += 1) {
    for (const call of [...timers]) {
      timers.delete(call)
      call()
    }
    await settle()
  }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

const holders = async (): Promise<readonly string[]> =>
  (await store.load(0, 'slotHolders', { key })).map(({ holder }) => holder)

async function claim(name: string, of: Store = store): Promise<readonly InvocationId[]> {
  const { claimed } = await of.claim(aClaim(name, { invocationIds: [id] }))
  return claimed.map(({ invocation }) => invocation.id)
}

/** The step is at work; the checkpoint that has it tried again and gives its permit back. */
async function ending() {
  expect(await claim('a')).toEqual([id])
  const actor = byRunner('a')
  await accept(store, moving(await theInvocation(store, id), ['RUNNING'], { actor }))
  const ended = moving(await theInvocation(store, id), ['RETRY'], { actor })
  return { ...ended, writes: { ...ended.writes, release: [{ key, holder: id }] } }
}

it('is free although a failover made its own end look like a repetition', async () => {
  const ended = await ending()
  answering = () => [{ kind: 'repeated' }]
  expect(await store.commit(0, [ended])).toEqual([{ kind: 'repeated' }])
  expect(await holders()).toEqual([])
})

it('is free soon although nobody could say whether the end was written', async () => {
  const ended = await ending()
  answering = () => {
    throw new Error('no answer')
  }
  await expect(store.commit(0, [ended])).rejects.toThrow('no answer')
  expect(await holders()).toEqual([id])
  await pass()
  expect(await holders()).toEqual([])
})

it('stays while its holder has it, for the end was not written; and nobody asks for ever', async () => {
  const ended = await ending()
  instead = () => Promise.reject(new Error('killed'))
  await expect(store.commit(0, [ended])).rejects.toThrow('killed')
  await pass()
  expect(await holders()).toEqual([id])
  expect(timers.size).toBe(0)
})

it('stays with who claims its step anew while another repeats what gave it back before', async () => {
  const ended = await ending()
  await accept(store, ended)
  // It has the permit of its home, and not the step yet.
  beforeClaim = async () => {
    expect(await store.commit(0, [ended])).toEqual([{ kind: 'repeated' }])
  }
  expect(await claim('b')).toEqual([id])
  expect(await holders()).toEqual([id])
})

it('is free soon where its home did not answer, and the end counts at once', async () => {
  const ended = await ending()
  failures = 3
  await accept(store, ended)
  expect(await holders()).toEqual([id])
  await pass()
  expect(await holders()).toEqual([])
})

it('holds up nobody while its home is silent', async () => {
  const ended = await ending()
  silent = true
  const answer = store.commit(0, [ended])
  await settle()
  await pass()
  expect(await answer).toEqual([{ kind: 'accepted' }])
})

it('is given back by the next repair where no time passes', async () => {
  store = createPartitionedStore(raw, { wholeLookMs: 0 })
  const ended = await ending()
  failures = 1
  await accept(store, ended)
  expect(await holders()).toEqual([id])
  await store.repair?.(start)
  expect(await holders()).toEqual([])
})

it('is free although another claimed the step in vain while it ended', async () => {
  const ended = await ending()
  // It had seen the step before that was claimed, and takes the permit between the end and the giving back.
  beforeGiving = async () => {
    const another = createPartitionedStore(raw, { wholeLookMs: 0 })
    await accept(another, moving(await theInvocation(another, id), ['CANCELLED'], { actor: byOperator }))
    expect(await claim('late', another)).toEqual([])
  }
  await accept(store, ended)
  expect(await holders()).toEqual([])
})

it('is free although another, who claims in vain, gives back only after it', async () => {
  const ended = await ending()
  const slot = { key, holder: id, limit: 1, expiresAt: null }
  beforeGiving = async () => {
    expect(await raw.takeSlots(home, { takes: [{ ...slot, by: 'late:1' }], at: start })).toMatchObject({
      fresh: [],
    })
  }
  await accept(store, ended)
  expect(await holders()).toEqual([id])
  await raw.releaseSlots(home, [{ key, holder: id, by: 'late:1' }])
  expect(await holders()).toEqual([])
})

it('stays with its holder while another claims in vain', async () => {
  await ending()
  expect(await claim('late', createPartitionedStore(raw, { wholeLookMs: 0 }))).toEqual([])
  expect(await holders()).toEqual([id])
})

it('stays with who begins a run while another begins the same one in vain', async () => {
  const twice = aRun({ name: `twice~p${(home + 1) % 4}` })
  const begun = starting(twice, [])
  const take = [{ key, holder: twice.id, limit: 1, expiresAt: null }]
  const begin = { ...begun, writes: { ...begun.writes, take } }
  const stores = ['p', 'q'].map((writerId) => createPartitionedStore(raw, { wholeLookMs: 0, writerId }))
  const answers = await Promise.all(stores.map(async (one) => (await one.commit(0, [begin]))[0]?.kind))
  expect(new Set(answers)).toEqual(new Set(['accepted', 'repeated']))
  expect(await holders()).toEqual([twice.id])
})

it('stays with a holder that its home forgot, while another claims in vain', async () => {
  await ending()
  // A failover has brought the home back to before the take: the name of the one in vain is the only one by then.
  await raw.releaseSlots(home, [{ key, holder: id }])
  expect(await claim('late', createPartitionedStore(raw, { wholeLookMs: 0 }))).toEqual([])
  expect(await holders()).toEqual([id])
})

it('is not taken again beside another, where its home forgot who gives it back and takes it at once', async () => {
  const ended = await ending()
  await raw.releaseSlots(home, [{ key, holder: id }])
  const take = [{ key, holder: 'other', limit: 1, expiresAt: null }]
  await raw.takeSlots(home, { takes: take, at: start })
  const again = {
    ...ended,
    writes: { ...ended.writes, take: [{ key, holder: id, limit: 1, expiresAt: null }] },
  }
  expect(await store.commit(0, [again])).toMatchObject([
    { refusal: { kind: 'slot-taken', holders: ['other'] } },
  ])
  expect(await holders()).toEqual(['other'])
})

it('stays with who claims its step anew while nobody could say whether it was given back before', async () => {
  const ended = await ending()
  await accept(store, ended)
  beforeClaim = async () => {
    instead = () => Promise.reject(new Error('no answer'))
    await expect(store.commit(0, [ended])).rejects.toThrow('no answer')
    await pass()
  }
  expect(await claim('b')).toEqual([id])
  expect(await holders()).toEqual([id])
})

it('is taken in the order of homes, and given back where the next home has no room', async () => {
  const keyOf = (partition: number): string => {
    let count = 0
    while (partitionOf(runId(`key${count}`), 4) !== partition) count += 1
    return `key${count}`
  }
  const [first, second] = [0, 1, 2, 3].filter((each) => each !== (home + 1) % 4)
  const keys = [keyOf(second ?? 0), keyOf(first ?? 0)]
  const takes = keys.map((each) => ({ key: each, holder: id, limit: 1, expiresAt: null }))
  const asked: number[] = []
  const takeSlots = raw.takeSlots.bind(raw)
  raw.takeSlots = (partition, request) => {
    asked.push(partition)
    return takeSlots(partition, request)
  }
  await takeSlots(second ?? 0, {
    takes: [{ key: keys[0] ?? '', holder: 'other', limit: 1, expiresAt: null }],
    at: start,
  })
  const parked = moving(await theInvocation(store, id), ['WAITING'], { set: { notBefore: start + 1 } })
  const answer = await store.commit(0, [{ ...parked, writes: { ...parked.writes, take: takes } }])
  expect(answer).toMatchObject([{ refusal: { kind: 'slot-taken', holders: ['other'] } }])
  expect(asked).toEqual([first, second])
  expect(await store.load(0, 'slotHolders', { key: keys[1] ?? '' })).toEqual([])
})
