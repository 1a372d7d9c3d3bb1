/** S2: many steps wait in the queue. */

import { join } from 'node:path'
import type { Store } from '../../src-engine/store/store.ts'
import { bareRows } from './bare-rows.ts'
import { claim, complete, enqueue } from './one-step.ts'
import { cpuMicros, ownMemoryMib } from './own-cost.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, quantile, timed } from './scale-row.ts'

const few = 1_000
const batch = 10
const batchesPerRound = 10
const rounds = 60
/** As many rows of each table are put into another file. */
const bareMax = 50_000
/** Queued and drained before anything is measured: code is compiled and caches are full. */
const warmUp = 10_000

/** One batch after the other from the front of a queue, to their end. */
async function drain(store: Store, batches: number): Promise<void> {
  for (let index = 0; index < batches; index += 1) {
    const claimed = await claim(store, batch)
    await Promise.all(claimed.map((item) => complete(store, item)))
  }
}

/** Time and processor time of a round on each queue, in turns, so that both meet the same machine. */
async function drainInTurns(long: Store, short: Store, next: () => number) {
  const ms: number[] = []
  const cpu: number[] = []
  const micros = { long: 0, short: 0 }
  const read = async (store: Store) => {
    let used = 0
    const span = await timed(async () => {
      used = await cpuMicros(() => drain(store, batchesPerRound))
    })
    return { ms: span.ms, used }
  }
  for (let round = 0; round < rounds; round += 1) {
    await inFlight(batch * batchesPerRound, 500, () => enqueue(short, next()))
    // Who comes first finds the caches of the processor as the other left them.
    const first = round % 2 === 0 ? short : long
    const one = await read(first)
    const other = await read(first === short ? long : short)
    const [ofShort, ofLong] = first === short ? [one, other] : [other, one]
    ms.push(ofShort.ms / ofLong.ms)
    cpu.push(ofShort.used / ofLong.used)
    micros.short += ofShort.used
    micros.long += ofLong.used
  }
  return { ms, cpu, micros }
}

/** What it takes to queue so many. */
async function fill(store: Store, many: number, next: () => number) {
  // Whoever looks at what is left of memory throws compiled code away, too.
  await inFlight(warmUp, 500, () => enqueue(store, next()))
  let cpu = 0
  const filled = await timed(async () => {
    cpu = await cpuMicros(() => inFlight(many, 500, () => enqueue(store, next())))
  })
  return { filled, cpu }
}

export async function queued(bench: Bench, many: number): Promise<readonly ScaleRow[]> {
  const store = await bench.open()
  const other = await bench.open('few')
  let next = warmUp
  for (const warmed of [store, other]) {
    await inFlight(warmUp, 500, (index) => enqueue(warmed, index))
    await drain(warmed, warmUp / batch)
  }
  await inFlight(few, 500, () => enqueue(other, (next += 1)))
  const before = ownMemoryMib()
  const { filled, cpu } = await fill(store, many, () => (next += 1))
  const grown = ownMemoryMib() - before
  await (await bench.open('bare')).close()
  const file = (name: string): string => join(bench.directory, name, 'sagasmith.db')
  const bare = await bareRows({ from: file('first'), to: file('bare') }, Math.min(many, bareMax))
  const drained = await drainInTurns(store, other, () => (next += 1))
  await store.close()
  await other.close()
  const perRun = (micros: number): string => (micros / rounds / batchesPerRound / batch).toFixed(0)
  const { long, short } = drained.micros
  bench.say(`processor time per drained run: ${perRun(long)} us, ${perRun(short)} us with ${few} queued`)
  bench.say(`processor time per queued run: ${(cpu / many).toFixed(1)} us`)
  bench.say(
    `its rows alone, by bare statements: 100,000 in ${(bare.ms * 100).toFixed(2)} s, ${bare.cpu.toFixed(1)} us each`,
  )
  return [
    {
      goal: 'S2',
      what: `drain rate: ${many} queued vs ${few}, median of pairs`,
      unit: '%',
      gate: 90,
      atLeast: true,
      found: quantile(drained.ms, 0.5) * 100,
    },
    {
      goal: 'S2',
      what: `drain, processor time: ${few} queued vs ${many}`,
      unit: '%',
      gate: 90,
      atLeast: true,
      found: quantile(drained.cpu, 0.5) * 100,
    },
    {
      goal: 'S2',
      what: 'queue 100,000 (as measured per run)',
      unit: 's',
      gate: 2,
      found: (filled.ms / 1_000 / many) * 100_000,
    },
    {
      goal: 'S2',
      what: 'queue 100,000, processor time',
      unit: 's',
      gate: 2,
      found: (cpu / 1_000_000 / many) * 100_000,
    },
    {
      goal: 'S2',
      what: 'queueing against its rows alone, by bare statements',
      unit: 'x',
      gate: 2,
      found: filled.ms / many / bare.ms,
    },
    { goal: 'S2', what: 'memory that queueing took', unit: 'MiB', gate: 10, found: grown },
  ]
}
