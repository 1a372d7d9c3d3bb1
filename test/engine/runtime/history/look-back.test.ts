/** Looking back through a history that is only a list: slices, long checkpoints, stretches without events, epochs. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../../../src-engine/model/event.ts'
import { opId } from '../../../../src-engine/model/ids.ts'
import type { FoundBack, LookBack } from '../../../../src-engine/runtime/history/look-back.ts'
import { lookBack } from '../../../../src-engine/runtime/history/look-back.ts'
import { placesBefore } from '../../../../src-engine/runtime/history/places.ts'
import type { EventQuery } from '../../../../src-engine/store/store.ts'
import { createRandomSource } from '../../../support/random-source.ts'

interface Made {
  readonly partition: number
  readonly epoch: number
  readonly seq: number
  readonly at: number
  readonly op: string
  readonly isWanted: boolean
}

const eventOf = ({ partition, epoch, seq, at, op, isWanted }: Made): EngineEvent => ({
  ...{ partition, epoch, seq, at, opId: opId(op), prevHash: '', hash: '', runId: null, invocationId: null },
  actor: { kind: 'operator', id: null },
  cause: { kind: isWanted ? 'wanted' : 'other', by: null, detail: null },
  body: { type: 'register.changed', key: 'k', value: null },
})

function storeOf(made: readonly Made[]) {
  let reads = 0
  const byPartition = Map.groupBy(made.map(eventOf), ({ partition }) => partition)
  return {
    reads: () => reads,
    readEvents: async ({ after, until, limit }: EventQuery) => {
      reads += 1
      const events = byPartition.get(after.partition) ?? []
      const newest = events.at(-1)?.epoch ?? 0
      const start = firstAfter(events, after)
      const found = events.slice(start, start + limit)
      return found.filter(({ epoch, seq }) => until === null || epoch < newest || seq <= until)
    },
  }
}

/** Where the events after a place begin. */
function firstAfter(events: readonly EngineEvent[], after: EventQuery['after']): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { epoch, seq } = events[middle] as EngineEvent
    if (epoch > after.epoch || (epoch === after.epoch && seq > after.seq)) high = middle
    else low = middle + 1
  }
  return low
}

/** Partitions with epochs, checkpoints of many sizes, and stretches that were pruned. */
function history(seed: number): readonly Made[] {
  const { below } = createRandomSource(String(seed))
  const made: Made[] = []
  for (let partition = 0; partition < 1 + below(3); partition += 1) {
    let at = below(100)
    for (let epoch = 1; epoch <= 1 + below(3); epoch += 1) {
      let seq = 0
      for (let op = below(40); op > 0; op -= 1) {
        if (below(10) === 0) seq += below(20_000)
        const size = below(20) === 0 ? 1 + below(1_500) : 1 + below(4)
        const isWanted = below(4) === 0
        at += below(5)
        for (let count = 0; count < size; count += 1) {
          seq += 1
          made.push({
            partition,
            epoch,
            seq,
            at,
            op: `${partition}/${epoch}/${op}`,
            isWanted: isWanted && count === 0,
          })
        }
      }
    }
  }
  return made
}

const tellOf = (events: readonly EngineEvent[]): string | null =>
  events[0]?.cause.kind === 'wanted' ? events[0].opId : null

const endsOf = (made: readonly Made[]) =>
  [...new Map(made.map((each) => [each.partition, each])).values()].map(({ partition, epoch, seq }) => ({
    ...{ partition, epoch, seq },
  }))

async function all(made: readonly Made[], wanted: number): Promise<readonly FoundBack<string>[]> {
  const store = storeOf(made)
  const found: FoundBack<string>[] = []
  for (let from: LookBack<string>['next'] = endsOf(made); from !== null; ) {
    const page: LookBack<string> = await lookBack(store, { from, wanted, tellOf })
    expect(page.found.length).toBeLessThanOrEqual(wanted)
    found.push(...page.found)
    from = page.next
  }
  return found
}

it.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'finds everything once, newest first, whatever the history is like (%i)',
  async (seed) => {
    const made = history(seed)
    const found = await all(made, 1 + (seed % 7))
    expect(found.map((each) => each.found).sort()).toEqual(
      made
        .filter(({ isWanted }) => isWanted)
        .map(({ op }) => op)
        .sort(),
    )
    const instants = found.map(({ at }) => at)
    expect(instants).toEqual(instants.toSorted((a, b) => b - a))
  },
)

it('a look ends where it has read enough, and says how far it came', async () => {
  const made = Array.from({ length: 50_000 }, (_, index) => ({
    ...{ partition: 0, epoch: 1, seq: index + 1, at: index, op: String(index), isWanted: index === 10 },
  }))
  const store = storeOf(made)
  const first = await lookBack(store, { from: endsOf(made), wanted: 10, tellOf })
  expect(first.found).toEqual([])
  expect(first.since).toBeGreaterThan(25_000)
  expect(first.since).toBeLessThan(35_000)
  expect(await all(made, 10)).toMatchObject([{ found: '10' }])
})

it('what was pruned is passed in long strides', async () => {
  const made = [1, 2, 9_999_999, 10_000_000].map((seq) => ({
    ...{ partition: 0, epoch: 1, seq, at: seq, op: String(seq), isWanted: true },
  }))
  const store = storeOf(made)
  const { found, next } = await lookBack(store, { from: endsOf(made), wanted: 10, tellOf })
  expect(found.map((each) => each.found)).toEqual(['10000000', '9999999', '2', '1'])
  expect(next).toBeNull()
  expect(store.reads()).toBeLessThan(60)
})

it('what happened before an instant is neither looked for nor read', async () => {
  const made = Array.from({ length: 15_000 }, (_, index) => ({
    ...{ partition: 0, epoch: 1, seq: index + 1, at: index, op: String(index), isWanted: index % 100 === 0 },
  }))
  const store = storeOf(made)
  const { found, next } = await lookBack(store, {
    from: endsOf(made),
    ...{ wanted: 1_000, tellOf, notBefore: 14_650 },
  })
  expect(found.map((each) => each.found)).toEqual(['14900', '14800', '14700'])
  expect(next).toBeNull()
  expect(store.reads()).toBeLessThan(5)
})

it('a page ends where enough was found, by its size', async () => {
  const made = Array.from({ length: 10 }, (_, index) => ({
    ...{ partition: 0, epoch: 1, seq: index + 1, at: index, op: String(index), isWanted: true },
  }))
  const from = endsOf(made)
  const page = await lookBack(storeOf(made), { from, wanted: 5, tellOf, sizeOf: () => 2 })
  expect(page.found.map((each) => each.found)).toEqual(['9', '8', '7'])
  expect(page.next).toEqual([{ partition: 0, epoch: 1, seq: 7 }])
})

it('the place of an instant is found by halving, past what was pruned', async () => {
  const made = Array.from({ length: 60_000 }, (_, index) => ({
    ...{ partition: 0, epoch: 1, seq: index < 30_000 ? index + 1 : index + 500_001 },
    ...{ at: index * 10, op: String(index), isWanted: false },
  }))
  const store = { ...storeOf(made), info: { partitions: [0] }, load: async () => endsOf(made)[0] }
  const at = (instant: number) => placesBefore(store as never, instant)
  expect(await at(1_000)).toEqual([{ partition: 0, epoch: 1, seq: 100 }])
  expect(await at(300_010)).toEqual([{ partition: 0, epoch: 1, seq: 530_001 }])
  expect(await at(0)).toEqual([{ partition: 0, epoch: 1, seq: 0 }])
  expect(await at(1e9)).toEqual(endsOf(made))
  expect(store.reads()).toBeLessThan(100)
})
