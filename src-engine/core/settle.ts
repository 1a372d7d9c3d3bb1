/** The run's own status after a decision: running, waiting, or how it ended. */

import { errorRecord } from '../model/errors.ts'
import { runEventsMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import { assert } from '../model/result.ts'
import type { RunStatus } from '../model/run-status.ts'
import { isRollingBack } from '../model/run-status.ts'
import { settleBodies } from './bodies.ts'
import { pausedNoMore } from './control/breakpoints.ts'
import { holdPausedSteps } from './control/paused-bodies.ts'
import { holdTheRest, isPausing, pausedStatus } from './control/pausing.ts'
import type { Draft } from './draft.ts'
import { changeRun, moveInvocation, recordOf, runIsFinal, touchInvocation } from './draft.ts'
import { tellsParent } from './effects.ts'
import { levelOutput } from './level-output.ts'
import { propagateInto } from './propagate.ts'
import { forwardId, isActive } from './run-state.ts'
import { recordEnded } from './saga/record-undo.ts'
import { rollOn, rollsBackInstead } from './saga/roll-back.ts'
import { startEarlier } from './start-now.ts'
import { isStopping, statusOfError, wasStopping } from './stopping.ts'
import { endVainJoins } from './vain-joins.ts'

/** Ends every decision: stops what must stop, fills free slots, moves the run. */
export function settle(draft: Draft): void {
  if (isRollingBack(draft.run.status)) {
    rollOn(draft)
    startEarlier(draft)
    return
  }
  if (draft.bodies !== null || draft.orphans !== null) settleBodies(draft)
  if (draft.state.writeCount >= runEventsMax) endTooLong(draft)
  if (isStopping(draft)) stopTheRest(draft)
  else {
    holdPausedSteps(draft)
    if (isPausing(draft)) holdTheRest(draft)
    else {
      endVainJoins(draft)
      startEarlier(draft)
    }
  }
  if (draft.ended !== null) recordEnded(draft)
  // A run in line has no steps yet: that is no end, unless somebody wants one.
  const isInLine = draft.run.status === 'CREATED' && draft.run.error === null && !isStopping(draft)
  if (runIsFinal(draft.run) || isInLine) return
  if (draft.activeCount === 0 && endStatus(draft) === 'SUCCEEDED') beginOutput(draft)
  if (draft.activeCount === 0) end(draft)
  else {
    const status = statusUnderWay(draft)
    if (draft.run.status !== status) changeRun(draft, {}, status)
  }
}

/** Its history would grow without an end: nothing new begins in it. */
function endTooLong(draft: Draft): void {
  if (draft.run.error !== null || isStopping(draft)) return
  const details = { writes: draft.state.writeCount, max: runEventsMax }
  changeRun(draft, { error: errorRecord('run_too_long', { details }) })
}

function statusUnderWay(draft: Draft): RunStatus {
  if (isPausing(draft) && !isStopping(draft)) return pausedStatus(draft)
  return draft.activeCount === draft.parkedCount ? 'WAITING' : 'RUNNING'
}

/** The output expression is a step of its own: durable, retried after a crash, with its error in the open. */
function beginOutput(draft: Draft): void {
  const { outputStep } = draft.state.workflow
  if (outputStep === null || recordOf(draft, forwardId(draft.state, outputStep.id)) !== undefined) return
  propagateInto(draft, draft, [outputStep])
}

/** Queued and parked work is cancelled; owned work is asked, and answers once it is really dead. */
function stopTheRest(draft: Draft): void {
  if (draft.activeCount === 0) return
  const cause = { kind: 'cancel', by: draft.run.id, detail: null }
  for (const id of idsToStop(draft)) {
    const record = recordOf(draft, id)
    if (record === undefined || !isActive(record)) continue
    if (record.lease === null) {
      moveInvocation(draft, id, { to: 'CANCELLED', cause, set: { error: cancelError(draft) } })
    } else if (record.cancelRequestedAt === null) {
      touchInvocation(draft, id, { cancelRequestedAt: draft.context.now })
    }
  }
}

/** In a run that was stopping before, everything else has been asked already. */
function idsToStop(draft: Draft) {
  const { state, records } = draft
  if (wasStopping(state)) return [...records.keys()]
  return new Set([...state.invocations.keys(), ...records.keys()])
}

function cancelError(draft: Draft) {
  const failed = draft.run.error !== null
  return errorRecord('task_cancelled', {
    message: failed ? 'Cancelled because another step failed.' : 'Cancelled together with the run.',
  })
}

function end(draft: Draft): void {
  const { now } = draft.context
  const status = endStatus(draft)
  const error = draft.run.error ?? (status === 'CANCELLED' ? errorRecord('run_cancelled') : null)
  if (rollsBackInstead(draft, status, error?.code ?? null)) {
    changeRun(draft, { ...pausedNoMore(draft.run), error, output: null, deadlineAt: null }, 'COMPENSATING')
    rollOn(draft)
    return
  }
  const output = status === 'SUCCEEDED' ? runOutput(draft) : null
  // What was under way when somebody paused has come to its end by itself.
  if (status === 'SUCCEEDED' && draft.run.status === 'PAUSED') changeRun(draft, {}, 'RUNNING')
  const set = { ...pausedNoMore(draft.run), finishedAt: now, error, output, deadlineAt: null }
  const isPausedTogether = draft.run.waitReason?.pausedWith !== undefined
  changeRun(draft, isPausedTogether ? { ...set, waitReason: null } : set, status)
  tellsParent(draft)
}

/** A failure outranks a denial, which outranks a timeout, which outranks a cancel. */
function endStatus(draft: Draft): RunStatus {
  const { error, cancelRequestedAt } = draft.run
  if (error !== null) {
    return statusOfError(error.code)
  }
  return cancelRequestedAt === null ? 'SUCCEEDED' : 'CANCELLED'
}

/**
 * What the output step gave; without one the output of the last node, or of each last node by id. Too large for a record, or in blobs: a note of
 * where to find it.
 */
function runOutput(draft: Draft): Payload {
  return draft.run.output ?? runOutputAnew(draft)
}

/** The same from the steps' records alone. */
export function runOutputAnew(draft: Draft): Payload {
  const { outputStep } = draft.state.workflow
  const told = outputStep === null ? null : recordOf(draft, forwardId(draft.state, outputStep.id))?.output
  if (told !== null && told !== undefined) return told
  const output = levelOutput(lastNodes(draft), (node) => recordOf(draft, forwardId(draft.state, node.id)))
  if (output.kind === 'single') return output.payload
  if (output.kind === 'item') return { kind: 'inline', json: 'null' }
  const members = output.parts.map(
    ({ nodeId, payload }) => `${JSON.stringify(nodeId)}:${payloadJson(payload)}`,
  )
  const ids = output.parts.map(({ nodeId }) => nodeId)
  return inlinePayload(`{${members.join(',')}}`) ?? { kind: 'inline', json: referenceJson(ids) }
}

/** Those from which nothing went on: a way out that was taken says so without a look at any record. */
const lastNodes = ({ state, edges }: Draft) =>
  state.workflow.nodes.filter((node) =>
    node.waysOut.every(({ index }) => (edges?.get(index) ?? state.edgeDecisions[index]) !== 'taken'),
  )

function payloadJson(payload: Payload): string {
  if (payload.kind === 'inline') return payload.json
  assert(payload.kind === 'blob', 'a run is decided about with its values open')
  return JSON.stringify({ $blob: payload.hash, bytes: payload.bytes })
}

const referenceJson = (ids: readonly string[]): string => JSON.stringify({ $outputsOf: ids })
