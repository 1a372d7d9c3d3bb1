/** What can be done with the shown run, and how it fares; Run itself beside it. */

import type { LucideIcon } from 'lucide-react'
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
import { sinceMade } from '../../../src-engine/model/run-time.ts'
import { commandOf, runCommand } from '../../commands/registry.ts'
import { useDesigner, useRuns, useSites } from '../../state/context.ts'
import { shownModel } from '../../state/runs-store.ts'
import { useShownUntil } from '../../state/selectors.ts'
import { onMocks } from '../../state/site.ts'
import { runLook } from '../../status/run-look.ts'
import { pauseOf } from '../../status/wait-words.ts'
import { teleportWords } from '../../text/teleport-words.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useRunTime } from '../../ui/use-clock.ts'
import { useEnabled } from '../../ui/use-enabled.ts'
import { useKeyWords } from '../../ui/use-key-map.ts'
import { RunButton } from './RunButton.tsx'
import styles from './TitleBar.module.css'

/** Run, and the rehearsal of it. They stand where they stand, whatever else comes and goes. */
export function RunControls() {
  return (
    <>
      <CommandButton id="run.rehearse" icon={Drama} testId="rehearse-button" />
      <RunButton />
    </>
  )
}

/**
 * How the shown run fares, and what can be done with it. All of it has its place from the moment that a run is shown: what
 * can't be done now is off and doesn't go, so that nobody presses what came to stand under the pointer.
 */
export function ShownRun() {
  const hasRun = useRuns((state) => state.current !== null)
  const isCopy = useRuns((state) => (state.current?.pulled ?? null) !== null)
  if (!hasRun) return null
  return (
    <div className={styles['shown']}>
      <RunState />
      {!isCopy && <ActButton id="run.retry" icon={StepForward} label="Retry" testId="retry-button" />}
      {!isCopy && <CommandButton id="run.rerun" icon={RotateCcw} testId="rerun-button" />}
      {!isCopy && <CommandButton id="run.compare" icon={GitCompareArrows} testId="compare-button" />}
      <BringButton />
      {!isCopy && <PauseButton />}
      {!isCopy && (
        <ActButton
          id="run.cancel"
          icon={Square}
          label="Cancel"
          testId="cancel-button"
          kind="danger"
          isFilled
        />
      )}
    </div>
  )
}

/** A command with its name where the window is wide enough for it. */
function ActButton(props: {
  readonly id: string
  readonly icon: LucideIcon
  readonly label: string
  readonly testId: string
  readonly kind?: 'danger'
  readonly isFilled?: boolean
}) {
  const { id, icon: Icon, label, testId, kind, isFilled = false } = props
  const designer = useDesigner()
  const command = commandOf(id)
  const isEnabled = useEnabled(command)
  const keys = useKeyWords(command)
  return (
    <button
      type="button"
      className={`${controls['button']} ${styles['act']}`}
      data-kind={kind}
      data-testid={testId}
      aria-label={label}
      title={keys === undefined ? command.title : `${command.title}  (${keys})`}
      disabled={!isEnabled}
      onClick={() => runCommand(designer, id)}
    >
      <Icon size={13} {...(isFilled ? { fill: 'currentColor' } : {})} aria-hidden /> <span>{label}</span>
    </button>
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

/** Pause while it goes on, Resume once a pause was asked for: the same place for both, also while nobody answers. */
function PauseButton() {
  const isPausing = useRuns(({ current }) => {
    const run = current?.live.replay.run ?? null
    return run !== null && run.cancelRequestedAt === null && pauseOf(run) !== 'none'
  })
  return isPausing ? (
    <ActButton id="run.resume" icon={Play} label="Resume" testId="resume-button" isFilled />
  ) : (
    <ActButton id="run.pause" icon={Pause} label="Pause" testId="pause-button" isFilled />
  )
}

function RunState() {
  const designer = useDesigner()
  const run = useRuns((state) => (state.current === null ? null : shownModel(state.current).replay.run))
  const until = useShownUntil()
  const took = useRunTime(run === null ? null : sinceMade(run), until)
  if (run === null) return null
  return (
    <span className={styles['run']} data-testid="run-state" data-status={run.status} data-run-id={run.id}>
      <StatusBadge style={runLook(run)} />
      <time>{took}</time>
      <IconButton icon={X} label="Stop showing this run" onClick={() => runCommand(designer, 'run.close')} />
    </span>
  )
}
