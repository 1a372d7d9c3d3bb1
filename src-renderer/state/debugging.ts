/** Looking for a mistake: where runs stop, how they go on by a step, and trials of a step or from an instant. */

import type { NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { sliceTo } from '../../src-engine/model/slice.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { debugWords as words } from '../text/debug-words.ts'
import { asJson } from './blank-document.ts'
import { breakpointsOf } from './breakpoints-here.ts'
import type { NodeBreakpoint } from './breakpoints-store.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { openedDocument, showRun } from './follow-runs.ts'
import { openRun } from './open-run.ts'
import { isUnderWay } from './runs-store.ts'
import { lineOfRun, lineTo, shownSite } from './site-lines.ts'

const openDocument = (designer: Designer): WorkflowDocument => designer.document.getState().history.document

/** Sets the breakpoint of a node, or takes it away (null); the shown run hears of it while it is under way. */
export function putBreakpoint(designer: Designer, id: NodeId, point: NodeBreakpoint | null): void {
  const { id: of } = openDocument(designer)
  const { byWorkflow, put } = designer.breakpoints.getState()
  const { [id]: _before, ...others } = byWorkflow[of] ?? {}
  put(of, point === null ? others : { ...others, [id]: point })
  designer.view.getState().announce(point === null ? words.wasCleared : words.wasSet)
  tellRun(designer)
}

/** Sets breakpoints where there are none among the nodes, or clears all of them. */
export function toggleBreakpoints(designer: Designer, ids: readonly NodeId[]): void {
  const own = designer.breakpoints.getState().byWorkflow[openDocument(designer).id] ?? {}
  const missing = ids.filter((id) => own[id] === undefined)
  if (missing.length === 0) for (const id of ids) putBreakpoint(designer, id, null)
  else for (const id of missing) putBreakpoint(designer, id, { condition: null })
}

/** None is left in the open workflow. */
export function clearBreakpoints(designer: Designer): void {
  designer.breakpoints.getState().put(openDocument(designer).id, {})
  designer.view.getState().announce(words.wasCleared)
  tellRun(designer)
}

function tellRun(designer: Designer): void {
  const { current } = designer.runs.getState()
  if (current === null || current.overlay !== null || !isUnderWay(current)) return
  const { runId } = current
  const request = { runId, breakpoints: breakpointsOf(designer), by: null }
  void attempt(designer, () => lineOfRun(designer, runId).call('runs.breakpoints', request))
}

/** Runs the step and what leads to it, as a trial; throws what a start throws. */
export async function runTo(designer: Designer, id: NodeId, input: JsonValue): Promise<void> {
  const slice = sliceTo(openDocument(designer), id)
  if (slice === null) return
  const { runId, hash } = await designer.connection.call('runs.start', {
    ...openedDocument(designer),
    document: asJson(slice),
    input,
    requestId: designer.ambient.newId(),
    breakpoints: breakpointsOf(designer, slice),
  })
  showRun(designer, { runId, site: null, hash, overlay: null })
}

/** The run whose results a step alone would use: the shown one, else the newest of the open workflow; null for none. */
export function runToTryOn(designer: Designer): { readonly runId: RunId; readonly at: number } | null {
  const { current, list } = designer.runs.getState()
  const { id } = openDocument(designer)
  const shown = current?.live.replay.run ?? null
  if (shown !== null && current?.overlay === null) return { runId: shown.id, at: shown.createdAt }
  const newest = list.find(({ run }) => run.workflowId === id)?.run
  return newest === undefined ? null : { runId: newest.id, at: newest.createdAt }
}

/** Runs one step alone on what a run had; throws what the engine refuses. */
export async function runOnly(
  designer: Designer,
  id: NodeId,
  given: { readonly runId: RunId; readonly input: { readonly value: JsonValue } | null },
): Promise<void> {
  const document = openDocument(designer)
  await fork(designer, {
    ...given,
    seq: null,
    nodeId: id,
    document: asJson(document),
    until: id,
    only: true,
  })
}

export interface Fork {
  readonly runId: RunId
  /** After which event; null for where the run stands. */
  readonly seq: number | null
  readonly nodeId: NodeId | null
  readonly input: { readonly value: JsonValue } | null
  readonly document: JsonObject | null
  readonly until?: NodeId | null
  readonly only?: boolean
}

/** Makes a run that goes on from an instant of another one, and shows it; throws what the engine refuses. */
export async function fork(designer: Designer, { until = null, ...wish }: Fork): Promise<void> {
  const site = shownSite(designer)
  const { runId, hash } = await lineTo(designer, site).call('runs.fork', {
    ...wish,
    until,
    breakpoints: wish.only === true ? [] : breakpointsOf(designer),
    by: null,
    reason: null,
  })
  // A trial is part of the open document, though not the whole of it.
  if (until === null) await openRun(designer, { runId, site, hash })
  else showRun(designer, { runId, site, hash, overlay: null })
  designer.view.getState().announce(words.forked)
}

/** The event after which the shown moment is; null while the newest one is shown. */
export function shownSeq(designer: Designer): number | null {
  const timeline = designer.runs.getState().current?.timeline ?? null
  if (timeline === null || timeline.isLive) return null
  return timeline.events.at(timeline.position - 1)?.seq ?? 0
}
