/** One run on mocks and in memory, in a time of its own: with nothing going wrong, or with one mishap. */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { NodeId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { storeCatalogue } from '../../store/catalogue.ts'
import type { Store } from '../../store/store.ts'
import type { PayloadStore } from '../payload-store.ts'
import { createPayloadStore } from '../payload-store.ts'
import type { PlayOptions } from './rehearsal-options.ts'
import type { Mishap } from './rehearsed-host.ts'
import { SkippedTime } from './skipped-time.ts'
import { Stage } from './stage.ts'
import type { Story } from './story.ts'
import { storyOf } from './story.ts'

/** One rehearsed run at its end. */
export interface Played {
  readonly run: RunRecord
  readonly asks: readonly NodeId[]
  readonly story: Story
  /** Steps that were executed. */
  readonly came: ReadonlySet<NodeId>
  readonly mocked: ReadonlySet<NodeId>
  /** All of them, and a way to what they point at. */
  readonly invocations: readonly InvocationRecord[]
  readonly payloads: PayloadStore
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

/** Plays the run to its end, or to where nothing but somebody from outside moves it. */
export async function play(options: PlayOptions, mishap: Mishap | null): Promise<Played> {
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
  const payloads = createPayloadStore(store)
  return { ...found, story, came: stage.came, mocked: stage.mocked, payloads }
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
  return { run, isOver, invocations: all, asks: asking.map(({ nodeId }) => nodeId) }
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
