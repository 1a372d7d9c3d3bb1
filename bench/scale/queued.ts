/** S2: many steps wait in the queue. */

import type { Store } from '../../src-engine/store/store.ts'
import { claim, complete, enqueue } from './one-step.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, quantile, timed } from './scale-row.ts'

const drained = 1_000
const batch = 10

/** Spans of claims of ten with their ends, from the same queue. */
async function drain(store: Store): Promise<readonly number[]> {
  const spans: number[] = []
  for (let done = 0; done < drained; done += batch) {
    const { ms } = await timed(async () => {
      const claimed = await claim(store, batch)
      await Promise.all(claimed.map((item) => complete(store, item)))
    })
    spans.push(ms)
  }
  return spans
}

export async function queued(bench: Bench, many: number): Promise<readonly ScaleRow[]> {
  const store = await bench.open()
  await inFlight(2 * drained, 200, (index) => enqueue(store, index))
  await drain(store)
  const few = await drain(store)
  const memory = process.memoryUsage().rss
  const filled = await timed(() => inFlight(many, 500, (index) => enqueue(store, 2 * drained + index)))
  const grown = (process.memoryUsage().rss - memory) / 2 ** 20
  const lots = await drain(store)
  await store.close()
  return [
    {
      goal: 'S2',
      what: `drain rate: ${many} queued vs ${drained}`,
      unit: '%',
      gate: 90,
      atLeast: true,
      found: (quantile(few, 0.5) / quantile(lots, 0.5)) * 100,
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
