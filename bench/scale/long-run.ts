/** S4: one run with a long history. */

import type { RunId } from '../../src-engine/model/ids.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { benchRun, chain, payloadBytes } from '../step-records.ts'
import { cpuMicros } from './own-cost.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { quantile, spansOf, timed } from './scale-row.ts'

const pageEvents = 200
/** Steps of the long run between two of the young ones, which have as many. */
const pieceSteps = 50
const youngFrom = 2_000_000

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

/**
 * A run of that many steps, and in its last tenth, in turns with pieces of it, young runs as long as a piece: how
 * many times the processor time of each young one its piece took. Not time: what a commit waits for the disk has
 * nothing to do with the length of the history.
 */
async function appendRatios(store: Store, steps: number): Promise<readonly number[]> {
  const ratios: number[] = []
  let done = 0
  let since = process.cpuUsage()
  const inTurn = async (): Promise<void> => {
    const piece = process.cpuUsage(since)
    const young = await cpuMicros(() => chain(store, youngFrom + done, { steps: pieceSteps }))
    ratios.push((piece.user + piece.system) / young)
    since = process.cpuUsage()
  }
  await chain(store, 1, {
    steps,
    async committed() {
      done += 1
      const left = steps - done
      if (left === Math.floor(steps / 10)) since = process.cpuUsage()
      else if (left < Math.floor(steps / 10) && left % pieceSteps === 0) await inTurn()
    },
  })
  return ratios
}

export async function longRun(bench: Bench, steps: number): Promise<readonly ScaleRow[]> {
  let store = await bench.open()
  await chain(store, 1_000_000, { steps: 50 })
  const before = bench.size()
  const appended = await appendRatios(store, steps)
  const { id } = benchRun(1, 0)
  const read = await pages(store, id, 50)
  await store.close()
  // The young runs lie in the same file.
  const bytes = (bench.size() - before) / (steps + appended.length * pieceSteps)
  store = await bench.open()
  const { ms, answer } = await timed(() => store.load(0, 'invocations', { runId: id }))
  await store.close()
  if (answer.length !== steps) throw new Error(`loaded ${answer.length} of ${steps} steps`)
  return [
    {
      goal: 'S4',
      what: `append, CPU: end of ${steps * 4} events vs start of runs, median of pairs`,
      unit: 'x',
      gate: 1.1,
      found: quantile(appended, 0.5),
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
