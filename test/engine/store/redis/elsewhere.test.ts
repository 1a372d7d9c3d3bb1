/** That others have written is told before those who look for it are woken. */

import { expect, it } from 'vitest'
import { news, noNews } from '../../../../src-engine/store/hints.ts'
import { partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import type { PartitionReader } from '../../../../src-engine/store/redis/partition-reader.ts'
import type { FeedEnd } from '../../../../src-engine/store/redis/watching.ts'
import { createWatching } from '../../../../src-engine/store/redis/watching.ts'

it('with where the feed ended, once, whether it is news for anybody or not', async () => {
  const told: unknown[] = []
  // What a watching asks of a reader, and no more.
  const reader = {
    keys: partitionKeys('p', 0),
    texts: async () => ['1', '5', '5'],
  } as unknown as PartitionReader
  const watching = createWatching([reader], {
    heads: [{ epoch: 1, seq: 5 }],
    clock: { now: () => 0, after: () => () => undefined },
    hear: () => undefined,
    elsewhere: (partition: number, end: FeedEnd) => told.push([partition, end]),
  })
  watching.watch(0, (origin) => told.push(origin), 'news')
  const heard = async (seq: number, found: typeof noNews): Promise<readonly unknown[]> => {
    watching.heard(0, { epoch: 1, seq }, found)
    // Watchers are told in a microtask.
    await Promise.resolve()
    return told.splice(0)
  }
  expect(await heard(7, news.work)).toEqual([[0, { epoch: 1, seq: 7 }], 'elsewhere'])
  expect(await heard(7, news.work)).toEqual([])
  expect(await heard(6, noNews)).toEqual([])
  expect(await heard(8, noNews)).toEqual([[0, { epoch: 1, seq: 8 }]])
  // Told by a look already that there is more, but not what.
  expect(await heard(8, news.work)).toEqual([[0, { epoch: 1, seq: 8 }], 'elsewhere'])
  watching.wrote(0, { seq: 9, count: 1, found: news.work })
  await Promise.resolve()
  expect(told.splice(0)).toEqual(['own'])
  watching.stop()
})
