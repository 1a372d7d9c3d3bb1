/**
 * Pause and resume, of a run or of one step. Both are requests: queued and waiting work is set aside at
 * once, running programs are stopped and continued by their owner, everything else ends what it is at. A map
 * or loop stands still with all that goes on inside of it.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId, NodeId } from '../../model/ids.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { changeRun, createDraft, finishDraft, moveInvocation, touchInvocation } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { isCurrent } from '../run-state.ts'
import { settle } from '../settle.ts'
import { takeKept } from '../signals.ts'
import { startNow } from '../start-now.ts'
import { workingSince } from '../working-time.ts'
import { endSteps, withoutBreakpoint } from './breakpoints.ts'
import { ask, dispatchWith, hold, isHeld, isPauseAsked, letGo, remainingMs } from './hold.ts'
import { isInside, pausedAround } from './paused-bodies.ts'
import { refuseRolledBack } from './refuse-final.ts'

/**
 * Null when it is asked already, or the run is being cancelled. `together` is the step that waits for the run
 * and stands still itself: such a pause ends with that one's, a pause of its own doesn't. Throws
 * `run_already_final`.
 */
export function pauseRun(
  state: RunState,
  context: DecisionContext,
  together: InvocationId | null = null,
): Decision | null {
  refuseRolledBack(state, 'pause')
  const { pauseRequestedAt, cancelRequestedAt, waitReason } = state.run
  if (cancelRequestedAt !== null) return null
  const draft = createDraft(state, context)
  if (pauseRequestedAt !== null) {
    if (together !== null || waitReason?.pausedWith === undefined) return null
    changeRun(draft, { waitReason: pausedForItself(waitReason) })
    return finishDraft(draft)
  }
  const reason = together === null ? waitReason : pausedTogether(waitReason, together)
  changeRun(draft, { pauseRequestedAt: context.now, waitReason: reason })
  for (const record of state.invocations.values()) askOwner(draft, record)
  settle(draft)
  return finishDraft(draft)
}

/**
 * With `takes` the claimant claims what goes on in the same commit. Throws `run_already_final`, and `run_not_paused`
 * when nothing of it is paused.
 */
export function resumeRun(state: RunState, context: DecisionContext, takes = false): Decision | null {
  refuseRolledBack(state, 'resume')
  const paused = [...state.invocations.values()].filter(
    (record) => !invocationMachine.final.has(record.status) && (isPauseAsked(record) || isSetAside(record)),
  )
  if (state.run.pauseRequestedAt === null && paused.length === 0) {
    // Asked twice is no mistake while the first is still being answered.
    if ([...state.invocations.values()].some((record) => record.status === 'PAUSED')) return null
    throw new SagasmithError('run_not_paused', { details: { runId: state.run.id } })
  }
  const draft = createDraft(state, context)
  const waitReason = withoutBreakpoint(pausedForItself(state.run.waitReason))
  changeRun(draft, { pauseRequestedAt: null, waitReason })
  for (const record of paused) resumeStep(draft, record)
  if (takes) takeUp(draft, paused)
  endSteps(draft)
  settle(draft)
  return finishDraft(draft)
}

/** Null when it is asked already. Throws when the step has ended or hasn't begun. */
export function pauseNode(state: RunState, context: DecisionContext, nodeId: NodeId): Decision | null {
  refuseRolledBack(state, 'pause')
  const records = withBodies(state, openRecords(state, nodeId))
  const asked = records.filter((record) => !isPauseAsked(record) && record.cancelRequestedAt === null)
  if (asked.length === 0) return null
  const draft = createDraft(state, context)
  for (const record of asked) {
    hold(draft, record, context.now)
    // In line for a permit, or before a person: it keeps its place there, and begins nothing.
    if (!draft.records.has(record.id)) ask(draft, record, context.now)
  }
  settle(draft)
  return finishDraft(draft)
}

/**
 * Null when the step isn't paused. A step of a paused run goes on with the run only, and one inside of a paused
 * map or loop with that.
 */
export function resumeNode(state: RunState, context: DecisionContext, nodeId: NodeId): Decision | null {
  refuseRolledBack(state, 'resume')
  if (state.run.pauseRequestedAt !== null) {
    throw new SagasmithError('run_paused', { details: { runId: state.run.id, nodeId } })
  }
  const open = openRecords(state, nodeId)
  for (const record of open) refuseInPausedBody(state, record)
  const paused = withBodies(state, open).filter(isPauseAsked)
  if (paused.length === 0) return null
  const draft = createDraft(state, context)
  for (const record of paused) resumeStep(draft, record)
  settle(draft)
  return finishDraft(draft)
}

/** The owner stopped the program; null when nobody wants that any more, or it owns the step no longer. */
export function confirmPause(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  if (record === undefined || !isPauseAsked(record) || record.cancelRequestedAt !== null) return null
  if (record.status !== 'RUNNING' && record.status !== 'RESUMED') return null
  if (record.lease?.runnerId !== context.actor.id) return null
  const draft = createDraft(state, context)
  const workedMs = context.now - (workingSince(record) ?? context.now)
  const held = { notBefore: null, waitReason: null, remainingMs: remainingMs(record, context.now), workedMs }
  moveInvocation(draft, id, {
    to: 'PAUSED',
    set: {
      deadlineAt: null,
      waitReason: { code: 'paused', message: 'Its program stands still.' },
      dispatch: dispatchWith(record, { held }),
    },
  })
  settle(draft)
  return finishDraft(draft)
}

/** The owner lets the program go on: its time counts from where it stopped. Null when it stays paused. */
export function confirmResume(state: RunState, context: DecisionContext, id: InvocationId): Decision | null {
  const record = state.invocations.get(id)
  if (record?.status !== 'PAUSED' || isPauseAsked(record)) return null
  if (record.lease?.runnerId !== context.actor.id) return null
  const held = record.dispatch?.held
  const left = held?.remainingMs ?? null
  const draft = createDraft(state, context)
  moveInvocation(draft, id, {
    to: 'RESUMED',
    set: {
      deadlineAt: left === null ? null : context.now + left,
      dispatch: dispatchWith(record, { held: null, workingSince: context.now - (held?.workedMs ?? 0) }),
    },
  })
  settle(draft)
  return finishDraft(draft)
}

const togetherCode = 'paused'

/** A run in line keeps its reason to be there. */
const pausedTogether = (reason: WaitReason | null, pausedWith: InvocationId): WaitReason => ({
  ...(reason ?? {
    code: togetherCode,
    message: `Paused together with the step ${pausedWith} that waits for it.`,
  }),
  pausedWith,
})

function pausedForItself(reason: WaitReason | null): WaitReason | null {
  if (reason?.pausedWith === undefined) return reason
  const { code, message } = reason
  return code === togetherCode ? null : { code, message }
}

const isSetAside = (record: InvocationRecord): boolean => (record.dispatch?.held ?? null) !== null

/** Work that somebody owns stops at the owner's word; what its kind can't pause goes on to its end. */
function askOwner(draft: Draft, record: InvocationRecord): void {
  if (record.lease === null || record.cancelRequestedAt !== null || isPauseAsked(record)) return
  const dispatch = dispatchWith(record, { pauseRequestedAt: draft.context.now })
  touchInvocation(draft, record.id, { dispatch })
}

function resumeStep(draft: Draft, record: InvocationRecord): void {
  if (isHeld(record)) {
    const takesSignals = isPauseAsked(record) && record.wait?.kind === 'signal'
    letGo(draft, record)
    if (takesSignals) takeKept(draft, record.id)
  } else if (isPauseAsked(record)) {
    touchInvocation(draft, record.id, { dispatch: dispatchWith(record, { pauseRequestedAt: null }) })
  }
}

/** Claimed with the resume, nobody else gets it first. */
function takeUp(draft: Draft, resumed: readonly InvocationRecord[]): void {
  for (const { id } of resumed) {
    const record = draft.records.get(id)
    if (record !== undefined && invocationMachine.available.has(record.status)) startNow(draft, record)
  }
}

/** The records, and those that are open inside of maps and loops among them. */
function withBodies(state: RunState, records: readonly InvocationRecord[]): readonly InvocationRecord[] {
  const bodies = records.filter(({ wait }) => wait?.kind === 'items' || wait?.kind === 'turn')
  if (bodies.length === 0) return records
  const inside = [...state.invocations.values()].filter(
    (record) =>
      // What undoes a step is no part of the item or turn: it has its turn when these are over.
      record.role === 'forward' &&
      !invocationMachine.final.has(record.status) &&
      bodies.some((container) => isInside(container, record)),
  )
  return [...new Set([...records, ...inside])]
}

function refuseInPausedBody(state: RunState, { path, nodeId }: InvocationRecord): void {
  const around = pausedAround(state, path, (id) => state.invocations.get(id))
  if (around === null) return
  throw new SagasmithError('run_paused', {
    message: `The step “${nodeId}” is part of “${around.nodeId}”, which is paused as a whole.`,
    hint: `Resume “${around.nodeId}”: what goes on inside of it goes on with it.`,
    details: { runId: state.run.id, nodeId, pausedNodeId: around.nodeId },
  })
}

function openRecords(state: RunState, nodeId: NodeId): readonly InvocationRecord[] {
  const { run } = state
  const all = [...state.invocations.values()].filter(
    (record) => record.role === 'forward' && record.nodeId === nodeId && isCurrent(state, record),
  )
  const open = all.filter((record) => !invocationMachine.final.has(record.status))
  if (open.length > 0) return open
  const message =
    all.length === 0
      ? `The step “${nodeId}” of run ${run.id} hasn’t begun.`
      : `The step “${nodeId}” of run ${run.id} has ended.`
  const code = all.length === 0 ? 'invocation_not_found' : 'step_already_final'
  throw new SagasmithError(code, { message, details: { runId: run.id, nodeId } })
}
