/** S1, S6: a file that is full of finished runs. */

import { runMachine } from '../../src-engine/model/run-status.ts'
import type { RunFilter, Store } from '../../src-engine/store/store.ts'
import { chain, payloadBytes } from '../step-records.ts'
import { claim, complete, enqueue } from './one-step.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { inFlight, quantile, spansOf, timed } from './scale-row.ts'

const samples = 400
const activeRuns = 1_000
const page = 50
/** Prunings, each followed by a pause as long. */
const pruneRounds = 8
const any: RunFilter = { statuses: null, workflowId: null, includeCore: true }

/** One claim and the end of what it gave. */
async function claimAndEnd(store: Store): Promise<void> {
  const [claimed] = await claim(store, 1)
  if (claimed !== undefined) await complete(store, claimed)
}

/** Spans of both files in turns, so that both meet the same machine; the full one's first. */
async function claimSpans(full: Store, empty: Store, from: number) {
  for (let index = 0; index < samples; index += 1) {
    await enqueue(full, from + index)
    await enqueue(empty, from + index)
  }
  const spans: { readonly full: number[]; readonly empty: number[] } = { full: [], empty: [] }
  for (let index = 0; index < samples; index += 1) {
    spans.full.push((await timed(() => claimAndEnd(full))).ms)
    spans.empty.push((await timed(() => claimAndEnd(empty))).ms)
  }
  return spans
}

/** Pages of the run list from the newest to the oldest, a few of them everywhere. */
async function listSpans(store: Store, depth: number): Promise<readonly number[]> {
  const spans: number[] = []
  let after: string | null = null
  for (let index = 0; index < depth; index += 1) {
    const { ms, answer } = await timed(() =>
      store.list(0, 'runs', { filter: any, page: { after, limit: page } }),
    )
    spans.push(ms)
    after = answer.at(-1)?.id ?? null
    if (after === null) break
  }
  return spans
}

export async function finishedRuns(bench: Bench, finished: number): Promise<readonly ScaleRow[]> {
  let store = await bench.open()
  const other = await bench.open('empty')
  await claimSpans(store, other, 0)
  const first = samples
  const before = bench.size()
  await inFlight(finished, 200, (index) => {
    if (index > 0 && index % 100_000 === 0) bench.say(`${index} of ${finished} runs finished`)
    return chain(store, first + index, { steps: 1 })
  })
  const { full, empty } = await claimSpans(store, other, first + finished)
  await other.close()
  const lists = await listSpans(store, 200)
  const counts = await spansOf(100, () => store.load(0, 'runCounts', { workflowId: null, includeCore: true }))
  for (let index = 0; index < activeRuns; index += 1) await enqueue(store, first + finished + samples + index)
  await store.close()
  const bytes = (bench.size() - before) / finished
  const opened = await timed(bench.open)
  store = opened.answer
  const active = await timed(() =>
    store.list(0, 'runs', {
      filter: { ...any, statuses: runMachine.statuses.filter((status) => !runMachine.final.has(status)) },
      page: { after: null, limit: activeRuns },
    }),
  )
  const loaded = await timed(async () => {
    for (const { id } of active.answer) await store.load(0, 'invocations', { runId: id })
  })
  const pruned = Math.min(finished / 2, 20_000)
  // More than one for each pruned run are never claimed meanwhile, and as many not.
  await inFlight(2 * pruned, 500, (index) => enqueue(store, 2 * (first + finished + samples) + index))
  const claimedMeanwhile = await pruning(bench, store, pruned)
  await store.close()
  return [
    {
      goal: 'S1',
      what: `claim and end, p50: ${finished} finished runs vs none`,
      unit: 'x',
      gate: 1.25,
      found: quantile(full, 0.5) / quantile(empty, 0.5),
    },
    { goal: 'S1', what: 'list a page of runs, p99', unit: 'ms', gate: 1, found: quantile(lists, 0.99) },
    { goal: 'S1', what: 'runs by status, p50', unit: 'ms', gate: 0.1, found: quantile(counts, 0.5) },
    {
      goal: 'S1',
      what: `open, and load ${active.answer.length} active runs`,
      unit: 'ms',
      gate: 500,
      found: opened.ms + active.ms + loaded.ms,
    },
    {
      goal: 'S1',
      what: `file per run of one step, payload of ${payloadBytes} B`,
      unit: 'B',
      gate: 700,
      found: bytes,
    },
    ...claimedMeanwhile,
  ]
}

/** Claims while runs are pruned in slices, against claims of the same file without. */
async function pruning(bench: Bench, store: Store, runs: number): Promise<readonly ScaleRow[]> {
  const alone: number[] = []
  const meanwhile: number[] = []
  const each = Math.floor(runs / pruneRounds)
  for (let round = 0; round < pruneRounds; round += 1) {
    const ended = { over: false }
    const work = store
      .prune({ partition: 0, endedBefore: null, keep: 0, blobsBefore: null, limit: each })
      .finally(() => {
        ended.over = true
      })
    const spans = []
    while (!ended.over) spans.push((await timed(() => claimAndEnd(store))).ms)
    const { runs: gone } = await work
    if (gone !== each) throw new Error(`pruned ${gone} of ${each}`)
    meanwhile.push(...spans)
    // As many, in turns with them: both meet the same machine.
    alone.push(...(await spansOf(spans.length, () => claimAndEnd(store))))
  }
  bench.say(`${alone.length} claims while pruning and as many not, ${each} runs each of ${pruneRounds} times`)
  const share = (of: (spans: readonly number[]) => readonly number[]): number =>
    quantile(of(meanwhile), 0.99) / quantile(of(alone), 0.99)
  return [
    {
      goal: 'S6',
      what: `ten claims and ends in a row (W2), p99: while ${runs} runs are pruned vs not`,
      unit: 'x',
      gate: 2,
      found: share(inRows),
    },
    {
      goal: 'S6',
      what: `claim and end, p99: while ${runs} runs are pruned vs not`,
      unit: 'x',
      gate: 2,
      found: share((spans) => spans),
    },
  ]
}

const chainSteps = 10

/** What as many steps take as W2's run has, one after the other. */
function inRows(spans: readonly number[]): readonly number[] {
  const rows = Array.from({ length: Math.floor(spans.length / chainSteps) }, (_, row) =>
    spans.slice(row * chainSteps, (row + 1) * chainSteps),
  )
  return rows.map((row) => row.reduce((sum, span) => sum + span, 0))
}
