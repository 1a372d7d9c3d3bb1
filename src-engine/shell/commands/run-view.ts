/** A run as it happens, for people: a line per ended step, and below them the steps that are under way. */

import { engineStepTitles } from '../../model/engine-steps.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, NodeId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { passedOverBy } from '../../model/passed-over.ts'
import type { Clock } from '../../model/ports.ts'
import { applyEvents, emptyReplay } from '../../model/replay.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Terminal } from '../terminal.ts'
import { spanText } from '../terminal.ts'

export interface RunView {
  readonly events: (events: readonly EngineEvent[]) => void
  /** Redraws what is under way: spinners and elapsed times. */
  readonly tick: () => void
  /** Ends the live part. */
  readonly end: () => void
}

/** Steps shown as under way; the rest is counted. */
const liveStepsMax = 8
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** A view on a terminal, or plain lines where the output is none. */
export function createRunView(terminal: Terminal, document: WorkflowDocument | null, clock: Clock): RunView {
  let replay = emptyReplay
  let skippedShown = 0
  let frame = 0
  let reasonTold = ''
  const told = new Map<InvocationId, string>()
  const titleOf = (nodeId: NodeId): string =>
    document?.nodes[nodeId]?.title ?? engineStepTitles.get(nodeId) ?? nodeId
  const width = Math.min(
    40,
    Math.max(12, ...Object.keys(document?.nodes ?? {}).map((id) => titleOf(id as NodeId).length)),
  )
  const tell = (invocation: InvocationRecord): void => {
    const { status, id, attempt } = invocation
    const key = `${status}:${attempt}`
    const isNews = invocationMachine.final.has(status) || noteworthy.has(status)
    if (!isNews || told.get(id) === key) return
    told.set(id, key)
    terminal.line(stepLine(terminal, invocation, titleOf(invocation.nodeId).padEnd(width)))
  }
  const tellLine = (): void => {
    const { run } = replay
    const said = run?.waitReason ?? null
    const isStopped = said?.code === 'breakpoint' && run?.status === 'PAUSED'
    const reason = run?.status === 'CREATED' || isStopped ? (said?.message ?? '') : ''
    if (reason !== '' && reason !== reasonTold)
      terminal.line(
        isStopped ? stoppedLine(terminal, reason, run?.id ?? '') : terminal.colors.dim(`In line: ${reason}`),
      )
    reasonTold = reason
  }
  const draw = (): void => {
    const active = [...replay.invocations.values()].filter(
      ({ status }) => !invocationMachine.final.has(status),
    )
    const spinner = terminal.colors.blue(frames[frame % frames.length] ?? '')
    const lines = active.slice(0, liveStepsMax).map((invocation) => {
      const text = activeText(invocation, clock.now())
      return `${spinner} ${titleOf(invocation.nodeId).padEnd(width)}  ${terminal.colors.dim(text)}`
    })
    const rest = active.length - lines.length
    terminal.live(rest > 0 ? [...lines, terminal.colors.dim(`  and ${rest} more`)] : lines)
  }
  return {
    events: (events) => {
      replay = applyEvents(replay, events)
      tellLine()
      const changed = new Set(events.map(({ invocationId }) => invocationId))
      for (const id of changed) {
        const invocation = id === null ? undefined : replay.invocations.get(id)
        if (invocation !== undefined) tell(invocation)
      }
      for (const { nodeId } of replay.skipped.slice(skippedShown)) {
        terminal.line(terminal.colors.dim(`- ${titleOf(nodeId).padEnd(width)}  skipped`))
      }
      skippedShown = replay.skipped.length
      draw()
    },
    tick: () => {
      frame += 1
      draw()
    },
    end: () => terminal.live([]),
  }
}

/** Where it stands, and how it goes on from another terminal. */
const stoppedLine = ({ colors }: Terminal, reason: string, runId: string): string =>
  `${colors.yellow('‖')} ${reason}\n  ${colors.dim(`→ sagasmith runs step ${runId}, or sagasmith runs resume ${runId}`)}`

/** Statuses that people want to hear of although the step goes on. */
const noteworthy: ReadonlySet<string> = new Set(['RETRY', 'APPROVAL_REQUIRED', 'RUNNING_RECOVERY'])

/** One step's line: mark, title, what became of it. */
export function stepLine(terminal: Terminal, invocation: InvocationRecord, title: string): string {
  const { green, red, yellow, dim } = terminal.colors
  const { status, startedAt, finishedAt, error, attempt, notBefore } = invocation
  const took = startedAt !== null && finishedAt !== null ? spanText(finishedAt - startedAt) : ''
  const tries = attempt > 1 ? ` (attempt ${attempt})` : ''
  const reused = invocation.dispatch?.reused
  const from = reused === undefined ? '' : `, from cache: ${runIdOf(reused.from)}`
  const stopped = invocation.dispatch?.stopped
  const why = stopped === undefined ? '' : `, ended the run, because ${stopped.condition}`
  // It bears the name of the step that it undoes, which ended above.
  const isUndo = invocation.role === 'compensation'
  if (status === 'SUCCESS' && isUndo) return `${yellow('↶')} ${title}  ${dim(`undone in ${took}${tries}`)}`
  if (status === 'SUCCESS') return `${green('✓')} ${title}  ${dim(`${took}${tries}${from}${why}`)}`.trimEnd()
  if (status === 'RETRY') {
    const wait =
      notBefore === null ? '' : `, again in ${spanText(Math.max(0, notBefore - (finishedAt ?? notBefore)))}`
    return `${yellow('↻')} ${title}  attempt ${attempt} failed${wait === ', again in 0 ms' ? '' : wait}: ${error?.message ?? ''}`
  }
  if (status === 'APPROVAL_REQUIRED') {
    const why = error?.message ?? invocation.waitReason?.message ?? 'it waits for a decision'
    const { runId, nodeId, wait } = invocation
    const how =
      wait?.kind === 'approval'
        ? `sagasmith approvals show ${runId} ${nodeId}`
        : `sagasmith runs resolve ${runId} ${nodeId} --as again|done|fail`
    return `${yellow('?')} ${title}  ${why} Decide: ${how}`
  }
  if (status === 'RUNNING_RECOVERY') return `${yellow('↻')} ${title}  its runner died; recovering`
  const condition = passedOverBy(invocation)
  if (condition !== null) return `${dim('-')} ${title}  ${dim(`skipped, because ${condition}`)}`
  if (status === 'CANCELLED')
    return `${dim('-')} ${title}  ${dim(`cancelled${invocation.cause.kind === 'skipped' ? ' (skipped)' : ''}`)}`
  const place = error === null ? '' : `: ${error.message}`
  const hint = error === null ? '' : `\n  ${dim(`→ ${error.hint}`)}`
  const ending = isUndo ? 'could not be undone' : status.toLowerCase()
  return `${red('✗')} ${title}  ${ending}${tries}${place}${hint}`
}

function activeText(invocation: InvocationRecord, now: number): string {
  const { status, startedAt, notBefore, attempt, waitReason } = invocation
  const tries = attempt > 1 ? `, attempt ${attempt}` : ''
  if (status === 'RUNNING' && startedAt !== null)
    return `running ${spanText(Math.max(0, now - startedAt))}${tries}`
  const wait = notBefore !== null && notBefore > now ? ` for ${spanText(notBefore - now)}` : ''
  if (status === 'RETRY') return `backing off${wait}${tries}`
  if (status === 'WAITING') return `waiting${wait}${waitReason === null ? '' : ` (${waitReason.message})`}`
  if (status === 'CONCURRENCY_CONTROLLED') return `in line (${waitReason?.message ?? ''})`
  return status === 'REGISTERED' ? 'queued' : status.toLowerCase().replaceAll('_', ' ')
}
