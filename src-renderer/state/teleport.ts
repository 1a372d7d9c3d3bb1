/** Bringing runs of clusters here, replaying them, and having them go on where they came from. */

import type { NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type {
  HerePreview,
  HereRequest,
  PullProgress,
  ReplayReport,
  ResumePreview,
} from '../../src-engine/protocol/teleport.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { asDocument, asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { loadClusters, siteOf } from './follow-clusters.ts'
import { leaveRun } from './follow-runs.ts'
import { showRunOf } from './show-run.ts'
import type { Site } from './site.ts'
import { lineTo } from './site-lines.ts'

/** Copies are this computer's, whatever the page is about. */
const home = (designer: Designer) => lineTo(designer, null)

/** Copies a run of a cluster and those that it started, and shows the copy. */
export async function bringHere(designer: Designer, runId: RunId, cluster: string): Promise<void> {
  const { setPulling } = designer.sites.getState()
  setPulling(runId)
  const answer = await attempt(designer, () =>
    home(designer).call('teleport.pull', { cluster, runId, family: true }),
  )
  setPulling(null)
  const [first] = answer?.runs ?? []
  if (first === undefined) return
  const { workflowTitle, events } = first.run
  const message = fill(words.pulled, { title: workflowTitle, events })
  designer.view.getState().toast({ tone: 'good', message, hint: null })
  await showRunOf(designer, { runId, nodeId: null, site: null })
}

/** How far the pull of a run is; null while none is under way. */
export async function pullProgress(designer: Designer, runId: RunId): Promise<PullProgress | null> {
  return (await home(designer).call('teleport.progress', { runId })).progress
}

/** Forgets a copy; nothing happens where it came from. */
export async function forgetCopy(designer: Designer, { runId, origin }: PulledRun): Promise<void> {
  const done = await attempt(designer, () => home(designer).call('teleport.drop', { runId }))
  if (done === null) return
  if (designer.runs.getState().current?.runId === runId) leaveRun(designer)
  const message = fill(words.forgotten, { name: origin.cluster })
  designer.view.getState().toast({ tone: 'neutral', message, hint: null })
}

export interface Replayed {
  readonly report: ReplayReport
  readonly before: WorkflowDocument
  readonly after: WorkflowDocument
}

/** Runs a copy again on what was recorded. Throws what the engine refuses. */
export async function replay(
  designer: Designer,
  { runId }: PulledRun,
  { version, nodeId }: Choice,
): Promise<Replayed> {
  const line = home(designer)
  const document = documentOf(designer, version)
  const report = await line.call('teleport.replay', { runId, document, nodeId, mocks: null })
  const recorded = await line.call('workflows.version', { hash: report.recordedHash })
  const before = asDocument(recorded.document)
  return { report, before, after: document === null ? before : asDocument(document) }
}

/** The one that the run was bound to, or the document that is open. */
export type Version = 'same' | 'open'

/** What a copy is replayed or resumed on, and from where. */
export interface Choice {
  readonly version: Version
  /** Null to leave it to the engine: all of it, or what failed. */
  readonly nodeId: NodeId | null
}

const documentOf = (designer: Designer, version: Version): JsonObject | null =>
  version === 'same' ? null : asJson(designer.document.getState().history.document)

/** Whether the open document is the copy's workflow. */
export function isOpenHere(designer: Designer, { workflowId }: PulledRun): boolean {
  const { isOpen, history } = designer.document.getState()
  return isOpen && history.document.id === workflowId
}

const resumeRequest = (designer: Designer, { runId }: PulledRun, { version, nodeId }: Choice) => ({
  runId,
  cluster: null,
  document: documentOf(designer, version),
  nodeId,
  by: null,
  reason: null,
})

/** What a resume would do where the run came from. Throws what keeps the cluster from being asked. */
export const lookAtResume = (designer: Designer, run: PulledRun, choice: Choice): Promise<ResumePreview> =>
  home(designer).call('teleport.preview', resumeRequest(designer, run, choice))

/** Has the run go on there, and shows it there. Throws what is refused. */
export async function resumeThere(designer: Designer, run: PulledRun, choice: Choice): Promise<void> {
  const answer = await home(designer).call('teleport.resume', resumeRequest(designer, run, choice))
  await loadClusters(designer)
  await showRunOf(designer, { runId: run.runId, nodeId: null, site: siteNamed(designer, answer.cluster) })
}

/** A choice, and what becomes of the run where it came from. */
type HereChoice = Choice & Pick<HereRequest, 'there'>

const hereRequest = (designer: Designer, run: PulledRun, { there, ...choice }: HereChoice): HereRequest => {
  const { cluster: _, ...request } = resumeRequest(designer, run, choice)
  return { ...request, there }
}

/** What doing the rest here would mean, while the run is left alone where it came from. */
export const lookAtHere = (designer: Designer, run: PulledRun, choice: Choice): Promise<HerePreview> =>
  home(designer).call('teleport.previewHere', hereRequest(designer, run, { ...choice, there: 'leave' }))

/** The same where it is cancelled there first. */
export const lookAtHereCancelling = (
  designer: Designer,
  run: PulledRun,
  choice: Choice,
): Promise<HerePreview> =>
  home(designer).call('teleport.previewHere', hereRequest(designer, run, { ...choice, there: 'cancel' }))

/** Has the rest of the run done on this computer, and shows that. Throws what is refused. */
export async function runHere(designer: Designer, run: PulledRun, choice: HereChoice): Promise<void> {
  const answer = await home(designer).call('teleport.here', hereRequest(designer, run, choice))
  await showRunOf(designer, { runId: answer.runId, nodeId: null, site: null })
}

/** A cluster by its name, as far as it is known. */
export function siteNamed(designer: Designer, name: string): Site {
  const entry = designer.sites.getState().clusters?.find((one) => one.name === name)
  return entry === undefined ? { name, colour: 'grey', readOnly: false } : siteOf(entry)
}
