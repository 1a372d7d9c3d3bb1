/** Permits whose holders ended without giving them back: who waits for one has it soon, and nobody else loses any. */

import { beforeEach, expect, it } from 'vitest'
import type { SlotTake } from '../../../../src-engine/model/checkpoint.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import { partitionOf } from '../../../../src-engine/model/partition.ts'
import type { Millis } from '../../../../src-engine/model/time.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { accept, theInvocation, theRun } from '../../../conformance/scene.ts'
import {
  anInvocation,
  aRun,
  byOperator,
  moving,
  movingRun,
  start,
  starting,
} from '../../../conformance/story.ts'

const key = 'node:n'
const home = partitionOf(runId(key), 4)
/** A run of another partition than its permits are counted in. */
const run = aRun({ name: `r~p${(home + 1) % 4}` })
const step = anInvocation(run, 'n')
const own = aRun({ name: `own~p${home}` })

let raw: RawStore
let store: Store
/** How often a record was looked at. */
let looks: number

beforeEach(async () => {
  looks = 0
  const memory = createMemoryStore({ partitions: 4 })
  raw = {
    ...memory,
    load(partition, kind, input) {
      if (kind === 'run' || kind === 'invocation') looks += 1
      return memory.load(partition, kind, input)
    },
  }
  store = createPartitionedStore(raw)
  await accept(store, starting(run, [step]))
  await accept(store, starting(own))
})

const takeBy = (holder: string, by: string, more: Partial<SlotTake> = {}) => {
  const take = { key, holder, limit: 9, expiresAt: null, by, ...more }
  return raw.takeSlots(home, { takes: [take], at: start })
}
const holders = async () => (await store.load(0, 'slotHolders', { key })).map(({ holder }) => holder)
const endStep = async () =>
  accept(store, moving(await theInvocation(store, step.id), ['CANCELLED'], { actor: byOperator }))
const endRun = async () => {
  await endStep()
  await accept(store, movingRun(await theRun(store, run.id), 'CANCELLED'))
}
const release = (now: Millis) => store.releaseLeft?.(key, now)

it.for([
  ['a step', step.id, endStep],
  ['a run', run.id, endRun],
] as const)('of %s that has ended it is given back with the second look', async ([, holder, end]) => {
  await takeBy(holder, 'dead')
  await end()
  expect(await release(0)).toBe(0)
  // Whoever ended it may be about to give it back.
  expect(await release(999)).toBe(0)
  expect(await holders()).toEqual([holder])
  expect(await release(1_000)).toBe(1)
  expect(await holders()).toEqual([])
})

it('over a body stays after its step has ended, until nothing inside is at work any more', async () => {
  await takeBy(step.id, 'living')
  const inside = { key, holder: step.id }
  await raw.takeSlots((home + 1) % 4, { takes: [{ ...inside, limit: 9, expiresAt: null }], at: start })
  await endStep()
  for (let now = 0; now <= 8_000; now += 1_000) expect(await release(now)).toBe(0)
  expect(await holders()).toEqual([step.id])
  await raw.releaseSlots((home + 1) % 4, [inside])
  expect(await release(16_000)).toBe(1)
})

it('of what goes on it stays, and is looked at less and less often', async () => {
  await takeBy(step.id, 'living')
  for (let now = 0; now <= 128_000; now += 1_000) expect(await release(now)).toBe(0)
  expect(await holders()).toEqual([step.id])
  // After 1, 2, 4, 8, 16, 32, 62, 92 and 122 seconds.
  expect(looks).toBe(9)
})

it('is looked for once a second, however many wait for it', async () => {
  await takeBy(step.id, 'living')
  let reads = 0
  const load = raw.load.bind(raw)
  raw.load = (partition, kind, input) => {
    if (kind === 'slotHolders') reads += 1
    return load(partition, kind, input)
  }
  for (let now = 0; now < 10_000; now += 100) await release(now)
  expect(reads).toBe(10)
})

it('that was taken anew since stays, and so does one by another name than was seen', async () => {
  await takeBy(run.id, 'dead')
  await release(0)
  await raw.releaseSlots(home, [{ key, holder: run.id }])
  await takeBy(run.id, 'another')
  await endRun()
  expect(await release(1_000)).toBe(0)
  expect(await holders()).toEqual([run.id])
  expect(await release(2_000)).toBe(1)
})

it('which comes free by itself, or with its holder’s own end, is left alone', async () => {
  await takeBy(step.id, 'rate', { expiresAt: start + 1_000_000 })
  await takeBy(own.id, 'own')
  await endStep()
  await accept(store, movingRun(await theRun(store, own.id), 'CANCELLED'))
  for (let now = 0; now < 10_000; now += 1_000) expect(await release(now)).toBe(0)
  expect(await holders()).toHaveLength(2)
})

it('of a holder that nobody can ask is left alone, and the others are given back', async () => {
  const away = aRun({ name: `away~p${(home + 2) % 4}` })
  await accept(store, starting(away))
  await takeBy(away.id, 'away')
  await takeBy(step.id, 'dead')
  await endStep()
  await release(0)
  const load = raw.load.bind(raw)
  raw.load = async (partition, kind, input) => {
    if (partition === (home + 2) % 4) throw new Error('nobody is there')
    return load(partition, kind, input)
  }
  expect(await release(1_000)).toBe(1)
  expect(await holders()).toEqual([away.id])
})
