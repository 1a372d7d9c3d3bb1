/**
 * What must hold of every store after whatever happened to the engines on it: one check for the simulator
 * and the crash harness. Each finding begins with the number of its invariant.
 */

import { arrivalsOf } from '../../src-engine/core/node-input.ts'
import { rebuildRunState } from '../../src-engine/core/rebuild.ts'
import { forwardId, isRecorded } from '../../src-engine/core/run-state.ts'
import { chainNumberOf } from '../../src-engine/core/saga/undo-chain.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { compareFences, sameFence } from '../../src-engine/model/fence.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { crashAttemptsMax } from '../../src-engine/model/limits.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import { verifyChain } from '../../src-engine/store/event-chain.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { checkDefinitions, checkReplays } from './definition-invariants.ts'
import { checkDemands, checkRunPermits } from './demand-invariants.ts'
import { checkEffects } from './effect-invariants.ts'
import type { Effect } from './effect-sink.ts'
import type { Called, Signalled } from './flow-invariants.ts'
import { checkCalls, checkChildren, checkSignals, checkTurns } from './flow-invariants.ts'
import type { Forgotten } from './forgotten-invariants.ts'
import type { History, RunHistory } from './history.ts'
import { readHistory } from './history.ts'
import { checkKept } from './kept-invariants.ts'
import type { Overseen } from './overseen.ts'
import { checkOverseen } from './overseen.ts'
import { checkParticulars } from './particular-invariants.ts'
import { checkPermits, checkPermitsLeft } from './permit-invariants.ts'
import { checkPlacement } from './placement-invariants.ts'
import { checkSagas } from './saga-invariants.ts'
import { sameJson } from './same-json.ts'

export interface Checked {
  readonly store: Store
  /** What the outside world saw. */
  readonly effects: readonly Effect[]
  /** Runs whose start was acknowledged to somebody. */
  readonly accepted: readonly string[]
  /** Signals whose receipt was acknowledged to somebody. */
  readonly signalled?: readonly Signalled[]
  readonly called?: readonly Called[]
  /** What people said, and the policies that counted; absent where nobody had a say. */
  readonly overseen?: Overseen
  /** When what is not to stay is to be gone; absent where all stays. */
  readonly forgotten?: Forgotten
  /** Whether faults are over and time enough has passed: then every run is final or waits for a person. */
  readonly settled: boolean
  /** Whether a recovery of this runner's work at this instant was right; always when absent. */
  readonly mayRecover?: (runnerId: string, at: number) => boolean
}

/** Every violation in words; empty when all is well. */
export async function checkAll(checked: Checked): Promise<readonly string[]> {
  return checkHistory(await readHistory(checked.store), checked)
}

/** The same for what was read already: of all, or of one partition, with the effects and starts that belong to it. */
export async function checkHistory(history: History, checked: Checked): Promise<readonly string[]> {
  return [
    ...checkFeed(history, checked.store.info),
    ...checkAccepted(history, checked),
    ...history.runs.flatMap((run) => checkRun(run, checked)),
    ...checkEffects(history, checked.effects),
    ...checkPermits(history),
    ...(await checkPermitsLeft(checked.store, history)),
    ...checkSignals(history, checked.signalled ?? []),
    ...checkCalls(history, checked.called ?? []),
    ...checkTurns(history),
    ...checkChildren(history),
    ...checkDemands(history),
    ...checkSagas(history),
    ...checkParticulars(history, checked.effects),
    ...checkRunPermits(history),
    ...(await checkPlacement(checked.store, history)),
    ...(await checkDefinitions(checked.store, history)),
    ...(await checkReplays(checked.store, history)),
    ...(await checkKept(checked.store, history, checked.forgotten ?? null)),
    ...(checked.overseen === undefined
      ? []
      : await checkOverseen(checked.store, history, { ...checked, overseen: checked.overseen })),
  ]
}

/** I3, I9: the chain is unbroken, and an op-id names one checkpoint. */
function checkFeed({ events }: History, { chain }: Store['info']): readonly string[] {
  const found: string[] = []
  for (const own of Map.groupBy(events, ({ partition }) => partition).values()) {
    const broken = verifyChain(own, false, chain)
    if (broken !== null) found.push(`I3 ${broken}`)
  }
  const seqByOp = new Map<string, number>()
  for (const event of events) {
    const last = seqByOp.get(event.opId)
    if (last !== undefined && last !== event.seq - 1) found.push(`I9 ${event.opId} was committed twice`)
    seqByOp.set(event.opId, event.seq)
  }
  return found
}

/** I10, I11, I12: nothing that was accepted is lost, and everything comes to an end. */
function checkAccepted(history: History, checked: Checked): readonly string[] {
  const found: string[] = history.unbound.map((id) => `I11 the definition of ${id} is gone`)
  const known = new Set<string>([...history.runs.map(({ run }) => run.id), ...history.unbound])
  for (const id of checked.accepted) if (!known.has(id)) found.push(`I10 the accepted run ${id} is gone`)
  if (!checked.settled) return found
  for (const { run, invocations } of history.runs) {
    const waits = invocations.some((record) => record.status === 'APPROVAL_REQUIRED')
    if (runMachine.final.has(run.status) || waits) continue
    const open = invocations.filter((record) => !invocationMachine.final.has(record.status))
    const told = open.map((record) => `${record.nodeId} ${record.status}`).join(', ')
    found.push(`I12 the run ${run.id} is still ${run.status}: ${told}`)
  }
  return found
}

function checkRun(history: RunHistory, checked: Checked): readonly string[] {
  const replayed = replayRun(history.events)
  const told = [...replayed.invocations.values()]
  const found: string[] = []
  if (!sameJson(replayed.run, history.run)) found.push(`I2 the events of ${history.run.id} tell another run`)
  if (told.length !== history.invocations.length) found.push(`I2 ${history.run.id} has untold invocations`)
  for (const [index, record] of history.invocations.entries()) {
    // Renewals write no event.
    if (!sameJson(unleased(told[index]), unleased(record)))
      found.push(`I2 the events tell another ${record.id}`)
    found.push(...checkRecord(record, history))
  }
  const places = new Set<string>()
  for (const { nodeId, path, generation, role, id } of history.invocations) {
    const place = `${nodeId} ${path} ${generation} ${role} ${chainNumberOf(id)}`
    if (places.has(place)) found.push(`I18 ${id} is the second of ${place}`)
    places.add(place)
  }
  const walked = new Map<string, Walk>()
  for (const event of history.events) found.push(...walk(walked, event, checked))
  for (const record of history.invocations) found.push(...checkCounts(record, walked.get(record.id), history))
  return [...found, ...checkOrder(history)]
}

const unleased = (record: InvocationRecord | undefined) =>
  record === undefined || record.lease === null
    ? record
    : { ...record, lease: { ...record.lease, expiresAt: 0 } }

/** I6, I10, I11: a lease exactly while owned, a named reason to wait, nothing open in an ended run. */
function checkRecord(record: InvocationRecord, { run }: RunHistory): readonly string[] {
  const found: string[] = []
  const { owned, available, final } = invocationMachine
  if (owned.has(record.status) !== (record.lease !== null)) found.push(`I6 ${record.id} has no fitting lease`)
  if (final.has(record.status)) return found
  // What undoes a step of a run that succeeded never has its turn.
  if (record.role === 'compensation' && isRecorded(record)) return found
  if (runMachine.final.has(run.status)) found.push(`I11 ${record.id} is open, but its run has ended`)
  const named =
    owned.has(record.status) ||
    available.has(record.status) ||
    (record.status === 'WAITING' && record.notBefore !== null) ||
    record.status === 'APPROVAL_REQUIRED'
  if (!named) found.push(`I10 ${record.id} is ${record.status} and waits for nothing`)
  return found
}

/** One invocation on its way through its events. */
interface Walk {
  status: string
  owner: string | null
  fence: InvocationRecord['fence']
  runs: number
  crashes: number
  attempts: number
  failures: number
  finals: number
}

/** I1, I4, I6, I7, I8, I18: each move is legal, and made by who may make it. */
function walk(walked: Map<string, Walk>, event: EngineEvent, checked: Checked): readonly string[] {
  const { body, invocationId: id, actor } = event
  if (id === null) return []
  if (body.type === 'invocation.registered') {
    if (walked.has(id)) return [`I18 ${id} was registered twice`]
    const { status } = body.invocation
    walked.set(id, {
      status,
      owner: null,
      fence: null,
      runs: 0,
      crashes: 0,
      attempts: 0,
      failures: 0,
      finals: 0,
    })
    return status === 'REGISTERED' ? [] : [`I1 ${id} began as ${status}`]
  }
  if (body.type !== 'invocation.changed') return []
  const before = walked.get(id)
  if (before === undefined) return [`I1 ${id} moved before it was registered`]
  const found: string[] = []
  if (before.status !== body.from) found.push(`I1 ${id} moved from ${body.from}, but was ${before.status}`)
  if (body.from !== body.to) found.push(...checkMove(event, { ...body, id, before }, checked))
  if (body.attempt !== null) {
    before.attempts += 1
    if (body.attempt.outcome === 'failed') before.failures += 1
    if (!sameFence(body.attempt.fence, before.fence)) found.push(`I8 ${id}: an attempt of another fence`)
  }
  const { rows } = invocationMachine.table
  if (body.from !== body.to && rows[body.to].acquires === true) {
    const fence = body.set.fence ?? null
    const grown = fence !== null && (before.fence === null || compareFences(fence, before.fence) > 0)
    if (!grown) found.push(`I6 ${id} was acquired without a newer fence`)
    before.fence = fence
    before.owner = actor.id
  }
  if (rows[body.to].releases === true) before.owner = null
  if (body.to === 'RUNNING' && body.from !== 'RUNNING') before.runs += 1
  if (body.to === 'RUNNING_RECOVERY') before.crashes += 1
  if (rows[body.to].final === true && rows[body.from].final !== true) before.finals += 1
  before.status = body.to
  return found
}

/** A result is held back, or released, after the end of its step: that is no other end. */
const isAboutResult = (from: string, to: string): boolean =>
  (from === 'SUCCESS' && to === 'OUTPUT_QUARANTINED') || (from === 'OUTPUT_QUARANTINED' && to === 'SUCCESS')

type Changed = Extract<EngineEvent['body'], { readonly type: 'invocation.changed' }>

function checkMove(
  event: EngineEvent,
  move: Changed & { readonly id: string; readonly before: Walk },
  checked: Checked,
): readonly string[] {
  const { actor } = event
  const { id, from, to, before } = move
  const found: string[] = []
  if (invocationMachine.final.has(from) && !isAboutResult(from, to))
    found.push(`I4 ${id} moved from ${from}, which is final`)
  if (invocationMachine.validateTransition(from, to, actor) !== null)
    found.push(`I1 ${id} went from ${from} to ${to}`)
  if (invocationMachine.validateOwnership({ from, to, owner: before.owner, actor }) !== null)
    found.push(`I7 ${actor.id ?? actor.kind} moved ${id}, owned by ${before.owner ?? 'nobody'}`)
  const recovered = to === 'RUNNING_RECOVERY' || to === 'PENDING_RECOVERY'
  // What its owner gives back itself, before it began, is taken from nobody: a claim whose answer a failover swallowed.
  const isOwn = from === 'PENDING' && actor.id === before.owner
  if (recovered && !isOwn && checked.mayRecover?.(before.owner ?? '', event.at) === false)
    found.push(`I13 ${id} was taken from ${before.owner ?? 'nobody'}, who was alive`)
  return found
}

/** I5, I14: one end, and counters that count what they say. */
function checkCounts(
  record: InvocationRecord,
  walked: Walk | undefined,
  { workflow }: RunHistory,
): readonly string[] {
  if (walked === undefined) return [`I2 no event tells of ${record.id}`]
  const found: string[] = []
  const final = invocationMachine.final.has(record.status)
  if (walked.finals !== (final ? 1 : 0)) found.push(`I5 ${record.id} ended ${walked.finals} times`)
  if (record.attempt !== walked.runs)
    found.push(`I14 ${record.id} ran ${walked.runs} times, it says ${record.attempt}`)
  if (record.crashCount !== walked.crashes) found.push(`I14 ${record.id} crashed ${walked.crashes} times`)
  if (record.crashCount >= crashAttemptsMax && !final) found.push(`I14 ${record.id} goes on crashing`)
  const node = workflow.nodeById.get(record.nodeId)
  const most = (record.role === 'compensation' ? node?.undo?.node : node)?.retry.maxAttempts ?? 0
  if (record.failureCount > most)
    found.push(`I14 ${record.id} failed ${record.failureCount} times of ${most}`)
  if (walked.failures > most) found.push(`I14 ${record.id} failed ${walked.failures} times of ${most}`)
  if (final && walked.attempts !== walked.runs)
    found.push(`I5 ${record.id}: ${walked.attempts} ends of ${walked.runs} attempts`)
  return found
}

/** I17: a node is registered after the ends of what it follows. */
function checkOrder({ run, workflow, events, invocations }: RunHistory): readonly string[] {
  const found: string[] = []
  const state = rebuildRunState(workflow, run, invocations)
  const registered = new Map<string, { readonly place: number; readonly record: InvocationRecord }>()
  const ended = new Map<string, number>()
  // By their order: sequence numbers begin anew with each epoch.
  for (const [place, { invocationId, body }] of events.entries()) {
    if (invocationId === null) continue
    if (body.type === 'invocation.registered')
      registered.set(invocationId, { place, record: body.invocation })
    if (
      body.type === 'invocation.changed' &&
      invocationMachine.final.has(body.to) &&
      !ended.has(invocationId)
    )
      ended.set(invocationId, place)
  }
  for (const node of workflow.nodes) {
    const id = forwardId(state, node.id)
    const first = registered.get(id)
    if (first === undefined) continue
    const { place: began, record } = first
    const arrived = arrivalsOf(node, record)
    for (const edge of node.waysIn) {
      const counts =
        arrived === null ? state.edgeDecisions[edge.index] === 'taken' : arrived.includes(edge.from.id)
      const end = ended.get(forwardId(state, edge.from.id)) ?? Number.POSITIVE_INFINITY
      if (counts && end > began) found.push(`I17 ${id} began before ${edge.from.id} had ended`)
    }
  }
  return found
}
