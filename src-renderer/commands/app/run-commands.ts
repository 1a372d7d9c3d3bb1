/** Run, cancel, and stepping through what happened. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { countOf } from '../../rules/found-once.ts'
import { compareShown } from '../../state/begin-comparison.ts'
import { beginPush } from '../../state/begin-push.ts'
import { beginRun, mayRun, runOnMocks } from '../../state/begin-run.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { leaveRun } from '../../state/follow-runs.ts'
import { trustSettled } from '../../state/follow-trust.ts'
import { followValueOf, selectedValue } from '../../state/follow-value.ts'
import { copyRunLink } from '../../state/open-link.ts'
import { publishHere } from '../../state/publish-here.ts'
import { recordShownRun } from '../../state/record-mocks.ts'
import { beginRehearsal } from '../../state/rehearse.ts'
import { hasOtherVersion, isRetryable, retry } from '../../state/rerun.ts'
import { openAside } from '../../state/run-aside.ts'
import { saveShownRun } from '../../state/run-files.ts'
import { nodesAt } from '../../state/run-model.ts'
import { isStoppable } from '../../state/runs-store.ts'
import { canEdit, isReadOnly } from '../../state/selectors.ts'
import { onMocks } from '../../state/site.ts'
import { isAnswered, lineOfRun, shownSite } from '../../state/site-lines.ts'
import { steerRun } from '../../state/steer-run.ts'
import { bringHere } from '../../state/teleport.ts'
import { canKeepRun, playTests } from '../../state/workflow-tests.ts'
import type { PausePhase, StepAction } from '../../status/wait-words.ts'
import { pauseOf, stepActionsOf } from '../../status/wait-words.ts'
import { comparisonWords } from '../../text/comparison-words.ts'
import { followingWords } from '../../text/following-words.ts'
import { instrumentWords } from '../../text/instrument-words.ts'
import { restrictedWords } from '../../text/restricted-words.ts'
import { siteWords } from '../../text/site-words.ts'
import { teleportWords } from '../../text/teleport-words.ts'
import { commandsOf } from './app-command.ts'

const timelineOf = (designer: Designer) => designer.runs.getState().current?.timeline ?? null

export const runCommands = commandsOf('Run', [
  {
    id: 'run.start',
    title: 'Run',
    isEnabled: (designer) => hasNodes(designer) && !isReadOnly(designer),
    run: (designer) => void beginRun(designer),
  },
  {
    id: 'run.startAt',
    title: 'Choose where to run …',
    isEnabled: (designer) => hasNodes(designer) && !isReadOnly(designer),
    run: (designer) => designer.sites.getState().setMenuOpen(true),
  },
  {
    id: 'run.mocks',
    title: siteWords.onMocks,
    isEnabled: (designer) => hasNodes(designer) && !isReadOnly(designer),
    run: (designer) => void runOnMocks(designer),
  },
  {
    id: 'run.publish',
    title: 'Publish on this computer',
    isEnabled: (designer) => hasNodes(designer) && !isReadOnly(designer),
    run: (designer) => void publishHere(designer),
  },
  {
    id: 'run.push',
    title: 'Push to a cluster …',
    isEnabled: (designer) => hasNodes(designer) && !isReadOnly(designer),
    run: (designer) => void push(designer),
  },
  {
    id: 'run.trust',
    title: restrictedWords.command,
    isEnabled: (designer) => hasNodes(designer),
    run: (designer) => void showReach(designer),
  },
  {
    id: 'run.rehearse',
    title: 'Rehearse what can go wrong',
    isEnabled: (designer) => hasNodes(designer) && !isReadOnly(designer),
    run: (designer) => void beginRehearsal(designer),
  },
  {
    id: 'run.recordMocks',
    title: 'Record mocks from this run',
    isEnabled: (designer) => designer.runs.getState().current !== null && canEdit(designer),
    run: (designer) => void recordShownRun(designer),
  },
  {
    id: 'run.keepTest',
    title: 'Keep this run as a test …',
    isEnabled: canKeepRun,
    run: (designer) => designer.view.getState().setDialog('keep-test'),
  },
  {
    id: 'run.test',
    title: 'Play the tests',
    isEnabled: (designer) => designer.document.getState().path !== null && canEdit(designer),
    run: (designer) => {
      designer.view.getState().setPanels({ isBottomOpen: true, bottomTab: 'tests' })
      void playTests(designer, null)
    },
  },
  {
    id: 'run.cancel',
    title: 'Cancel run',
    isEnabled: (designer) => isStoppable(designer.runs.getState().current) && mayAsk(designer),
    run: (designer) => void cancel(designer),
  },
  {
    id: 'run.pause',
    title: 'Pause run',
    isEnabled: (designer) => phaseOf(designer) === 'none',
    run: (designer) => void control(designer, 'pause', 'Pause requested.'),
  },
  {
    id: 'run.resume',
    title: 'Resume run',
    isEnabled: (designer) => phaseOf(designer) === 'asked' || phaseOf(designer) === 'paused',
    run: (designer) => void control(designer, 'resume', 'Resume requested.'),
  },
  {
    id: 'run.skip',
    title: 'Skip the selected step',
    isEnabled: (designer) => stepOf(designer, 'skip') !== null,
    run: (designer) => void steerStep(designer, 'skip'),
  },
  {
    id: 'run.retry',
    title: 'Retry what failed',
    isEnabled: (designer) => retryableRun(designer) !== null,
    run: (designer) => void retryFrom(designer, null),
  },
  {
    id: 'run.retryFrom',
    title: 'Retry from the selected step',
    isEnabled: (designer) => retryableRun(designer) !== null && selectedStep(designer) !== null,
    run: (designer) => void retryFrom(designer, selectedStep(designer)?.nodeId ?? null),
  },
  {
    id: 'run.rerun',
    title: 'Run again …',
    isEnabled: (designer) =>
      (designer.runs.getState().current?.live.replay.run ?? null) !== null && !isCopy(designer),
    run: (designer) => designer.view.getState().setDialog('rerun'),
  },
  {
    id: 'run.compare',
    title: comparisonWords.command,
    isEnabled: (designer) => (designer.runs.getState().current?.live.replay.run ?? null) !== null,
    run: (designer) => void compareShown(designer),
  },
  {
    id: 'run.follow',
    title: instrumentWords.follow,
    scope: 'canvas',
    isEnabled: ({ runs }) => isStoppable(runs.getState().current),
    run: ({ view }) => view.getState().setFollowing(!view.getState().isFollowing),
  },
  {
    id: 'run.followValue',
    title: followingWords.command,
    scope: 'canvas',
    isEnabled: (designer) => selectedValue(designer) !== null,
    run: (designer) => {
      const place = selectedValue(designer)
      if (place !== null) void followValueOf(designer, place)
    },
  },
  {
    id: 'run.bringHere',
    title: 'Bring this run here',
    isEnabled: (designer) => shownCluster(designer) !== null && designer.sites.getState().pulling === null,
    run: (designer) => void bringShown(designer),
  },
  {
    id: 'run.saveFile',
    title: teleportWords.saveFile,
    isEnabled: (designer) =>
      (designer.runs.getState().current?.live.replay.run ?? null) !== null && !isOnMocks(designer),
    run: (designer) => void saveShownRun(designer),
  },
  {
    id: 'run.aside',
    title: 'Show this run in a window of its own',
    isEnabled: (designer) => designer.runs.getState().current !== null && !isOnMocks(designer),
    run: (designer) => void openAside(designer),
  },
  {
    id: 'run.copyLink',
    title: 'Copy a link to this run',
    // What was run on mocks is nowhere once the engine ends.
    isEnabled: (designer) => designer.runs.getState().current !== null && !isOnMocks(designer),
    run: (designer) => void copyRunLink(designer),
  },
  {
    id: 'run.probe',
    title: 'Keep what goes along the edge in sight',
    scope: 'canvas',
    isEnabled: ({ runs, view }) =>
      runs.getState().current !== null && view.getState().selection.edges.length === 1,
    run: ({ view }) => {
      for (const edge of view.getState().selection.edges) view.getState().toggleProbe(edge)
    },
  },
  {
    id: 'run.close',
    title: 'Back to editing',
    isEnabled: (designer) => designer.runs.getState().current !== null,
    run: leaveRun,
  },
  {
    id: 'run.previousEvent',
    title: 'Previous event',
    scope: 'canvas',
    isEnabled: (designer) => (timelineOf(designer)?.position ?? 0) > 0,
    run: (designer) => designer.runs.getState().movePlayhead((timelineOf(designer)?.position ?? 1) - 1),
  },
  {
    id: 'run.nextEvent',
    title: 'Next event',
    scope: 'canvas',
    isEnabled: (designer) => timelineOf(designer) !== null,
    run: (designer) => designer.runs.getState().movePlayhead((timelineOf(designer)?.position ?? 0) + 1),
  },
])

async function push(designer: Designer): Promise<void> {
  if (await mayRun(designer)) await beginPush(designer)
}

async function showReach(designer: Designer): Promise<void> {
  await trustSettled(designer)
  designer.view.getState().setDialog('trust')
}

/** Whether the shown run is on mocks: nothing of it is kept, so nothing can be brought elsewhere. */
const isOnMocks = (designer: Designer): boolean =>
  designer.runs.getState().current?.site?.name === onMocks.name

/** Whether the shown run is a copy of a cluster's: nothing can be asked of it here. */
const isCopy = (designer: Designer): boolean => (designer.runs.getState().current?.pulled ?? null) !== null

/** Whether something can be asked of the shown run: it is no copy, and somebody is there to do it. */
const mayAsk = (designer: Designer): boolean => !isCopy(designer) && isAnswered(designer, shownSite(designer))

/** How far a pause has come; null while no run is under way, or it is being cancelled. */
function phaseOf(designer: Designer): PausePhase | null {
  const { current } = designer.runs.getState()
  const run = current?.live.replay.run ?? null
  if (run === null || !isStoppable(current) || run.cancelRequestedAt !== null || !mayAsk(designer))
    return null
  return pauseOf(run)
}

async function control(designer: Designer, action: 'pause' | 'resume', said: string): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  if (await steerRun(designer, { runId: current.runId, action, nodeId: null }))
    designer.view.getState().announce(said)
}

/** What the shown run knows of the one selected node; null when it knows nothing, or several are selected. */
function selectedStep(designer: Designer): InvocationRecord | null {
  const { selection, turns } = designer.view.getState()
  const { current } = designer.runs.getState()
  const [id, another] = selection.nodes
  if (current === null || id === undefined || another !== undefined) return null
  return nodesAt(current.live, turns).get(id)?.invocation ?? null
}

/** The selected step while that can be asked of it. */
function stepOf(designer: Designer, action: StepAction): InvocationRecord | null {
  const run = designer.runs.getState().current?.live.replay.run ?? null
  const step = selectedStep(designer)
  return run !== null && step !== null && mayAsk(designer) && stepActionsOf(step, run).includes(action)
    ? step
    : null
}

async function steerStep(designer: Designer, action: StepAction): Promise<void> {
  const step = stepOf(designer, action)
  if (step === null) return
  const { runId, nodeId } = step
  if (await steerRun(designer, { runId, action, nodeId }))
    designer.view.getState().announce('Skip requested.')
}

function retryableRun(designer: Designer): RunRecord | null {
  const run = designer.runs.getState().current?.live.replay.run ?? null
  return run !== null && isRetryable(run) && mayAsk(designer) ? run : null
}

/** At once on the version that it ran on; asks first when the workflow was edited since. */
async function retryFrom(designer: Designer, nodeId: NodeId | null): Promise<void> {
  const run = retryableRun(designer)
  if (run === null) return
  if (hasOtherVersion(designer)) designer.view.getState().askRetry(nodeId)
  else await attempt(designer, () => retry(designer, { runId: run.id, nodeId, version: 'same' }))
}

/** Whether a workflow is open that has something to run. */
function hasNodes(designer: Designer): boolean {
  const { isOpen, history } = designer.document.getState()
  return isOpen && countOf(history.document.nodes) > 0
}

/** The cluster that the shown run is on; null for one of this computer, and for a copy. */
function shownCluster(designer: Designer): string | null {
  const { current } = designer.runs.getState()
  if (current === null || isCopy(designer) || isOnMocks(designer)) return null
  return current.site?.name ?? null
}

async function bringShown(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  const cluster = shownCluster(designer)
  if (current !== null && cluster !== null) await bringHere(designer, current.runId, cluster)
}

async function cancel(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  const { runId } = current
  await attempt(designer, () => lineOfRun(designer, runId).call('runs.cancel', { runId }))
  designer.view.getState().announce('Cancel requested.')
}
