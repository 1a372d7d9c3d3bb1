/** Above the canvas: which run is looked at when it isn't one of the open document, or why it failed. */

import { Redo2, StepForward } from 'lucide-react'
import type { WorkflowId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import { RunLine } from '../clusters/RunLine.tsx'
import { RunSiteBand } from '../clusters/RunSiteBand.tsx'
import { runCommand } from '../commands/registry.ts'
import { useDesigner, useDocument, useRuns, useView } from '../state/context.ts'
import { askToDecide, unapproved, undecided } from '../state/decision.ts'
import { isRetryable, retryWords } from '../state/rerun.ts'
import type { ShownRun } from '../state/runs-store.ts'
import { isUnderWay, shownModel, shownUntil } from '../state/runs-store.ts'
import { useShownDocument } from '../state/selectors.ts'
import type { RunPlace } from '../state/show-run.ts'
import { showRunOf } from '../state/show-run.ts'
import { shownSite } from '../state/site-lines.ts'
import { titleOfStep } from '../state/step-title.ts'
import { isInLine, isStandingStill, pauseOf, runWaitWords } from '../status/wait-words.ts'
import { approvals } from '../text/approval-words.ts'
import { asideWords } from '../text/aside-words.ts'
import { debugWords } from '../text/debug-words.ts'
import { children, doubt, fill, onItsVersion, past } from '../text/messages.ts'
import { RestrictedBanner } from '../trust/RestrictedBanner.tsx'
import { TrustBanner } from '../trust/TrustBanner.tsx'
import { Button } from '../ui/Button.tsx'
import controls from '../ui/controls.module.css'
import { clockWords, instantWords } from '../ui/time-words.ts'
import { useSlowClock } from '../ui/use-clock.ts'
import { EndedBanner, endedBy } from './EndedBanner.tsx'
import { LineBanner } from './LineBanner.tsx'
import { DiskBanner } from './merge/DiskBanner.tsx'
import styles from './panels.module.css'
import { RollbackBanner } from './rollback/RollbackBanner.tsx'
import { TriggerBanner } from './TriggerBanner.tsx'

/** All that is to be said about the shown run, one line each. */
export function RunBanner() {
  return (
    <RunLine>
      <RunSiteBand />
      <RestrictedBanner />
      <DiskBanner />
      <AsideBanner />
      <PastBanner />
      <OriginBanner />
      <TriggerBanner />
      <StateBanner />
      <RollbackBanner />
      <TrustBanner />
    </RunLine>
  )
}

/** In a window that was opened for one run: why it moves by itself. */
function AsideBanner() {
  const isAside = useView((state) => state.isAside)
  const hasRun = useRuns((state) => state.current !== null)
  if (!isAside || !hasRun) return null
  return (
    <div className={styles['banner']} data-tone="quiet" data-testid="aside-note">
      <p>{asideWords.follows}</p>
    </div>
  )
}

function PastBanner() {
  const designer = useDesigner()
  const until = useRuns((state) => (state.current === null ? null : shownUntil(state.current)))
  if (until === null || !Number.isFinite(until)) return null
  return (
    <div className={styles['banner']} data-testid="run-past">
      <p>{fill(past, { time: clockWords(until) })}</p>
      <button
        type="button"
        className={controls['button']}
        data-size="small"
        onClick={() => designer.runs.getState().goLive()}
      >
        Back to now
      </button>
    </div>
  )
}

/** Where the shown run comes from, when it isn't one of its own. */
function OriginBanner() {
  const designer = useDesigner()
  const run = useRuns((state) => state.current?.live.replay.run ?? null)
  if (run === null) return null
  const { parentRunId, parentInvocationId, origin } = run
  const from: RunPlace | null =
    parentRunId !== null
      ? { runId: parentRunId, nodeId: null, ...(parentInvocationId && { invocationId: parentInvocationId }) }
      : origin === null
        ? null
        : { runId: origin.runId, nodeId: null }
  if (from === null) return null
  return (
    <div className={styles['banner']} data-tone="quiet" data-testid="run-origin">
      <p>{parentRunId === null ? children.again : children.startedBy}</p>
      <Button
        isSmall
        testId="run-origin-open"
        onClick={() => void showRunOf(designer, { ...from, site: shownSite(designer) })}
      >
        {parentRunId === null ? 'Show that run' : 'Show that step'}
      </Button>
    </div>
  )
}

function StateBanner() {
  const designer = useDesigner()
  const current = useRuns((state) => state.current)
  const now = useSlowClock()
  const open = useDocument((state) => (state.isOpen ? state.history.document.id : null))
  const run = current === null ? null : shownModel(current).replay.run
  if (current === null || run === null) return null
  if (current.overlay !== null) {
    return (
      <div className={styles['banner']} data-testid="run-banner">
        <p>
          Run of <b>{run.workflowTitle}</b>, {instantWords(run.createdAt, now)} —{' '}
          {versionWords(current, open)}. Nothing can be edited here.
        </p>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => runCommand(designer, 'run.close')}
        >
          {open === null ? 'Close' : 'Back to editing'}
        </button>
      </div>
    )
  }
  const show = (id: string): void => {
    designer.view.getState().select({ nodes: [nodeId(id)] })
    designer.view.getState().setPanels({ isInspectorOpen: true, inspectorTab: 'run' })
    designer.canvas.current?.focusNode(id)
  }
  const waiting = isUnderWay(current) ? undecided(current.live.replay) : []
  const [first] = waiting
  if (first !== undefined) return <DoubtBanner record={first} others={waiting.length - 1} />
  const asking = isUnderWay(current) ? unapproved(current.live.replay) : []
  if (asking[0] !== undefined) return <ApprovalBanner record={asking[0]} others={asking.length - 1} />
  const ending = runMachine.final.has(run.status) ? endedBy(shownModel(current).replay.invocations) : null
  if (run.error === null && ending !== null) return <EndedBanner record={ending} onShow={show} />
  if (run.error === null) return <WaitBanner run={run} />
  const failed = [...current.live.nodes].find(
    ([, node]) => node.invocation?.status === 'FAILED' || node.invocation?.status === 'TIMEOUT',
  )
  return (
    <div className={styles['banner']} data-tone="bad" data-testid="run-error">
      <p>
        <b>{run.error.message}</b> {run.error.hint}
      </p>
      {failed !== undefined && (
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => show(failed[0])}
        >
          Show the step
        </button>
      )}
      {isRetryable(run) && current.pulled === null && (
        <Button
          isSmall
          icon={StepForward}
          testId="run-retry"
          onClick={() => runCommand(designer, 'run.retry')}
        >
          {retryWords(run)}
        </Button>
      )}
    </div>
  )
}

/** On what a run is shown that isn't one of the open document. */
function versionWords({ overlay }: ShownRun, open: WorkflowId | null): string {
  if (open === null) return onItsVersion.alone
  return overlay?.id === open ? onItsVersion.changed : onItsVersion.foreign
}

/** Why the run stands still, while it does. */
function WaitBanner({ run }: { readonly run: RunRecord }) {
  const designer = useDesigner()
  const words = runWaitWords(run)
  const isPaused = pauseOf(run) !== 'none'
  if (words === null) return null
  if (!isPaused && isInLine(run)) return <LineBanner run={run} />
  return (
    <div className={styles['banner']} data-testid="run-wait">
      <p>{words}</p>
      {isPaused && (
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => runCommand(designer, 'run.resume')}
        >
          Resume
        </button>
      )}
      {isStandingStill(run) && (
        <Button isSmall icon={Redo2} testId="run-step" onClick={() => runCommand(designer, 'debug.step')}>
          {debugWords.step}
        </Button>
      )}
    </div>
  )
}

/** What a step is called. */
function useTitle({ nodeId: id }: InvocationRecord): string {
  const designer = useDesigner()
  return useShownDocument((document) => titleOfStep(document, designer.specs, id))
}

interface WaitingProps {
  readonly record: InvocationRecord
  readonly others: number
}

function ApprovalBanner({ record, others }: WaitingProps) {
  const designer = useDesigner()
  const title = useTitle(record)
  const more = others === 0 ? '' : ` ${fill(approvals.bannerMore, { count: others })}`
  return (
    <div className={styles['banner']} data-tone="violet" data-testid="run-approval" role="alert">
      <p>{`${fill(approvals.banner, { title })}${more}`}</p>
      <Button isSmall testId="run-approval-show" onClick={() => askToDecide(designer, record)}>
        {approvals.look}
      </Button>
    </div>
  )
}

function DoubtBanner({ record, others }: WaitingProps) {
  const designer = useDesigner()
  const title = useTitle(record)
  const more = others === 0 ? '' : ` ${fill(others === 1 ? doubt.oneMore : doubt.more, { count: others })}`
  return (
    <div className={styles['banner']} data-tone="violet" data-testid="run-doubt" role="alert">
      <p>{`${fill(doubt.banner, { title })}${more}`}</p>
      <Button isSmall testId="run-doubt-show" onClick={() => askToDecide(designer, record)}>
        Decide
      </Button>
    </div>
  )
}
