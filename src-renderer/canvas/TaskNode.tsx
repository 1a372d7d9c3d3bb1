/** The card of a node: what it is, what it needs, and how it fares in the shown run. */

import type { NodeProps } from '@xyflow/react'
import { Handle, Position } from '@xyflow/react'
import { CircleAlert, CloudUpload, CornerUpRight, EyeOff, Pin, Rewind, TriangleAlert } from 'lucide-react'
import { memo, useMemo } from 'react'
import { runsBodyOnce } from '../../src-engine/model/containers.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { errorPort, inputPort } from '../../src-engine/model/workflow.ts'
import { useRuns, useTriggers, useView } from '../state/context.ts'
import type { RewindMark } from '../state/rewind.ts'
import { shownUntil } from '../state/runs-store.ts'
import { scopeOf } from '../state/turns.ts'
import { useRewindMark } from '../state/use-rewound.ts'
import type { ConnectMode, JumpMode } from '../state/view-store.ts'
import { undoStyle } from '../status/status-style.ts'
import { bodies } from '../text/messages.ts'
import { rollback } from '../text/saga-words.ts'
import { triggers as words } from '../text/trigger-words.ts'
import { TaskIcon } from '../ui/TaskIcon.tsx'
import { TurnBar } from '../ui/TurnBar.tsx'
import { BreakpointMark } from './BreakpointMark.tsx'
import { CardQuestion } from './CardQuestion.tsx'
import { FollowedMark } from './FollowedMark.tsx'
import { GhostStrip } from './ghosts/GhostStrip.tsx'
import { Gate } from './live/Gate.tsx'
import { LeaseBar } from './live/LeaseBar.tsx'
import { LimitRing } from './live/LimitRing.tsx'
import { MapDeck } from './live/MapDeck.tsx'
import { StepWords } from './live/StepWords.tsx'
import { useCardRun } from './live/use-in-turn.ts'
import { NodeState } from './NodeState.tsx'
import { NodeTitle } from './NodeTitle.tsx'
import type { NodeLook } from './node-look.ts'
import { leftBehind, lookOf } from './node-look.ts'
import styles from './TaskNode.module.css'
import type { TaskData, TaskFlowNode } from './to-flow.ts'
import { UndoPort } from './UndoPort.tsx'
import { UndoShadow } from './UndoShadow.tsx'
import type { UndoPhase } from './undo-look.ts'
import { undoPhaseOf } from './undo-look.ts'

/** Only what the document and the run say about this node makes it draw again. */
export const TaskNode = memo(function TaskNode({ id, data, selected }: NodeProps<TaskFlowNode>) {
  const run = useCardRun(id)
  const mark = useRewindMark(id)
  const { undo } = data
  const look = useMemo(() => {
    if (run === null) return null
    // It was passed on the way back, and nothing undid it.
    const stays = mark === 'passed' && run.undo === null && undo !== null
    return stays ? leftBehind(undo.what === '' ? rollback.why.missing : undo.what) : lookOf(run, mark)
  }, [run, mark, undo])
  // What was to be decided once is not to be decided again.
  const isNow = useRuns(({ current }) => current !== null && shownUntil(current) === Number.POSITIVE_INFINITY)
  const hint = useView((state) => connectHint(state.connectMode, id))
  const letters = useView((state) => jumpLetters(state.jump, id))
  const isFound = useView((state) => state.finding?.nodes.has(id) === true)
  const owned = run?.invocation?.lease ? run.invocation.id : null
  const { node, spec, ports } = data
  const title = node.title ?? spec?.title ?? node.kind
  return (
    <article
      className={styles['card']}
      data-testid={`node-${id}`}
      data-category={spec?.category ?? 'unknown'}
      data-tone={look?.style.tone}
      data-status={run?.invocation?.status ?? (run?.isSkipped === true ? 'SKIPPED' : undefined)}
      data-selected={selected || undefined}
      data-found={isFound || undefined}
      data-disabled={node.disabled || undefined}
      data-body={data.body ?? undefined}
      data-unknown={spec === null || undefined}
      data-undoes={data.isUndoing || undefined}
      data-undo-phase={run === null ? undefined : shownPhase(run.undo, mark)}
      data-rewind={mark === 'none' ? undefined : mark}
      aria-label={cardLabel({ title, data, look })}
    >
      <UndoShadow mark={undo} hasRun={look !== null} />
      <BreakpointMark id={id} />
      {run !== null && <FollowedMark id={id} />}
      <GhostStrip id={id} />
      {run?.invocation?.status === 'CONCURRENCY_CONTROLLED' && isNow && <Gate invocation={run.invocation} />}
      {spec?.hasInput !== false && (
        <Handle type="target" position={Position.Left} id={inputPort} className={styles['in'] ?? ''} />
      )}
      <div className={styles['head']}>
        <span className={styles['tile']}>
          <TaskIcon name={spec?.icon} size={18} strokeWidth={1.8} />
          {run !== null && look !== null && <LimitRing run={run} look={look} />}
        </span>
        <span className={styles['words']}>
          <NodeTitle id={id} title={title} isReadOnly={data.isReadOnly} />
          <Summary data={data} />
        </span>
        <Badges id={id} data={data} hasRun={run !== null} />
      </div>
      {isNow && owned !== null && <LeaseBar id={owned} />}
      {mark === 'origin' && (
        <span className={styles['rewind']} title={rollback.origin} data-testid="rewind-origin">
          <Rewind size={13} fill="currentColor" aria-label={rollback.origin} />
        </span>
      )}
      {look?.style === undoStyle.left && (
        <span className={styles['rewind']} data-kind="left" data-testid="left-pin">
          <Pin size={13} strokeWidth={2.4} aria-hidden />
        </span>
      )}
      {run !== null && run.strip !== null && (
        <span className={styles['turns']}>
          <TurnBar strip={run.strip} />
        </span>
      )}
      <Ways ports={ports} />
      {data.body !== null && (
        <div className={styles['body']}>
          {data.body === 'empty' && <p>{runsBodyOnce(node.kind) ? bodies.emptyOnce : bodies.empty}</p>}
        </div>
      )}
      {/* Sits on the lower edge; shown while it is used, hovered or a wire is being drawn from it. */}
      <Handle
        type="source"
        position={Position.Bottom}
        id={errorPort}
        className={`${styles['error']} ${data.hasErrorEdge ? styles['errorUsed'] : ''}`}
        title="On error"
      />
      <UndoPort mark={undo} />
      {look !== null && (
        <div className={styles['under']}>
          <NodeState look={look} />
          {run !== null && <StepWords run={run} />}
          {run !== null && run.strip !== null && run.invocation !== null && (
            <MapDeck scope={scopeOf(run.invocation.path, id)} strip={run.strip} />
          )}
          {run?.invocation?.status === 'APPROVAL_REQUIRED' && isNow && (
            <CardQuestion key={run.invocation.id} invocation={run.invocation} />
          )}
        </div>
      )}
      {letters !== null && (
        <kbd className={styles['letter']} data-testid="jump-letters">
          {letters}
        </kbd>
      )}
      {hint !== null && (
        <kbd className={styles['letter']} data-current={hint.isCurrent || undefined}>
          {hint.letter}
        </kbd>
      )}
    </article>
  )
})

/** How far its being undone is shown. */
function shownPhase(undo: InvocationRecord | null, mark: RewindMark): UndoPhase | undefined {
  if (undo === null) return undefined
  if (mark === 'ahead') return 'recorded'
  return mark === 'next' ? 'active' : undoPhaseOf(undo)
}

// A run changes its card many times; what is below says nothing of it, and is not drawn again for it.

const Summary = memo(function Summary({ data: { node, spec } }: { readonly data: TaskData }) {
  return (
    <span className={styles['summary']}>
      {spec === null ? `Unknown kind “${node.kind}”` : spec.summary(node.parameters ?? {})}
    </span>
  )
})

const Ways = memo(function Ways({ ports }: { readonly ports: TaskData['ports'] }) {
  const [only] = ports
  if (ports.length === 1 && only !== undefined) {
    return <Handle type="source" position={Position.Right} id={only.id} className={styles['out'] ?? ''} />
  }
  return (
    <ul className={styles['ports']}>
      {ports.map((port) => (
        <li key={port.id} className={styles['port']}>
          <span>{port.title}</span>
          <Handle type="source" position={Position.Right} id={port.id} className={styles['out'] ?? ''} />
        </li>
      ))}
    </ul>
  )
})

const Badges = memo(function Badges(props: {
  readonly id: string
  readonly data: TaskData
  readonly hasRun: boolean
}) {
  const { id, data, hasRun } = props
  const isUnpublished = useTriggers((state) => state.changed.has(id))
  const error = data.problems.find((problem) => problem.severity === 'error')
  const problem = error ?? data.problems[0]
  const Badge = error === undefined ? TriangleAlert : CircleAlert
  return (
    <span className={styles['badges']}>
      {isUnpublished && !hasRun && (
        <span className={styles['unpublished']} title={words.stepChanged} data-testid="unpublished-mark">
          <CloudUpload size={14} aria-label={words.stepChanged} />
        </span>
      )}
      {data.node.disabled === true && (
        <EyeOff size={14} aria-label="Switched off" className={styles['off']} />
      )}
      {data.node.bypassed === true && (
        <CornerUpRight size={14} aria-label="Bypassed" className={styles['off']} />
      )}
      {problem !== undefined && (
        <span
          title={`${problem.message}\n${problem.hint}`}
          className={error === undefined ? styles['warning'] : styles['problem']}
        >
          <Badge size={15} aria-label={`${data.problems.length} problems: ${problem.message}`} />
        </span>
      )}
    </span>
  )
})

function cardLabel({ title, data, look }: { title: string; data: TaskData; look: NodeLook | null }): string {
  const parts = [title, data.spec?.title ?? `unknown kind ${data.node.kind}`]
  if (look !== null) parts.push(look.style.label)
  if (look?.reason) parts.push(look.reason)
  if (data.problems.length > 0) parts.push(`${data.problems.length} problems`)
  return parts.join(', ')
}

/** The letters that lead to this node; null while none are asked for, or others were typed. */
function jumpLetters(jump: JumpMode | null, id: string): string | null {
  const label = jump?.labels.get(id)
  if (jump === null || label === undefined || !label.startsWith(jump.typed)) return null
  return label.slice(jump.typed.length)
}

/** The letters that pick this node as the target of a keyboard connection. */
function connectHint(mode: ConnectMode | null, id: string) {
  const label = mode?.labels.get(id)
  if (mode === null || label === undefined || !label.startsWith(mode.typed)) return null
  return hintByKey(`${label.slice(mode.typed.length)}|${mode.candidates[mode.index] === id}`)
}

const hints = new Map<string, { readonly letter: string; readonly isCurrent: boolean }>()

/** The same object for the same hint, so that a selector stays equal to itself. */
function hintByKey(key: string) {
  const known = hints.get(key)
  if (known !== undefined) return known
  const [letter = '', current] = key.split('|')
  const hint = { letter, isCurrent: current === 'true' }
  hints.set(key, hint)
  return hint
}
