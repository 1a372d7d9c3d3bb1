/** Locks on registers, with a clock that only moves when a test says so. */

import { describe, expect, test, vi } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { Clock } from '../../../../src-engine/model/ports.ts'
import { second } from '../../../../src-engine/model/time.ts'
import type { HeldLock, Locks } from '../../../../src-engine/runtime/locks/locks.ts'
import { createLocks } from '../../../../src-engine/runtime/locks/locks.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { World } from '../../../simulation/world.ts'
import { failingOver } from '../failed-over.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const ttlMs = 60 * second

interface Member {
  readonly locks: Locks
  /** Moves this member's wall clock alone. */
  skew: number
  /** While true its store fails. */
  isCutOff: boolean
}

function createScene() {
  const world = new World()
  const { store, snapshot, failOver } = failingOver()
  let ids = 0
  const member = (owner: string): Member => {
    const own: { skew: number; isCutOff: boolean } = { skew: 0, isCutOff: false }
    const clock: Clock = {
      now: () => world.now + own.skew,
      monotonic: () => world.now,
      after: (span, call) => world.at(world.now + span, call),
    }
    const reach = <Answer>(act: () => Promise<Answer>): Promise<Answer> =>
      own.isCutOff ? Promise.reject(new SagasmithError('store_failed')) : act()
    const reached: Store = {
      ...store,
      commit: (partition, checkpoints) => reach(() => store.commit(partition, checkpoints)),
    }
    const locks = createLocks({
      store: reached,
      partition: 0,
      owner,
      clock,
      ids: { next: () => `id${(ids += 1)}` },
      log: quiet,
      strikesMax: 3,
      retryDelayMs: 500,
    })
    return Object.assign(own, { locks })
  }
  const pass = (span: number) => world.run(world.now + span, () => false)
  return { world, store, snapshot, failOver, a: member('a'), b: member('b'), pass }
}

async function must<Value>(promise: Promise<Value | null>): Promise<Value> {
  const value = await promise
  if (value === null) throw new Error('the lock is free')
  return value
}

describe('a held tick', () => {
  test('gives one turn per time to live, to one runner, and is not given back [C47]', async () => {
    const { a, b, pass } = createScene()
    const first = await Promise.all([a.locks.hold('tick', ttlMs), b.locks.hold('tick', ttlMs)])
    expect(first).toEqual([true, false])
    await pass(ttlMs - 1)
    expect([await a.locks.hold('tick', ttlMs), await b.locks.hold('tick', ttlMs)]).toEqual([false, false])
    await pass(1)
    expect([await b.locks.hold('tick', ttlMs), await a.locks.hold('tick', ttlMs)]).toEqual([true, false])
  })

  test('lets its holder take the next turn in time, and nobody else [C47]', async () => {
    const { a, b, pass } = createScene()
    expect(await a.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(true)
    await pass(ttlMs / 2 - 1)
    expect(await a.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(false)
    await pass(1)
    expect(await b.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(false)
    expect(await a.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(true)
    await pass(ttlMs - 1)
    expect(await b.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(false)
    await pass(1)
    expect(await b.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(true)
    expect(await a.locks.hold('tick', ttlMs, ttlMs / 2)).toBe(false)
  })

  test('whose clock was ahead keeps nobody out for longer than its time', async () => {
    const { a, b, pass } = createScene()
    a.skew = 3_600 * second
    expect(await a.locks.hold('tick', ttlMs)).toBe(true)
    expect(await b.locks.hold('tick', ttlMs)).toBe(false)
    await pass(ttlMs)
    expect(await b.locks.hold('tick', ttlMs)).toBe(true)
  })
})

describe('a renewed lock', () => {
  test('is kept for as long as it is wanted, then free at once [C16]', async () => {
    const { a, b, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    await pass(10 * ttlMs)
    expect(held.signal.aborted).toBe(false)
    expect(await b.locks.acquire('run', ttlMs)).toBeNull()
    await held.release()
    expect(await b.locks.acquire('run', ttlMs)).not.toBeNull()
  })

  test('fences its work at the third failed renewal in a row, and is not released after [C16] [C18]', async () => {
    const { a, b, store, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    a.isCutOff = true
    await pass((2 * ttlMs) / 3)
    expect(held.signal.aborted).toBe(false)
    await pass(ttlMs / 3)
    expect(held.signal.aborted).toBe(true)
    a.isCutOff = false
    const other = await must(b.locks.acquire('run', ttlMs))
    const before = await store.load(0, 'register', { key: 'lock/run' })
    await held.release()
    expect(await store.load(0, 'register', { key: 'lock/run' })).toEqual(before)
    await other.release()
  })

  test('writes nothing more once it was given up, also where nobody else has it yet [C18]', async () => {
    const { a, store, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    a.isCutOff = true
    await pass(ttlMs)
    expect(held.signal.aborted).toBe(true)
    a.isCutOff = false
    const before = await store.load(0, 'register', { key: 'lock/run' })
    await held.release()
    expect(await store.load(0, 'register', { key: 'lock/run' })).toEqual(before)
  })

  test('survives failures that are not three in a row [C16]', async () => {
    const { a, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    for (let time = 0; time < 5; time += 1) {
      a.isCutOff = true
      await pass((2 * ttlMs) / 3)
      a.isCutOff = false
      await pass(ttlMs / 3)
    }
    expect(held.signal.aborted).toBe(false)
    await held.release()
  })

  test('renews no more once it is released [C16]', async () => {
    const { a, store, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    await held.release()
    const after = await store.load(0, 'register', { key: 'lock/run' })
    await pass(10 * ttlMs)
    expect(await store.load(0, 'register', { key: 'lock/run' })).toEqual(after)
  })

  test('that somebody else took is neither renewed nor released by its former owner [C17] [C18]', async () => {
    const { a, b, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    // The clock of b jumped ahead: to b the lock has expired.
    b.skew = 2 * ttlMs
    const other = await must(b.locks.acquire('run', ttlMs))
    await pass(ttlMs / 3)
    expect(held.signal.aborted).toBe(true)
    await held.release()
    expect(await a.locks.acquire('run', ttlMs)).toBeNull()
    expect(other.signal.aborted).toBe(false)
    await other.release()
  })

  test('whose release comes after a takeover that it has not noticed changes nothing [C17] [C15]', async () => {
    const { a, b, store } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    b.skew = 2 * ttlMs
    await must(b.locks.acquire('run', ttlMs))
    const before = await store.load(0, 'register', { key: 'lock/run' })
    await held.release()
    expect(await store.load(0, 'register', { key: 'lock/run' })).toEqual(before)
  })

  test('is waited for by work that needs it: asked again after each pause, and free after the work', async () => {
    const { a, b, world, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    let doneAt: number | null = null
    const begun = world.now
    const work = b.locks.within('run', ttlMs, async () => {
      doneAt = world.now - begun
      return 'done'
    })
    await pass(1_700)
    expect(doneAt).toBeNull()
    await held.release()
    await pass(299)
    expect(doneAt).toBeNull()
    await pass(1)
    expect([await work, doneAt]).toEqual(['done', 2_000])
    expect(await a.locks.acquire('run', ttlMs)).not.toBeNull()
  })

  test('of somebody who died is waited for, and of somebody who goes on only for its time', async () => {
    const { a, b, pass } = createScene()
    const held = await must(a.locks.acquire('run', ttlMs))
    const refused = b.locks.within('run', ttlMs, async () => 'done').catch((thrown: unknown) => thrown)
    await pass(2 * ttlMs)
    expect(await refused).toMatchObject({ code: 'lock_busy', retryable: true })
    a.isCutOff = true
    await pass(ttlMs / 2)
    const done = b.locks.within('run', ttlMs, async () => 'done')
    await pass(ttlMs)
    expect(await done).toBe('done')
    expect(held.signal.aborted).toBe(true)
  })

  test('is given back by work that fails, and tells work that goes on that it is lost [C16]', async () => {
    const { a, b, pass } = createScene()
    const failed = a.locks.within('run', ttlMs, async () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    const lost = a.locks.within('run', ttlMs, async (signal) => {
      a.isCutOff = true
      await pass(ttlMs)
      return signal.aborted
    })
    expect(await lost).toBe(true)
    expect(await b.locks.acquire('run', ttlMs)).not.toBeNull()
  })

  test('that expired can be taken again, and of two who want it one gets it [C17]', async () => {
    const { a, b, world } = createScene()
    await must(a.locks.acquire('run', ttlMs))
    // The process of a stands still: its timers don't fire.
    world.now += ttlMs
    const wanted = await Promise.all([a.locks.acquire('run', ttlMs), b.locks.acquire('run', ttlMs)])
    expect(wanted.filter((lock) => lock !== null)).toHaveLength(1)
  })
})

describe('a lock whose server is replaced', () => {
  test('is kept where the new one knows it', async () => {
    const { a, b, snapshot, failOver, pass } = createScene()
    const lock = await must(a.locks.acquire('work', ttlMs))
    failOver(snapshot())
    await pass(ttlMs * 2)
    expect(lock.signal.aborted).toBe(false)
    expect(await b.locks.acquire('work', ttlMs)).toBeNull()
    await lock.release()
    await must(b.locks.acquire('work', ttlMs))
  })

  test('is given up where the new one has let somebody else have it, under the same version', async () => {
    const { a, b, snapshot, failOver, pass } = createScene()
    const before = snapshot()
    const lost = await must(a.locks.acquire('work', ttlMs))
    failOver(before)
    const held = await must(b.locks.acquire('work', ttlMs))
    await pass(ttlMs / 2)
    expect(lost.signal.aborted).toBe(true)
    await pass(ttlMs * 2)
    expect(held.signal.aborted).toBe(false)
  })

  test('is not over sooner for what was seen under the same version before', async () => {
    const { a, b, snapshot, failOver, pass } = createScene()
    const before = snapshot()
    // Its clock is ahead: that the time is over says nothing, only that it was seen unchanged for as long.
    a.skew = 10 * ttlMs
    expect(await a.locks.hold('tick', ttlMs)).toBe(true)
    expect(await b.locks.hold('tick', ttlMs)).toBe(false)
    await pass(ttlMs - 1)
    failOver(before)
    expect(await a.locks.hold('tick', ttlMs)).toBe(true)
    await pass(1)
    expect(await b.locks.hold('tick', ttlMs)).toBe(false)
    await pass(ttlMs)
    expect(await b.locks.hold('tick', ttlMs)).toBe(true)
  })

  test('is not renewed on what another server said', async () => {
    const { store, a, b, snapshot, failOver, pass } = createScene()
    const before = snapshot()
    const lost = await must(a.locks.acquire('work', ttlMs))
    const commit = store.commit.bind(store)
    let other: HeldLock | null = null
    let isFirst = true
    // Between the look of its renewal and the write, the server that knew of it goes.
    vi.spyOn(store, 'commit').mockImplementation(async (...given) => {
      if (isFirst) {
        isFirst = false
        failOver(before)
        other = await b.locks.acquire('work', ttlMs)
      }
      return commit(...given)
    })
    await pass(ttlMs / 3)
    expect(other).not.toBeNull()
    expect(lost.signal.aborted).toBe(true)
  })
})

test('a lock that is given back while it is being renewed is not lost: nobody is told so', async () => {
  const { world, store, pass } = createScene()
  let between = async (): Promise<void> => {}
  const warned: string[] = []
  const locks = createLocks({
    store: {
      ...store,
      commit: async (partition, checkpoints) => {
        const first = between
        between = async () => {}
        await first()
        return store.commit(partition, checkpoints)
      },
    },
    partition: 0,
    owner: 'c',
    clock: {
      now: () => world.now,
      monotonic: () => world.now,
      after: (span, call) => world.at(world.now + span, call),
    },
    ids: { next: () => 'own' },
    log: { ...quiet, warn: (event) => warned.push(event) },
    strikesMax: 3,
    retryDelayMs: 500,
  })
  const lock = await must(locks.acquire('k', ttlMs))
  between = () => lock.release()
  await pass(ttlMs)
  expect([lock.signal.aborted, warned]).toEqual([false, []])
  expect(await locks.acquire('k', ttlMs)).not.toBeNull()
})
