/** Running a run again as a new run, and having an ended one go on. */

import type { NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import { reruns as words } from '../text/messages.ts'
import { asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { trustSettled } from './follow-trust.ts'
import { openRun } from './open-run.ts'
import { lineTo, shownSite } from './site-lines.ts'

export interface Rerun {
  readonly runId: RunId
  /** Null for the input that the run had. */
  readonly input: { readonly value: JsonValue } | null
  /** The version that it ran on, or the document that is open now. */
  readonly version: 'same' | 'open'
}

/** Starts the new run and shows it; throws what the engine refuses. */
export async function rerun(designer: Designer, { runId, input, version }: Rerun): Promise<void> {
  if (version === 'open') await trustSettled(designer)
  const document = version === 'open' ? asJson(designer.document.getState().history.document) : null
  const site = shownSite(designer)
  const started = await lineTo(designer, site).call('runs.rerun', {
    runId,
    document,
    otherVersion: version === 'open',
    input,
    requestId: designer.ambient.newId(),
    by: null,
    reason: null,
  })
  await openRun(designer, { ...started, site })
}

/** Whether a run that ended may go on from what failed, or from a step. */
export const isRetryable = (run: Pick<RunRecord, 'status'>): boolean =>
  runMachine.validateTransition(run.status, 'RUNNING', { kind: 'operator', id: null }) === null &&
  runMachine.final.has(run.status)

/** What that is called: nothing of a run that was cancelled, or whose time was up, has to have failed. */
export const retryWords = ({ status }: Pick<RunRecord, 'status'>): string =>
  status === 'CANCELLED' || status === 'TIMED_OUT' ? words.again.stopped : words.again.failed

/** Whether the open document is the run's workflow, and was edited since the run was shown on it. */
export function hasOtherVersion(designer: Designer): boolean {
  const { isOpen, history } = designer.document.getState()
  const { current } = designer.runs.getState()
  if (!isOpen || current === null) return false
  const isSame = current.overlay === null && current.shownOn === history.document
  return !isSame && history.document.id === current.live.replay.run?.workflowId
}

/** What the open document is to the shown run: its workflow, edited since or not, or another one. */
export type OpenVersion = 'edited' | 'same' | 'other'

export function openVersion(designer: Designer): OpenVersion {
  if (hasOtherVersion(designer)) return 'edited'
  const { isOpen, history } = designer.document.getState()
  const run = designer.runs.getState().current?.live.replay.run ?? null
  return isOpen && run !== null && history.document.id === run.workflowId ? 'same' : 'other'
}

export interface Retry {
  readonly runId: RunId
  /** The step to begin with, beside what failed; null for only that. */
  readonly nodeId: NodeId | null
  readonly version: Rerun['version']
}

/** Has an ended run go on, and shows it on the version that it is bound to then; throws refusals. */
export async function retry(designer: Designer, { runId, nodeId, version }: Retry): Promise<void> {
  const isOpen = version === 'open'
  if (isOpen) await trustSettled(designer)
  const site = shownSite(designer)
  const { hash } = await lineTo(designer, site).call('runs.retry', {
    runId,
    nodeId,
    input: null,
    version: isOpen ? 'newest' : 'same',
    document: isOpen ? asJson(designer.document.getState().history.document) : null,
    by: null,
    reason: null,
  })
  if (hash !== designer.runs.getState().current?.hash) await openRun(designer, { runId, site, hash })
  designer.view.getState().announce('The run goes on.')
}
