/** What a store makes of the answers to its writes when another server has begun to lead. */

import { expect, test } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { storeId } from '../../../../src-engine/model/ids.ts'
import { news } from '../../../../src-engine/store/hints.ts'
import type { Applier } from '../../../../src-engine/store/redis/apply.ts'
import { createApplier } from '../../../../src-engine/store/redis/apply.ts'
import type { WriteJournal } from '../../../../src-engine/store/redis/journal/write-journal.ts'
import { partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import { callersTime } from '../../../../src-engine/store/redis/lease-time.ts'
import { newPartitionState, newSeenRooms } from '../../../../src-engine/store/redis/partition-state.ts'
import { headsFor, noteElsewhere, noteLook } from '../../../../src-engine/store/redis/queue-heads.ts'
import type { RedisDurability, RedisRollback } from '../../../../src-engine/store/redis/redis-options.ts'
import type { Ask, Router } from '../../../../src-engine/store/redis/router.ts'
import { emptyUnit } from '../../../../src-engine/store/redis/unit.ts'

/** A partition as far as 1/10, whose server answers when and what it is told to. */
function scene(durability: RedisDurability = 'fast', journal: WriteJournal | null = null) {
  const asked: ((answer: unknown) => void)[] = []
  const ask = (_slot: number, _command: unknown, how: Ask = {}): Promise<unknown> =>
    new Promise((resolve) => {
      asked.push((answer) => {
        how.follows?.answered(Promise.resolve(1))
        resolve(answer)
      })
    })
  const refuse = (): never => {
    throw new SagasmithError('store_closed')
  }
  const router: Router = { ask, topology: refuse, ownerOf: refuse, askNode: refuse, close: refuse }
  const state = newPartitionState(partitionKeys('p', 0), { epoch: 1, seq: 10, rooms: newSeenRooms() })
  const rollbacks: RedisRollback[] = []
  const applier: Applier = createApplier({
    router,
    storeId: storeId('s'),
    writerId: 'w',
    durability,
    time: callersTime,
    clock: { now: () => 0, after: () => () => undefined },
    commandMs: 100,
    onWritten: () => undefined,
    onEpoch: () => undefined,
    onRollback: (lost) => rollbacks.push(lost),
    journal,
  })
  const answer = (index: number, given: unknown): void => {
    const next = asked[index]
    if (next === undefined) throw new Error(`There is no question ${index}.`)
    next(given)
  }
  return { applier, state, rollbacks, answer, asked }
}

test('a late answer of the epoch before says nothing of how far the new one has come', async () => {
  const { applier, state, answer } = scene()
  const late = applier.apply(state, [])
  const first = applier.apply(state, [])
  answer(1, ['other', 's', '2', '1'])
  expect(await first).toBeNull()
  answer(0, ['done', 11, [], ''])
  expect(await late).toEqual([])
  expect(state).toMatchObject({ epoch: 2, seq: 1 })
})

test('many writes that meet another server begin one epoch, and tell of one loss', async () => {
  const { applier, state, rollbacks, answer, asked } = scene()
  const applies = [applier.apply(state, []), applier.apply(state, []), applier.apply(state, [])]
  answer(0, ['other', 's', '1', '8'])
  answer(1, ['other', 's', '1', '8'])
  await expect.poll(() => asked.length).toBe(4)
  answer(3, ['2', '1'])
  await Promise.all(applies.slice(0, 2))
  answer(2, ['other', 's', '1', '8'])
  expect(await Promise.all(applies)).toEqual([null, null, null])
  expect(asked).toHaveLength(4)
  expect(rollbacks).toEqual([{ partition: 0, from: 10, to: 8 }])
  expect(state).toMatchObject({ epoch: 2, seq: 1 })
})

test('who may be waited for there waits for nobody who is meeting another server', async () => {
  const { applier, state, answer, asked } = scene()
  const first = applier.applyNow(state, [])
  answer(0, ['other', 's', '1', '8'])
  expect(await first).toBeNull()
  // The epoch is being begun.
  await expect.poll(() => asked.length).toBe(2)
  expect(await applier.applyNow(state, [])).toBeNull()
  expect(asked).toHaveLength(2)
  answer(1, ['2', '1'])
  await expect.poll(() => state.epoch).toBe(2)
  const after = applier.applyNow(state, [])
  answer(2, ['done', 1, [], ''])
  expect(await after).toEqual([])
})

test('what others are known to have written is not missing in what a late answer brings along', async () => {
  const units = [{ ...emptyUnit, news: news.work }]
  const bring = async (elsewhere: number) => {
    const { applier, state, answer } = scene('safe')
    state.shapes.set('a', '{}')
    noteLook(state, { shapes: ['a'], wanted: 5, at: 0 })
    const applied = applier.apply(state, units)
    // While a replica is waited for the message comes.
    noteElsewhere(state, { epoch: 1, seq: elsewhere })
    answer(0, ['done', 11, 1, '', 1, 'r/n'])
    await applied
    return headsFor(state, ['a'], 0)
  }
  expect(await bring(9)).toEqual([['r/n']])
  expect(await bring(12)).toBeNull()
})

test('what another server leads now is not confirmed by it', async () => {
  const { applier, state, answer } = scene('safe')
  const confirmed = applier.confirm(state)
  answer(0, ['other', 's', '2', '1'])
  await expect(confirmed).rejects.toMatchObject({ code: 'redis_unconfirmed' })
  expect(state).toMatchObject({ epoch: 2, seq: 1 })
  const again = applier.confirm(state)
  answer(1, ['done', 1, [], ''])
  await again
})

test('in fast mode it is confirmed that an epoch was met, with all that is brought back', async () => {
  const { applier, state, answer } = scene('fast')
  const confirmed = applier.confirm(state)
  answer(0, ['other', 's', '2', '1'])
  await confirmed
  expect(state).toMatchObject({ epoch: 2, seq: 1 })
})

test('nothing new is written while what a late answer told of is brought back, however many tell of it', async () => {
  const looks: PromiseWithResolvers<'done'>[] = []
  const bringBack = (): Promise<'done'> => {
    const look = Promise.withResolvers<'done'>()
    looks.push(look)
    return look.promise
  }
  // What an applier asks of a journal, and no more.
  const { applier, state, answer, asked } = scene('fast', {
    bringBack,
    note: () => {},
  } as unknown as WriteJournal)
  const first = applier.bringBack(state)
  const written = applier.apply(state, [])
  // These come after its look: one more is enough for both.
  const others = [applier.bringBack(state), applier.bringBack(state)]
  looks[0]?.resolve('done')
  await first
  expect(await written, 'made anew, for what it was made on may be another one').toBeNull()
  const again = applier.apply(state, [])
  expect([looks.length, asked.length]).toEqual([2, 0])
  looks[1]?.resolve('done')
  await Promise.all(others)
  expect(await again).toBeNull()
  const last = applier.apply(state, [])
  answer(0, ['done', 11, [], ''])
  expect([await last, looks.length]).toEqual([[], 2])
})
