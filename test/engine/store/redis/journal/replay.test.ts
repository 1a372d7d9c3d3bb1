/** A hundred made-up failovers: what processes bring back together, in any order, and what they list. */

import { expect, test } from 'vitest'
import type { OpId } from '../../../../../src-engine/model/ids.ts'
import { opId } from '../../../../../src-engine/model/ids.ts'
import { assert } from '../../../../../src-engine/model/result.ts'
import { isLostBy } from '../../../../../src-engine/store/redis/journal/boundaries.ts'
import { OpJournal } from '../../../../../src-engine/store/redis/journal/op-journal.ts'
import type { Replay } from '../../../../../src-engine/store/redis/journal/replay.ts'
import { giveUpRest, newReplay, tryReplay } from '../../../../../src-engine/store/redis/journal/replay.ts'
import type { Unit } from '../../../../../src-engine/store/redis/unit.ts'
import { checksOf, emptyUnit } from '../../../../../src-engine/store/redis/unit.ts'
import type { RandomSource } from '../../../../support/random-source.ts'
import { createRandomSource } from '../../../../support/random-source.ts'
import { aUnit, FakePartition } from './fake-partition.ts'

const runners = 3
const records = 4

/** Runners that work on one partition, each with a journal. */
class Scene {
  readonly partition = new FakePartition()
  readonly random: RandomSource
  readonly journals = Array.from({ length: runners }, () => new OpJournal(null))
  readonly units = new Map<OpId, Unit>()
  #ops = 0

  constructor(seed: number) {
    this.random = createRandomSource(`replay ${seed}`)
  }

  /** Some runner moves one record or two, and notes it. */
  work(): OpId {
    const { partition, random } = this
    const id = opId(`op${(this.#ops += 1)}`)
    const keys = new Set(Array.from({ length: 1 + random.below(2) }, () => `record ${random.below(records)}`))
    const unit = aUnit(partition, id, [...keys])
    const [answer] = partition.write([unit])
    assert(answer?.kind === 'written', 'who has just looked is right')
    this.units.set(id, unit)
    const journal = this.journals[random.below(runners)]
    journal?.note(0, { opId: id, unit, place: partition.place, at: 0 })
    return id
  }

  /** Each one's own operations that are gone, as it finds them out. */
  lost(): readonly Replay[] {
    const { boundaries } = this.partition
    return this.journals.map((journal) =>
      newReplay(journal.entriesOf(0).filter(({ place }) => isLostBy(boundaries, place))),
    )
  }

  /** Replays in turns, in any order, until nobody gets any further; `between` happens after each turn. */
  async replay(replays: readonly Replay[], between: () => void = () => undefined): Promise<void> {
    const { random, journals, partition } = this
    const waiting = (): number => replays.reduce((sum, replay) => sum + replay.waiting.length, 0)
    for (let idle = 0, before = waiting(); idle < runners * 8 && before > 0; ) {
      const who = idle < runners ? random.below(runners) : idle % runners
      const [journal, replay] = [journals[who], replays[who]]
      if (journal === undefined || replay === undefined) continue
      await tryReplay(partition.target(), journal, replay)
      between()
      idle = waiting() < before ? 0 : idle + 1
      before = waiting()
    }
    for (const [who, replay] of replays.entries()) {
      const journal = journals[who]
      if (journal !== undefined) giveUpRest(journal, replay, 'unfounded')
    }
  }
}

const seeds = Array.from({ length: 100 }, (_, seed) => seed)

test('where nobody has gone on, all of it comes back, whoever begins, and however often it is lost', async () => {
  for (const seed of seeds) {
    const scene = new Scene(seed)
    const { partition, random } = scene
    const copies = [partition.copy()]
    for (let count = 0; count < 40; count += 1) {
      scene.work()
      if (random.below(8) === 0) copies.push(partition.copy())
    }
    const before = new Map(partition.tokens)
    for (let failover = 0; failover < 3; failover += 1) {
      partition.goBack(copies[random.below(copies.length)] ?? partition.copy())
      const replays = scene.lost()
      const count = replays.reduce((sum, { waiting }) => sum + waiting.length, 0)
      await scene.replay(replays)
      expect(replays.flatMap(({ gone }) => gone)).toEqual([])
      expect(replays.reduce((sum, { broughtBack, there }) => sum + broughtBack + there, 0)).toBe(count)
      expect(partition.tokens, `seed ${seed}`).toEqual(before)
      expect(new Set(partition.ops).size).toBe(partition.ops.length)
      if (random.below(2) === 0) copies.push(partition.copy())
    }
  }
})

test('of a runner that is gone only what builds on it is lost with it, and each of that is listed', async () => {
  for (const seed of seeds) {
    const scene = new Scene(seed)
    const { partition } = scene
    for (let count = 0; count < 10; count += 1) scene.work()
    const copy = partition.copy()
    const lostOps = Array.from({ length: 20 }, () => scene.work())
    partition.goBack(copy)
    const replays = scene.lost().map((replay, who) => (who === 0 ? newReplay([]) : replay))
    const dead = new Set(scene.journals[0]?.entriesOf(0).map((entry) => entry.opId))
    // What is founded: all that it believes is there, or comes with what is founded.
    const there = new Set([...copy.tokens].map(([key, token]) => `${key} ${token}`))
    const founded: OpId[] = []
    for (const id of lostOps) {
      const checks = [...checksOf(scene.units.get(id) ?? emptyUnit)]
      const isFounded = checks.every(
        ({ key, believed }) => believed === '' || there.has(`${key} ${believed}`),
      )
      if (dead.has(id) || !isFounded) continue
      founded.push(id)
      for (const { key, written } of checks) there.add(`${key} ${written}`)
    }
    await scene.replay(replays)
    const back = partition.ops.filter((id) => lostOps.includes(id))
    expect(new Set(back), `seed ${seed}`).toEqual(new Set(founded))
    const listed = replays.flatMap(({ gone }) => gone.map((lost) => lost.opId))
    const rest = lostOps.filter((id) => !dead.has(id) && !founded.includes(id))
    expect(new Set(listed)).toEqual(new Set(rest))
  }
})

test('beside new work nothing is forced, and every operation is there or listed', async () => {
  let overtaken = 0
  for (const seed of seeds) {
    const scene = new Scene(seed)
    const { partition, random } = scene
    for (let count = 0; count < 10; count += 1) scene.work()
    const copy = partition.copy()
    for (let count = 0; count < 20; count += 1) scene.work()
    partition.goBack(copy)
    const replays = scene.lost()
    const lost = replays.flatMap(({ waiting }) => waiting.map((entry) => entry.opId))
    const fresh: OpId[] = []
    await scene.replay(replays, () => {
      if (random.below(6) === 0) fresh.push(scene.work())
    })
    const listed = replays.flatMap(({ gone }) => gone.map((one) => one.opId))
    overtaken += listed.length
    for (const id of lost) {
      const isThere = partition.ops.includes(id)
      expect(isThere !== listed.includes(id), `seed ${seed}: ${id} is there or listed`).toBe(true)
    }
    // Whatever each one was built on was there when it came: the order of all tells.
    const held = new Map<string, string>()
    for (const id of partition.ops) {
      for (const { key, believed, written } of checksOf(scene.units.get(id) ?? emptyUnit)) {
        expect(held.get(key) ?? '', `seed ${seed}: ${id}`).toBe(believed)
        held.set(key, written)
      }
    }
    for (const id of fresh) expect(partition.ops).toContain(id)
  }
  expect(overtaken, 'the seeds have both').toBeGreaterThan(30)
})

test('what two bring back of the same journal is there once', async () => {
  const scene = new Scene(1)
  const { partition } = scene
  const copy = partition.copy()
  for (let count = 0; count < 20; count += 1) scene.work()
  partition.goBack(copy)
  const [first, second] = [scene.lost(), scene.lost()]
  await scene.replay(first)
  const ops = [...partition.ops]
  await scene.replay(second)
  expect(partition.ops).toEqual(ops)
  expect(second.flatMap(({ gone }) => gone)).toEqual([])
  expect(second.reduce((sum, { there }) => sum + there, 0)).toBe(20)
})
