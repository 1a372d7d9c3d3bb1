/** S5: many runs sleep until an instant. */

import type { Store } from '../../src-engine/store/store.ts'
import { enqueue } from './one-step.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, quantile, spansOf } from './scale-row.ts'

const few = 100
const due = (store: Store) => store.listDue({ partition: 0, now: Date.now(), limit: 200 })

export async function sleepers(bench: Bench, many: number): Promise<readonly ScaleRow[]> {
  const store = await bench.open()
  const until = Date.now() + 86_400_000
  for (let index = 0; index < few; index += 1) await enqueue(store, index, until + index)
  await spansOf(200, () => due(store))
  const small = await spansOf(400, () => due(store))
  await inFlight(many, 200, (index) => enqueue(store, few + index, until + index))
  const large = await spansOf(400, () => due(store))
  await store.close()
  return [
    {
      goal: 'S5',
      what: `look for due timers, p50: ${many} sleeping vs ${few}`,
      unit: 'x',
      gate: 1.25,
      found: quantile(large, 0.5) / quantile(small, 0.5),
    },
  ]
}
