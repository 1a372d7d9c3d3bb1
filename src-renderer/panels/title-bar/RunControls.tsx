/** What can be done with the shown run, and how it fares; Run itself beside it. */

import {
  ArrowDownToLine,
  Drama,
  GitCompareArrows,
  LoaderCircle,
  Pause,
  Play,
  RotateCcw,
  Square,
  StepForward,
  X,
} from 'lucide-react'
import { commandOf, runCommand } from '../../commands/registry.ts'
import { useDesigner, useRuns, useSites } from '../../state/context.ts'
import { isStoppable, isUnderWay, shownModel } from '../../state/runs-store.ts'
import { onMocks } from '../../state/site.ts'
import { runLook } from '../../status/run-look.ts'
import { teleportWords } from '../../text/teleport-words.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { spanWords } from '../../ui/time-words.ts'
import { useClock } from '../../ui/use-clock.ts'
import { useEnabled } from '../../ui/use-enabled.ts'
import { useKeyWords } from '../../ui/use-key-map.ts'
import { RunButton } from './RunButton.tsx'
import styles from './TitleBar.module.css'

export function RunControls() {
  const designer = useDesigner()
  const underWay = useRuns((state) => isUnderWay(state.current))
  const mayStop = useRuns((state) => isStoppable(state.current))
  const hasRun = useRuns((state) => state.current !== null)
  const isCopy = useRuns((state) => (state.current?.pulled ?? null) !== null)
  const mayRetry = useEnabled(commandOf('run.retry'))
  const retryKeys = useKeyWords(commandOf('run.retry')) ?? ''
  return (
    <>
      <RunState />
      {mayRetry && (
        <Button
          icon={StepForward}
          testId="retry-button"
          title={`Retry what failed  (${retryKeys})`}
          onClick={() => runCommand(designer, 'run.retry')}
        >
          Retry
        </Button>
      )}
      {hasRun && !underWay && !isCopy && (
        <>
          <CommandButton id="run.rerun" icon={RotateCcw} testId="rerun-button" />
          <CommandButton id="run.compare" icon={GitCompareArrows} testId="compare-button" />
        </>
      )}
      <BringButton />
      {mayStop && !isCopy && <PauseButton />}
      {mayStop && !isCopy && (
        <button
          type="button"
          className={controls['button']}
          data-kind="danger"
          data-testid="cancel-button"
          onClick={() => runCommand(designer, 'run.cancel')}
        >
          <Square size={13} fill="currentColor" aria-hidden /> Cancel
        </button>
      )}
      <CommandButton id="run.rehearse" icon={Drama} testId="rehearse-button" />
      <RunButton />
    </>
  )
}

/** Of a run of a cluster: copies it here. */
function BringButton() {
  const designer = useDesigner()
  const isOfCluster = useRuns(
    ({ current }) => current !== null && current.site !== null && current.site.name !== onMocks.name,
  )
  const pulling = useSites((state) => state.pulling)
  if (!isOfCluster) return null
  return (
    <IconButton
      icon={pulling === null ? ArrowDownToLine : LoaderCircle}
      label={pulling === null ? teleportWords.pull : teleportWords.pulling}
      data-testid="bring-here"
      disabled={pulling !== null}
      onClick={() => runCommand(designer, 'run.bringHere')}
    />
  )
}

/** Pause while it goes on, Resume once a pause was asked for: the same place for both. */
function PauseButton() {
  const designer = useDesigner()
  const mayResume = useEnabled(commandOf('run.resume'))
  const mayPause = useEnabled(commandOf('run.pause'))
  const [id, label, Icon] = mayResume
    ? (['run.resume', 'Resume', Play] as const)
    : (['run.pause', 'Pause', Pause] as const)
  const keys = useKeyWords(commandOf(id)) ?? ''
  return (
    <button
      type="button"
      className={controls['button']}
      data-testid={mayResume ? 'resume-button' : 'pause-button'}
      title={`${label}  (${keys})`}
      disabled={!mayResume && !mayPause}
      onClick={() => runCommand(designer, id)}
    >
      <Icon size={13} fill="currentColor" aria-hidden /> {label}
    </button>
  )
}

function RunState() {
  const designer = useDesigner()
  const run = useRuns((state) => (state.current === null ? null : shownModel(state.current).replay.run))
  const now = useClock(run !== null && run.finishedAt === null)
  if (run === null) return null
  const took = (run.finishedAt ?? now) - (run.startedAt ?? run.createdAt)
  return (
    <span className={styles['run']} data-testid="run-state" data-status={run.status} data-run-id={run.id}>
      <StatusBadge style={runLook(run)} />
      <time>{spanWords(Math.max(0, took))}</time>
      <IconButton icon={X} label="Stop showing this run" onClick={() => runCommand(designer, 'run.close')} />
    </span>
  )
}
