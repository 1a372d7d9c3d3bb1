/** What a store's journal does beside replays: what it notes, and for how long claims wait. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packEvents } from '../../../../../src-engine/model/event-codec.ts'
import type { OpId } from '../../../../../src-engine/model/ids.ts'
import { opId, runId, storeId } from '../../../../../src-engine/model/ids.ts'
import type { ReplayReport } from '../../../../../src-engine/store/redis/journal/journal-options.ts'
import { WriteJournal } from '../../../../../src-engine/store/redis/journal/write-journal.ts'
import { partitionKeys } from '../../../../../src-engine/store/redis/layout.ts'
import { newPartitionState, newSeenRooms } from '../../../../../src-engine/store/redis/partition-state.ts'
import type { Router } from '../../../../../src-engine/store/redis/router.ts'
import { opTagOf } from '../../../../../src-engine/store/redis/tokens.ts'
import type { Unit, UnitAnswer } from '../../../../../src-engine/store/redis/unit.ts'
import { aUnit, FakePartition } from './fake-partition.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-journal-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A process with a journal; one with a name keeps it in a file. */
function scene({ partition = new FakePartition(), writerId = '' } = {}) {
  const clock = { now: 1_000, timers: [] as { readonly at: number; readonly call: () => void }[] }
  let waited = 0
  const reports: ReplayReport[] = []
  /** What the run's history holds: groups of events. */
  const texts: string[] = []
  const router: Router = {
    topology: () => ({ isCluster: false, masters: [], nodes: [], ownerOf: () => null }),
    ownerOf: () => 'somewhere:1',
    ask: async (_, [name, key, field]) => {
      if (name === 'LRANGE') return texts.map((_text, index) => `1-${index} ${opTagOf(begun)}`)
      if (name === 'XRANGE') return [[field, ['b', texts[Number(String(field).slice(2))]]]]
      if (name === 'HGET') return partition.tokens.get(String(key)) ?? String(field)
      return partition.boundaries.flatMap(({ epoch, foundAt }) => [
        `from:${epoch}`,
        `${foundAt.epoch}-${foundAt.seq}`,
      ])
    },
    askNode: async () => '',
    close: () => {},
  }
  const state = newPartitionState(partitionKeys('s', 0), { epoch: 1, seq: 0, rooms: newSeenRooms() })
  const journal = new WriteJournal({
    router,
    clock: {
      now: () => clock.now,
      after(span, call) {
        const timer = { at: waited + span, call }
        clock.timers.push(timer)
        return () => clock.timers.splice(clock.timers.indexOf(timer), 1)
      },
    },
    storeId: storeId('s'),
    writerId,
    states: [state],
    options: {
      directory,
      holdMs: 1_000,
      onReplayed: (report) => reports.push(report),
      onTrouble: () => {},
    },
    persists: writerId !== '',
  })
  const written: Unit[] = []
  const bringBack = () =>
    journal.bringBack(state, async (units) => {
      written.push(...units)
      return { kind: 'done', seq: partition.place.seq, answers: partition.write(units) }
    })
  const wait = (ms: number): void => {
    waited += ms
    for (const timer of clock.timers.filter(({ at }) => at <= waited)) {
      clock.timers.splice(clock.timers.indexOf(timer), 1)
      timer.call()
    }
  }
  return { partition, clock, state, journal, written, bringBack, wait, reports, texts }
}

const begun = opId('start:run')

/** What a process wrote that began the run: several who are asked for the same do so under one name. */
function beginning(partition: FakePartition, by: string): Unit & { readonly opId: OpId } {
  const unit = aUnit(partition, begun, ['run'])
  const id = runId('run')
  const group = { epoch: 1, runId: id, at: 0, opId: begun, actor: { kind: 'operator', id: by } } as const
  const cause = { kind: 'manual', by: null, detail: null } as const
  const body = { type: 'run.changed', from: 'CREATED', to: 'RUNNING', set: {} } as const
  const text = packEvents(group, [{ runId: id, invocationId: null, cause, body }])
  const hashes = unit.hashes.map((hash) => ({
    ...hash,
    written: hash.written.map((one) => ({ ...one, token: `${one.token} ${by}` })),
  }))
  return { ...unit, hashes, parts: [{ groups: null, runId: id, count: 1, digest: '', opTag: '', text }] }
}

test.for([
  ['another', 0, [begun]],
  ['itself', 1, []],
] as const)(
  'where the same was begun anew by %s, under the same name, it is told so',
  async ([by, there, gone]) => {
    const { partition, state, journal, bringBack, reports, texts } = scene()
    const before = partition.copy()
    const unit = beginning(partition, 'itself')
    partition.write([unit])
    journal.note(state, { epoch: 1, seq: 1, units: [unit], answers: [{ kind: 'written', fresh: [] }] })
    partition.goBack(before)
    const since = beginning(partition, by)
    partition.write([since, aUnit(partition, opId('more'), ['run'])])
    texts.push(since.parts[0]?.text ?? '')
    state.epoch = 2
    await bringBack()
    expect(reports.map((report) => [report.there, report.gone.map((op) => op.opId)])).toEqual([[there, gone]])
  },
)

test('who watches for losses is told of one, and waits for a replica that is away only so long', async () => {
  const { partition, state, journal, bringBack, wait } = scene()
  const before = partition.copy()
  expect(await journal.watchLosses()()).toBe(true)
  const lost = journal.watchLosses()
  const unit = beginning(partition, 'itself')
  partition.write([unit])
  journal.note(state, { epoch: 1, seq: 1, units: [unit], answers: [{ kind: 'written', fresh: [] }] })
  const away = journal.watchLosses()()
  wait(10_000)
  expect(await away).toBe(true)
  const told = lost()
  partition.goBack(before)
  partition.write([beginning(partition, 'another'), aUnit(partition, opId('more'), ['run'])])
  state.epoch = 2
  await bringBack()
  expect(await told).toBe(false)
})

const toldIn = (reports: readonly ReplayReport[]): readonly (readonly [OpId, string])[] =>
  reports.flatMap(({ gone }) => gone.map((op) => [op.opId, op.why] as const))

/** Something that others have overtaken is given up, and nobody is told yet, for more waits for what it builds on. */
async function givenUpUntold() {
  const here = scene({ writerId: 'first' })
  const { partition, state, journal, bringBack } = here
  const before = partition.copy()
  const overtaken = beginning(partition, 'itself')
  partition.write([overtaken, aUnit(partition, opId('of another process'), ['b'])])
  const waits = aUnit(partition, opId('waits'), ['b'])
  partition.write([waits])
  const answers = [{ kind: 'written', fresh: [] }] as const
  journal.note(state, { epoch: 1, seq: 1, units: [overtaken], answers })
  journal.note(state, { epoch: 1, seq: 3, units: [waits], answers })
  partition.goBack(before)
  partition.write([beginning(partition, 'another'), aUnit(partition, opId('more'), ['run'])])
  state.epoch = 2
  const watched = journal.watchLosses()
  void bringBack()
  await quiet()
  expect(here.reports).toEqual([])
  return { ...here, watched }
}

/** Nothing moves before time goes on. */
const quiet = (): Promise<void> => new Promise(setImmediate)

/** Until patience has ended. */
async function untilTold(here: ReturnType<typeof scene>): Promise<void> {
  for (let waits = 0; waits < 100 && here.reports.length === 0; waits += 1) {
    await quiet()
    here.wait(250)
  }
}

const allTold = [
  [begun, 'overtaken'],
  ['waits', 'unfounded'],
]

test('what was given up is told by the next process where its own died before it told', async () => {
  const { partition, journal } = await givenUpUntold()
  journal.close()
  const next = scene({ partition, writerId: 'next' })
  next.state.epoch = 2
  expect(next.journal.adopt()).toEqual([0])
  void next.bringBack()
  await untilTold(next)
  expect(toldIn(next.reports)).toEqual(allTold)
  next.journal.close()
  expect(scene({ partition, writerId: 'last' }).journal.adopt()).toEqual([])
})

test('what was given up is told once where another replay takes the place of its own', async () => {
  const here = await givenUpUntold()
  // As after a late answer of the server that led before.
  void here.bringBack()
  await untilTold(here)
  await untilTold(here)
  expect(toldIn(here.reports)).toEqual(allTold)
})

test('who watches for losses is told of what was given up before others are told of it', async () => {
  const { watched, wait } = await givenUpUntold()
  const told = watched()
  wait(10_000)
  expect(await told).toBe(false)
})

test('claims wait a second, also where the wall clock jumps back meanwhile', async () => {
  const { clock, journal, bringBack, wait } = scene()
  await bringBack()
  expect(journal.holds(0)).toBe(true)
  clock.now -= 3_600_000
  wait(999)
  expect(journal.holds(0)).toBe(true)
  wait(1)
  expect(journal.holds(0)).toBe(false)
})

test.for<UnitAnswer>([{ kind: 'written', fresh: [] }, { kind: 'there' }])(
  'what was $kind is brought back when it is lost: an answer to it may have got lost, and it was sent again',
  async (answer) => {
    const { partition, state, journal, written, bringBack } = scene()
    const before = partition.copy()
    const unit = aUnit(partition, opId('op'), ['record'])
    partition.write([unit])
    journal.note(state, { epoch: 1, seq: 1, units: [unit], answers: [answer] })
    partition.goBack(before)
    state.epoch = 2
    await bringBack()
    expect(written.map((one) => one.opId)).toEqual(['op'])
    expect(partition.ops).toEqual(['op'])
  },
)

test.for([
  { epoch: 1, again: 1 },
  { epoch: 2, again: 0 },
])(
  'what a server of epoch $epoch took is looked at again where the second has begun: $again times',
  ({ epoch, again }) => {
    const { partition, state, journal } = scene()
    let looks = 0
    journal.bringBackAgain = () => {
      looks += 1
    }
    const unit = aUnit(partition, opId('op'), ['record'])
    state.epoch = 2
    journal.note(state, { epoch, seq: 1, units: [unit], answers: [{ kind: 'written', fresh: [] }] })
    expect(looks).toBe(again)
  },
)
