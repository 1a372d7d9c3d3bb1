/** Which permits are taken again by what comes back late, and what comes of those that others have by then. */

import { expect, test } from 'vitest'
import type { SlotRelease, SlotTake } from '../../../../../src-engine/model/checkpoint.ts'
import { opId } from '../../../../../src-engine/model/ids.ts'
import { graceMs } from '../../../../../src-engine/store/partitioned/repair.ts'
import type { JournalEntry } from '../../../../../src-engine/store/redis/journal/entry.ts'
import { lateMs, lateTakes } from '../../../../../src-engine/store/redis/journal/late-takes.ts'
import { OpJournal } from '../../../../../src-engine/store/redis/journal/op-journal.ts'
import { giveUpRest, newReplay, tryReplay } from '../../../../../src-engine/store/redis/journal/replay.ts'
import { emptyUnit } from '../../../../../src-engine/store/redis/unit.ts'
import { aUnit, FakePartition } from './fake-partition.ts'

const own: SlotTake = { key: 'here', holder: 'run', limit: 1, expiresAt: null }
const elsewhere: SlotTake = { ...own, key: 'there' }
const rate: SlotTake = { ...elsewhere, expiresAt: 70_000 }

const homeOf = (key: string): number => (key === 'here' ? 0 : 1)

const entryOf = (
  number: number,
  { takes = [], releases = [] }: { takes?: readonly SlotTake[]; releases?: readonly SlotRelease[] },
): JournalEntry => ({
  ...{ number, turn: number, partition: 0, opId: opId(`op${number}`), notedAt: 100_000, size: 1 },
  place: { epoch: 1, seq: number },
  unit: { ...emptyUnit, takes, releases },
})

const start = entryOf(1, { takes: [own, elsewhere, rate] })

test('no repair gives back what would not be taken again', () => {
  expect(lateMs).toBeLessThan(graceMs)
})

test.for([
  ['at once nobody can have got what it had', 100_000 + lateMs - 1, []],
  ['late others may have what is counted elsewhere and comes free by nobody', 100_000 + lateMs, [elsewhere]],
  ['a clock that was set back tells nothing', 99_999, [elsewhere]],
] as const)('%s', ([, now, takes]) => {
  expect(lateTakes(start, [start], { now, homeOf })).toEqual(takes)
})

test('what is given back by what comes back with it is not taken', () => {
  const end = entryOf(2, { releases: [elsewhere] })
  const before = entryOf(0, { releases: [elsewhere] })
  const of = (waiting: readonly JournalEntry[]) => lateTakes(start, waiting, { now: 200_000, homeOf })
  expect(of([start, end])).toEqual([])
  expect(of([before, start, entryOf(2, { releases: [{ ...elsewhere, holder: 'other' }] })])).toEqual([
    elsewhere,
  ])
})

/** A run that was started and went on, one of them with a permit, both of which are lost; `room` answers who would take it again. */
function scene(room: () => boolean, taker: 'start' | 'on' = 'start') {
  const partition = new FakePartition()
  const before = partition.copy()
  const journal = new OpJournal(null)
  const asked: string[] = []
  for (const name of ['start', 'on']) {
    const unit = { ...aUnit(partition, opId(name), ['run']), takes: name === taker ? [elsewhere] : [] }
    partition.write([unit])
    journal.note(0, { opId: opId(name), unit, place: partition.place, at: 0 })
  }
  partition.goBack(before)
  const target = {
    ...partition.target(),
    lateTakes: ({ unit }: JournalEntry) => unit.takes,
    takeAgain: async (entry: JournalEntry, takes: readonly SlotTake[]) => {
      asked.push(...takes.map(({ key }) => `${entry.opId} ${key}`))
      return room()
    },
  }
  const replay = newReplay(journal.entriesOf(0))
  return { partition, journal, asked, replay, turn: () => tryReplay(target, journal, replay) }
}

test('a late one waits for its permit, and what builds on it waits with it', async () => {
  let hasRoom = false
  const { partition, replay, asked, turn } = scene(() => hasRoom)
  await turn()
  expect(partition.ops).toEqual([])
  hasRoom = true
  await turn()
  expect(partition.ops).toEqual(['start', 'on'])
  expect(replay.gone).toEqual([])
  expect(asked).toEqual(['start there', 'start there'])
})

test('one that builds on what comes back in the same breath takes its permit first', async () => {
  const crowded = scene(() => false, 'on')
  await crowded.turn()
  expect(crowded.partition.ops).toEqual(['start'])
  const { partition, asked, turn } = scene(() => true, 'on')
  await turn()
  expect(asked).toEqual(['on there'])
  expect(partition.ops).toEqual(['start', 'on'])
})

test('one whose permit others keep is lost, and told as that', async () => {
  const { partition, journal, replay, turn } = scene(() => false)
  await turn()
  giveUpRest(journal, replay, 'unfounded')
  expect(partition.ops).toEqual([])
  expect(replay.gone.map(({ opId: name, why }) => [name, why])).toEqual([
    ['start', 'no-room'],
    ['on', 'unfounded'],
  ])
})

test('one that others have overtaken takes no permit', async () => {
  const { partition, replay, asked, turn } = scene(() => true)
  partition.write([aUnit(partition, opId('other'), ['run'])])
  await turn()
  expect(asked).toEqual([])
  expect(replay.gone.map(({ why }) => why)).toEqual(['overtaken', 'overtaken'])
})
