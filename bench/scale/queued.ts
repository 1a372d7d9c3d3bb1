/** S2: many steps wait in the queue. */

import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Store } from '../../src-engine/store/store.ts'
import { claim, complete, enqueue } from './one-step.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, quantile, timed } from './scale-row.ts'

const few = 1_000
const batch = 10
const rounds = 400
/** Queued and drained before anything is measured: code is compiled and caches are full. */
const warmUp = 10_000

setFlagsFromString('--expose-gc')
// The flag counts for contexts that are made from now on.
const collect = runInNewContext('gc') as () => void

/**
 * The share of memory that is this process's own, in MiB, without garbage and without what the heap keeps free
 * for new objects; all that is resident where the system doesn't tell.
 */
function memoryMib(): number {
  collect()
  const { heapTotal, heapUsed, rss } = process.memoryUsage()
  const free = (heapTotal - heapUsed) / 2 ** 20
  try {
    const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))
    return Number(pss?.[1] ?? 0) / 1_024 - free
  } catch {
    // Not Linux.
    return rss / 2 ** 20 - free
  }
}

interface Drained {
  readonly ms: number[]
  cpuMicros: number
}

/** One batch from the front of a queue, to its end. */
async function drain(store: Store, drained: Drained): Promise<void> {
  const cpu = process.cpuUsage()
  const { ms } = await timed(async () => {
    const claimed = await claim(store, batch)
    await Promise.all(claimed.map((item) => complete(store, item)))
  })
  const { user, system } = process.cpuUsage(cpu)
  drained.ms.push(ms)
  drained.cpuMicros += user + system
}

const nothing = (): Drained => ({ ms: [], cpuMicros: 0 })

/** A store of its own with a queue that never grows long. */
async function drainShort(store: Store, queue: { next: number }, drained: Drained): Promise<void> {
  for (let index = 0; index < batch; index += 1) await enqueue(store, (queue.next += 1))
  await drain(store, drained)
}

export async function queued(bench: Bench, many: number): Promise<readonly ScaleRow[]> {
  const store = await bench.open()
  const other = await bench.open('few')
  const short = { next: 0 }
  for (const warmed of [store, other]) {
    await inFlight(warmUp, 500, (index) => enqueue(warmed, index))
    for (let left = warmUp; left > 0; left -= batch) await drain(warmed, nothing())
  }
  short.next = warmUp
  await inFlight(few, 500, () => enqueue(other, (short.next += 1)))
  const before = memoryMib()
  const cpu = process.cpuUsage()
  const filled = await timed(() => inFlight(many, 500, (index) => enqueue(store, warmUp + index)))
  const { user, system } = process.cpuUsage(cpu)
  const grown = memoryMib() - before
  const from = { short: nothing(), long: nothing() }
  // In turns, so that both meet the same machine.
  for (let round = 0; round < rounds; round += 1) {
    await drainShort(other, short, from.short)
    await drain(store, from.long)
  }
  await store.close()
  await other.close()
  const perRun = (given: Drained): string => (given.cpuMicros / rounds / batch).toFixed(0)
  bench.say(
    `processor time per drained run: ${perRun(from.long)} us, ${perRun(from.short)} us with ${few} queued`,
  )
  bench.say(`processor time per queued run: ${((user + system) / many).toFixed(1)} us`)
  return [
    {
      goal: 'S2',
      what: `drain rate: ${many} queued vs ${few}`,
      unit: '%',
      gate: 90,
      atLeast: true,
      found: (quantile(from.short.ms, 0.5) / quantile(from.long.ms, 0.5)) * 100,
    },
    {
      goal: 'S2',
      what: `drain, processor time: ${few} queued vs ${many}`,
      unit: '%',
      gate: 90,
      atLeast: true,
      found: (from.short.cpuMicros / from.long.cpuMicros) * 100,
    },
    {
      goal: 'S2',
      what: 'queue 100,000 (as measured per step)',
      unit: 's',
      gate: 2,
      found: (filled.ms / 1_000 / many) * 100_000,
    },
    { goal: 'S2', what: 'memory that queueing took', unit: 'MiB', gate: 10, found: grown },
  ]
}
