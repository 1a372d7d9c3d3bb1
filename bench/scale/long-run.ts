/** S4: one run with a long history. */

import type { RunId } from '../../src-engine/model/ids.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { benchRun, chain, payloadBytes } from '../step-records.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { quantile, spansOf, timed } from './scale-row.ts'

const pageEvents = 200

async function pages(store: Store, runId: RunId, times: number): Promise<readonly number[]> {
  const { info } = store
  return spansOf(times, (index) =>
    store.readEvents({
      after: { partition: 0, epoch: info.epochs[0] ?? 1, seq: index * pageEvents },
      runId,
      until: null,
      limit: pageEvents,
    }),
  )
}

export async function longRun(bench: Bench, steps: number): Promise<readonly ScaleRow[]> {
  let store = await bench.open()
  await chain(store, 1_000_000, { steps: 50 })
  const before = bench.size()
  // CPU, not time: what a commit waits for the disk has nothing to do with the length of the history.
  const marks: number[] = []
  await chain(store, 1, {
    steps,
    committed() {
      const { user, system } = process.cpuUsage()
      marks.push(user + system)
    },
  })
  const tenth = Math.floor(marks.length / 10)
  const spent = (from: number, to: number): number => (marks[to] ?? 0) - (marks[from] ?? 0)
  const { id } = benchRun(1, 0)
  const read = await pages(store, id, 50)
  await store.close()
  const bytes = (bench.size() - before) / steps
  store = await bench.open()
  const { ms, answer } = await timed(() => store.load(0, 'invocations', { runId: id }))
  await store.close()
  if (answer.length !== steps) throw new Error(`loaded ${answer.length} of ${steps} steps`)
  const appended = spent(marks.length - 1 - tenth, marks.length - 1) / spent(tenth, 2 * tenth)
  return [
    {
      goal: 'S4',
      what: `append, CPU: at the end of ${steps * 4} events vs at the start`,
      unit: 'x',
      gate: 1.1,
      found: appended,
    },
    { goal: 'S4', what: 'a page of 200 events, p50', unit: 'ms', gate: 2, found: quantile(read, 0.5) },
    { goal: 'S4', what: 'load the run as after a crash', unit: 'ms', gate: 300, found: ms },
    {
      goal: 'S4',
      what: `file per step, beside its payload of ${payloadBytes} B`,
      unit: 'B',
      gate: 200,
      found: bytes - payloadBytes,
    },
  ]
}
