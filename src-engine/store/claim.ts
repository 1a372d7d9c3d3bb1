/** Which invocations a runner may claim, in which order, and what a claim does to one. */

import type { SlotTake } from '../model/checkpoint.ts'
import type { EventDraft } from '../model/event.ts'
import { nextFence, sameFence } from '../model/fence.ts'
import type { DefinitionHash, InvocationId, OpId, RunId } from '../model/ids.ts'
import { opId } from '../model/ids.ts'
import type {
  Dispatch,
  InvocationRecord,
  Lease,
  Permit,
  PermitPlan,
  Priority,
  Route,
} from '../model/invocation.ts'
import { priorityRank } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine } from '../model/run-status.ts'
import type { Instant, Millis } from '../model/time.ts'
import { claimPlan } from './claim-plan.ts'
import type { BlockedClaim, ClaimAnswer, Claimed, ClaimRequest, FetchRequest } from './store.ts'

/** From when on an available invocation may be claimed; also what its waiting is counted from. */
export const availableAt = (record: Pick<InvocationRecord, 'notBefore' | 'registeredAt'>): Instant =>
  record.notBefore ?? record.registeredAt

/** When an available invocation may become claimable for somebody: by time, or by the end of a head start. */
export function claimInstants(record: InvocationRecord): readonly Instant[] {
  const until = record.route?.preferredUntil ?? null
  return until === null ? [availableAt(record)] : [availableAt(record), until]
}

/** Nothing of a paused or ended run is claimed; compensations of a compensating one are. */
export const claimableRun = (status: RunStatus): boolean =>
  status !== 'PAUSED' && !runMachine.final.has(status)

/** How many blocked ones a claim looks past before it gives up for this time. */
export const blockedMax = 64

/** Whether the request's runner may have this invocation now, as far as routing says. */
export function claimable(record: InvocationRecord, run: RunStatus, request: FetchRequest): boolean {
  return (
    invocationMachine.available.has(record.status) &&
    availableAt(record) <= request.now &&
    request.capabilities.includes(record.taskKind) &&
    claimableRun(run) &&
    !isLeft(record, request) &&
    (record.route === null ? request.pools.includes(record.pool) : routeAllows(record.route, request))
  )
}

/** Whether the request's runner trusts the definition that a run is bound to. */
export const trusts = (
  { definitions = null }: Pick<FetchRequest, 'definitions'>,
  hash: DefinitionHash,
): boolean => definitions === null || definitions.includes(hash)

/** Whether the route lets a runner have it that works for these pools and can do this. */
export function routeAllows(
  route: Route,
  request: Pick<FetchRequest, 'pools' | 'labels' | 'capabilities' | 'tags' | 'runnerId' | 'now'>,
): boolean {
  const { pools, labels, requires, preferredRunner, preferredUntil } = route
  return (
    pools.some((pool) => request.pools.includes(pool)) &&
    labels.every((label) => request.labels.includes(label)) &&
    requires.every((ability) => request.capabilities.includes(ability)) &&
    tagsAllow(route, request) &&
    (preferredRunner === null ||
      preferredRunner === request.runnerId ||
      preferredUntil === null ||
      preferredUntil <= request.now)
  )
}

function tagsAllow({ tags = [] }: Route, { tags: own = [] }: Pick<FetchRequest, 'tags'>): boolean {
  return own.length === 0 || tags.every((tag) => own.includes(tag))
}

/** Whether this runner was the last one that failed with it: others come first, if there are others. */
const isAvoided = (record: InvocationRecord, request: FetchRequest): boolean =>
  record.dispatch?.lastFailedRunner === request.runnerId

/** Whether it is still left to others, because this runner failed with it last. */
const isLeft = (record: InvocationRecord, request: FetchRequest): boolean =>
  isAvoided(record, request) && availableAt(record) + (request.leaveFailedMs ?? 0) > request.now

/**
 * Smaller is more urgent. A waiting invocation gains a priority step per `agingMs`, so a step is worth that
 * span of waiting: the order doesn't depend on now, and an index can keep it.
 */
const urgency = (priority: Priority, since: Instant, agingMs: Millis): number =>
  since + priorityRank[priority] * agingMs

/** Negative when `a` is to be offered to the request's runner before `b`. */
export function compareForRunner(a: InvocationRecord, b: InvocationRecord, request: FetchRequest): number {
  const avoided = Number(isAvoided(a, request)) - Number(isAvoided(b, request))
  return avoided === 0 ? compareUrgency(a, b, request.agingMs) : avoided
}

/** Negative when `a` is to be claimed before `b`. */
function compareUrgency(a: InvocationRecord, b: InvocationRecord, agingMs: Millis): number {
  const difference =
    urgency(a.priority, availableAt(a), agingMs) - urgency(b.priority, availableAt(b), agingMs)
  if (difference !== 0) return difference
  return (
    priorityRank[a.priority] - priorityRank[b.priority] ||
    availableAt(a) - availableAt(b) ||
    (a.id < b.id ? -1 : 1)
  )
}

/** The claimed form of an invocation with its event; `opId` is the same for the same acquisition. */
export function claimInvocation(
  record: InvocationRecord,
  request: ClaimRequest,
  won: { readonly epoch: number; readonly plan: PermitPlan | null },
): { readonly record: InvocationRecord; readonly event: EventDraft; readonly opId: OpId } {
  const { runnerId, now, ttlMs } = request
  const { epoch, plan } = won
  const fence = nextFence(record.fence, epoch)
  const lease: Lease = { runnerId, fence, expiresAt: now + ttlMs }
  const set = { status: 'PENDING', version: record.version + 1, lease, fence, waitReason: null } as const
  const first = firstDispatch(record.dispatch, now)
  const dispatched = first === record.dispatch ? set : { ...set, dispatch: first }
  const told = plan === record.permits ? dispatched : { ...dispatched, permits: plan }
  return {
    record: { ...record, ...told },
    opId: opId(`claim:${record.id}:${fence.epoch}.${fence.counter}`),
    event: {
      runId: record.runId,
      invocationId: record.id,
      cause: { kind: 'claim', by: runnerId, detail: null },
      body: { type: 'invocation.changed', from: record.status, to: 'PENDING', set: told, attempt: null },
    },
  }
}

/** The dispatch timeout counts from the first claim, however often it is claimed again. */
function firstDispatch(dispatch: Dispatch | null, now: Instant): Dispatch {
  if (dispatch === null) {
    return {
      firstClaimedAt: now,
      schedulingAttempts: 0,
      lastFailedRunner: null,
      pauseRequestedAt: null,
      beatAt: null,
    }
  }
  return dispatch.firstClaimedAt === null ? { ...dispatch, firstClaimedAt: now } : dispatch
}

/** What a claim would take, or the first permit that it can't have. */
type PermitAnswer =
  | { readonly kind: 'free'; readonly take: readonly SlotTake[] }
  | { readonly kind: 'blocked'; readonly key: string; readonly holders: readonly string[] }

/** All permits of an invocation at an instant, against who holds some already. */
function permitsFor(
  record: InvocationRecord,
  plan: PermitPlan | null,
  asked: { readonly now: Instant; readonly holdersOf: (key: string) => readonly SlotTake[] },
): PermitAnswer {
  if (plan === null) return noPermits
  const { now, holdersOf } = asked
  const take: SlotTake[] = []
  for (const permit of plan.permits) {
    const { key, limit } = permit
    const holder = permitHolder(record, permit)
    const holders = holdersOf(key)
      .filter((slot) => countsAt(slot, now))
      .map((slot) => slot.holder)
    // A key that is listed twice is one permit.
    for (const slot of take) if (slot.key === key) holders.push(slot.holder)
    if (!holders.includes(holder) && holders.length >= limit) return { kind: 'blocked', key, holders }
    take.push({ key, holder, limit, expiresAt: permit.windowMs === null ? null : now + permit.windowMs })
  }
  return { kind: 'free', take }
}

/** What a claim of it takes when everything is free; a key that is listed twice is one permit. */
export function permitsToTake(
  record: InvocationRecord,
  plan: PermitPlan | null,
  now: Instant,
): readonly SlotTake[] {
  if (plan === null) return []
  const answer = permitsFor(
    record,
    { ...plan, permits: distinct(plan.permits) },
    { now, holdersOf: () => [] },
  )
  return answer.kind === 'free' ? answer.take : []
}

const distinct = (permits: readonly Permit[]): readonly Permit[] =>
  permits.filter(({ key }, index) => permits.findIndex((other) => other.key === key) === index)

const noPermits: PermitAnswer = { kind: 'free', take: [] }

/** A start that a rate limit counts is one of its own each time; what is held while working is one. */
const permitHolder = (record: InvocationRecord, { windowMs }: Permit): string =>
  windowMs === null ? record.id : `${record.id}:${(record.fence?.counter ?? 0) + 1}`

/** Whether a taken permit still counts. */
export const countsAt = ({ expiresAt }: SlotTake, at: Instant): boolean =>
  expiresAt === null || expiresAt > at

/** What the shared loop of a claim needs of its store. */
export interface ClaimTools {
  readonly holdersOf: (key: string) => readonly SlotTake[]
  /** Asked only where limits of pools and tenants count. */
  readonly runOf: (id: RunId) => Pick<RunRecord, 'tenant' | 'workflowId'>
  /** Writes the claimed form with its event, its whole plan and its permits. */
  readonly acquire: (
    record: InvocationRecord,
    won: { readonly plan: PermitPlan | null; readonly take: readonly SlotTake[] },
  ) => Claimed
}

/** Takes candidates in their order until the limit, passing by those that a permit holds up. */
export function claimInOrder(
  candidates: Iterable<InvocationRecord>,
  request: ClaimRequest,
  tools: ClaimTools,
): ClaimAnswer {
  const claimed: Claimed[] = []
  const blocked: BlockedClaim[] = []
  if (request.limit <= 0) return { claimed, blocked }
  const asked = { now: request.now, holdersOf: tools.holdersOf }
  for (const record of candidates) {
    const plan = claimPlan(record, request, tools.runOf)
    const permits = permitsFor(record, plan, asked)
    if (permits.kind === 'free') {
      if (!isPrepared(record, permits.take, request)) continue
      claimed.push(tools.acquire(record, { plan, take: permits.take }))
    } else if (plan !== null) {
      blocked.push({ invocation: record, key: permits.key, holders: permits.holders, plan })
    }
    if (claimed.length >= request.limit || blocked.length >= blockedMax) break
  }
  return { claimed, blocked }
}

/**
 * Whether what it takes is what was taken for it at other homes. Between the two its plan may have been made, and
 * whoever owned it meanwhile gave the permits of the same name back.
 */
function isPrepared(record: InvocationRecord, take: readonly SlotTake[], request: ClaimRequest): boolean {
  const prepared = request.prepared?.get(record.id)
  if (prepared === undefined) return true
  const { fence, takes } = prepared
  if (takes.length > 0 && !sameFence(fence, record.fence)) return false
  const isIn = (slots: readonly SlotTake[], { key, holder }: SlotTake): boolean =>
    slots.some((slot) => slot.key === key && slot.holder === holder)
  return take.every((slot) => isIn(takes, slot)) && takes.every((slot) => isIn(take, slot))
}

/** What of a list of fetched ones may still be claimed, most urgent first. */
export function stillClaimable(
  ids: readonly InvocationId[],
  request: FetchRequest,
  find: (id: InvocationId) => { readonly record: InvocationRecord; readonly run: RunStatus } | null,
): readonly InvocationRecord[] {
  const records: InvocationRecord[] = []
  for (const id of new Set(ids)) {
    const found = find(id)
    if (found !== null && claimable(found.record, found.run, request)) records.push(found.record)
  }
  return records.sort((a, b) => compareForRunner(a, b, request))
}
