/** Rehearses a workflow: a run of its own for each way in which a step can go wrong, on mocks and in memory. */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { NodeId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { SagaCoverage } from '../../model/saga-coverage.ts'
import { sagaCoverage } from '../../model/saga-coverage.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Rehearsal, RehearsalCell, RehearsedEnd } from '../../protocol/rehearsal.ts'
import { storeCatalogue } from '../../store/catalogue.ts'
import type { Store } from '../../store/store.ts'
import { cellsOf, stepsOf } from './cells.ts'
import type { RehearsalOptions } from './rehearsal-options.ts'
import type { Mishap } from './rehearsed-host.ts'
import { SkippedTime } from './skipped-time.ts'
import { Stage } from './stage.ts'
import type { Story } from './story.ts'
import { storyOf } from './story.ts'
import { violationsIn } from './violations.ts'

/** Throws `rehearsal_without_end`, and what a start throws. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { document, host, told, signal } = options
  const coverage = sagaCoverage(document, host.specsByKind)
  const mishaps = cellsOf(document, host.specsByKind, coverage)
  const calm = await play(options, null)
  const cells: RehearsalCell[] = []
  for (const mishap of mishaps) {
    signal.throwIfAborted()
    const cell = calm.came.has(mishap.nodeId)
      ? cellOf(mishap, await play(options, mishap), { document, coverage })
      : unreached(mishap)
    cells.push(cell)
    told(cell, mishaps.length)
  }
  return {
    calm: endOf(calm, { document, coverage }),
    cells,
    mocked: [...calm.mocked],
    unreached: [...stepsOf(mishaps)].filter((id) => !calm.came.has(id)),
    violations: cells.reduce((sum, { violations }) => sum + violations.length, 0),
  }
}

const unreached = ({ nodeId, mode }: Mishap): RehearsalCell => ({
  nodeId,
  mode,
  reached: false,
  status: null,
  asks: [],
  undone: [],
  stays: [],
  error: null,
  violations: [],
})

type Known = { readonly document: WorkflowDocument; readonly coverage: SagaCoverage }

const cellOf = ({ nodeId, mode }: Mishap, played: Played, known: Known): RehearsalCell => ({
  nodeId,
  mode,
  reached: true,
  ...endOf(played, known),
})

function endOf({ run, asks, story }: Played, { document, coverage }: Known): RehearsedEnd {
  const { status, error } = run
  const undoings = story.undoings.filter((undoing) => undoing.status === 'SUCCESS')
  const undone = undoings.sort((a, b) => (a.began ?? 0) - (b.began ?? 0)).map((undoing) => undoing.nodeId)
  const violations = violationsIn({ document, coverage, story, status })
  const stays = status === 'SUCCEEDED' ? [] : effectsThatStay(story, coverage)
  return { status, asks, undone, stays, error, violations }
}

function effectsThatStay({ steps, undoings }: Story, { effects }: SagaCoverage): readonly NodeId[] {
  const undone = new Set(undoings.flatMap(({ of, status }) => (status === 'SUCCESS' ? [of] : [])))
  const done = steps.filter(({ id, status }) => status === 'SUCCESS' && !undone.has(id))
  const staying = new Set(done.map(({ nodeId }) => nodeId))
  return effects.flatMap(({ nodeId }) => (staying.has(nodeId) ? [nodeId] : []))
}

/** One rehearsed run at its end. */
interface Played {
  readonly run: RunRecord
  readonly asks: readonly NodeId[]
  readonly story: Story
  /** Steps that were executed. */
  readonly came: ReadonlySet<NodeId>
  readonly mocked: ReadonlySet<NodeId>
}

/** How long a step that is to time out may take, in ms: of an hour, everything else would be gone through too. */
const timeoutMs = 10_000

function withShortTimeout(document: WorkflowDocument, mishap: Mishap | null): WorkflowDocument {
  const node = mishap?.mode === 'times-out' ? document.nodes[mishap.nodeId] : undefined
  if (mishap === null || node === undefined) return document
  const attemptMs = Math.min(node.timeout?.attemptMs ?? timeoutMs, timeoutMs)
  const hasty = { ...node, timeout: { ...node.timeout, attemptMs } }
  return { ...document, nodes: { ...document.nodes, [mishap.nodeId]: hasty } }
}

async function play(options: RehearsalOptions, mishap: Mishap | null): Promise<Played> {
  const time = new SkippedTime(options.clock.now(), options.clock)
  const store = await storeCatalogue.memory({ now: () => time.now })
  await store.migrate()
  const stage = new Stage(options, { time, store, mishap })
  const { input, baseDirectory } = options
  const document = withShortTimeout(options.document, mishap)
  const first = stage.launch()
  const started = first.startRun({ document, input, baseDirectory, requestId: null })
  const { runId } = await stage.result(started.then((answer) => stage.began(answer)))
  let found = await whereItStands(store, runId)
  await time.until(async () => {
    found = await whereItStands(store, runId)
    return found.isOver
  })
  stage.end()
  const story = storyOf(await eventsOf(store, runId))
  return { ...found, story, came: stage.came, mocked: stage.mocked }
}

async function whereItStands(store: Store, runId: RunId) {
  const run = await store.load(0, 'run', { runId })
  if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
  const all = await store.load(0, 'invocations', { runId })
  const open = all.filter(
    ({ status, wait }) => !invocationMachine.final.has(status) && wait?.kind !== 'rollback',
  )
  const asking = open.filter(({ status }) => status === 'APPROVAL_REQUIRED')
  const isOver =
    runMachine.final.has(run.status) ||
    run.status === 'COMPENSATION_FAILED' ||
    (asking.length > 0 && open.every(isLeftAlone))
  return { run, isOver, asks: asking.map(({ nodeId }) => nodeId) }
}

/** Nothing but somebody from outside moves it. */
const isLeftAlone = ({ status, notBefore }: InvocationRecord): boolean =>
  status === 'APPROVAL_REQUIRED' || (status === 'WAITING' && notBefore === null)

async function eventsOf(store: Store, runId: RunId): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = []
  let seq = 0
  for (;;) {
    const after = { partition: 0, epoch: store.info.epochs[0] ?? 0, seq }
    const batch = await store.readEvents({ after, runId, until: null, limit: eventBatchMax })
    events.push(...batch)
    const last = batch.at(-1)
    if (last === undefined || batch.length < eventBatchMax) return events
    seq = last.seq
  }
}
