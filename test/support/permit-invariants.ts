/** I20 and the part of I11 that speaks of permits: never too many at a time, nobody passed by, none left. */

import { isInsidePermit } from '../../src-engine/core/permits/node-permits.ts'
import { policyPermitKey } from '../../src-engine/core/policy/verdict.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord, Permit, PermitPlan } from '../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { isClaimsPermit } from '../../src-engine/model/permit-keys.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { History } from './history.ts'

/**
 * How often one that waits may see a later one of its own urgency come first: once, and as often as there is more
 * room. Where all of it becomes free at once, those at the head of the line are served in any order.
 */
const overtakenMax = (limit: number): number => Math.max(1, limit - 1)

interface Demand {
  readonly id: string
  readonly nodeId: string
  readonly priority: InvocationRecord['priority']
  status: InvocationRecord['status']
  permits: PermitPlan | null
  overtaken: number
  /** Keys of the permits that it holds. */
  held: readonly string[]
  /** Where it stands, with its run and generation. */
  readonly place: string
  /** Whether its body is open. */
  isOpen: boolean
  /** What of its body is at work. */
  readonly inside: Set<string>
  /** Since which event it stands in line, this time. */
  stoodAt: number
  /** The event that made the room for which it left the line last. */
  calledBy: number
}

/** At every place of the history: no key has more holders than its node allows. */
export function checkPermits({ asTheyCame: events, runs }: History): readonly string[] {
  const limits = new Map<string, number>()
  for (const { run, workflow } of runs) {
    for (const node of workflow.nodeById.values())
      if (node.permits !== null) limits.set(`${run.id} ${node.id}`, node.permits.limit)
  }
  const demands = new Map<string, Demand>()
  const holders = new Map<string, Set<string>>()
  const freedAt = new Map<string, number>()
  const found: string[] = []
  for (const [index, event] of events.entries()) {
    const demand = follow(demands, event)
    if (demand === null) continue
    const before = demand.from
    for (const item of [demand.item, ...demand.around])
      for (const key of note(holders, item)) freedAt.set(key, index)
    if (demand.item.status === 'CONCURRENCY_CONTROLLED') demand.item.stoodAt = index
    else if (before === 'CONCURRENCY_CONTROLLED') demand.item.calledBy = roomAt(demand.item, freedAt) ?? index
    // Leaving the line is a try; who finds no room again stands there as before.
    if (demand.item.status === 'PENDING' && !wasOwned(before)) found.push(...overtake(demands, demand.item))
    // A checkpoint lets go before it takes: only its end counts.
    if (events[index + 1]?.opId === event.opId) continue
    const isTaken = invocationMachine.owned.has(demand.item.status) && !wasOwned(before)
    for (const { key, limit: asked } of heldBy(demand.item)) {
      const ids = [...(holders.get(key) ?? [])]
      const held = ids.length
      // Operators change what pools and tenants may have: who has it by then keeps it.
      if (isClaimsPermit(key) && !isTaken) continue
      const limit =
        isClaimsPermit(key) || isPolicyPermit(key) || isInsidePermit(key)
          ? asked
          : (limits.get(`${event.runId} ${demand.item.nodeId}`) ?? 1)
      if (held > limit)
        found.push(
          `I20 ${held} hold ${key}, which has room for ${limit}, at ${event.seq}: ${ids.join(' and ')}`,
        )
    }
  }
  return found
}

function follow(
  demands: Map<string, Demand>,
  event: EngineEvent,
): { readonly item: Demand; readonly from: string | null; readonly around: readonly Demand[] } | null {
  const { body, invocationId: id } = event
  if (id === null) return null
  if (body.type === 'invocation.registered') {
    const { nodeId, priority, status, permits, path, role, generation } = body.invocation
    const start =
      role === 'forward' ? `${event.runId} ${generation} ${path === '' ? '' : `${path}/`}` : `${id} `
    const place = `${start}${nodeId}:`
    const known = { id, nodeId, priority, status, permits, place }
    const line = { overtaken: 0, stoodAt: 0, calledBy: 0 }
    const item = { ...known, ...line, held: [], isOpen: false, inside: new Set<string>() }
    demands.set(id, item)
    return { item, from: null, around: stepIn(demands, item) }
  }
  const item = demands.get(id)
  if (body.type !== 'invocation.changed' || item === undefined) return null
  item.status = body.to
  if (body.set.permits !== undefined) {
    const since = body.set.permits?.blockedSince ?? null
    // Another wait: two that are served at once may leave in either order, each time.
    if (since !== null && since !== (item.permits?.blockedSince ?? null)) item.overtaken = 0
    item.permits = body.set.permits
  }
  if (body.set.wait !== undefined) item.isOpen = body.set.wait?.kind === 'turn'
  return { item, from: body.from, around: stepIn(demands, item) }
}

/** Those around it that hold something over their bodies: it is at work there until it has ended. */
function stepIn(demands: ReadonlyMap<string, Demand>, item: Demand): readonly Demand[] {
  const around: Demand[] = []
  for (const other of demands.values()) {
    if (other === item || !item.place.startsWith(other.place)) continue
    if (other.permits === null || !other.permits.permits.some(({ key }) => isInsidePermit(key))) continue
    if (invocationMachine.final.has(item.status)) other.inside.delete(item.id)
    else other.inside.add(item.id)
    around.push(other)
  }
  return around
}

/** A policy says itself how many may run of what its rule is about. */
const isPolicyPermit = (key: string): boolean => key.startsWith(policyPermitKey(''))

const heldBy = (item: Demand): readonly Permit[] =>
  (item.permits?.permits ?? []).filter(({ windowMs }) => windowMs === null)

const wasOwned = (status: string | null): boolean =>
  status !== null && invocationMachine.owned.has(status as InvocationRecord['status'])

/** Gives the keys whose permit it had and has no more. */
function note(holders: Map<string, Set<string>>, item: Demand): readonly string[] {
  const before = item.held
  const owned = invocationMachine.owned.has(item.status)
  // It may have left the pool whose permit it had.
  for (const key of item.held) holders.get(key)?.delete(item.id)
  const isInside = owned || (item.status === 'WAITING' && item.isOpen) || item.inside.size > 0
  item.held = heldBy(item).flatMap(({ key }) => ((isInsidePermit(key) ? isInside : owned) ? [key] : []))
  for (const key of item.held) {
    const held = holders.get(key) ?? new Set()
    holders.set(key, held)
    held.add(item.id)
  }
  return before.filter((key) => !item.held.includes(key))
}

/** When room was made where it stood; null where that is a matter of time, or of more room than there was. */
function roomAt({ permits }: Demand, freedAt: ReadonlyMap<string, number>): number | null {
  const permit = permits?.permits.find(({ key }) => key === permits.blockedBy)
  return permit?.windowMs === null ? (freedAt.get(permit.key) ?? null) : null
}

function overtake(demands: Map<string, Demand>, first: Demand): readonly string[] {
  const found: string[] = []
  const key = first.permits?.blockedBy ?? null
  // Where nothing is limited any more there is no line: all come back at once.
  const permit = first.permits?.permits.find((one) => one.key === key)
  if (key === null || permit === undefined) return found
  const since = first.permits?.blockedSince ?? 0
  for (const other of demands.values()) {
    if (other.status !== 'CONCURRENCY_CONTROLLED' || other.permits?.blockedBy !== key) continue
    if (other.priority !== first.priority || (other.permits.blockedSince ?? 0) >= since) continue
    // It had been called itself, and came back to the line when that room was given away: somebody new was faster.
    if (other.stoodAt > first.calledBy) continue
    other.overtaken += 1
    if (other.overtaken === overtakenMax(permit.limit) + 1)
      found.push(`I20 ${other.id} is passed by in the line of ${key}`)
  }
  return found
}

/** Nothing that has ended holds a permit. */
export async function checkPermitsLeft(store: Store, { runs }: History): Promise<readonly string[]> {
  const final = new Set<string>()
  for (const { invocations } of runs) {
    for (const { id, status } of invocations) if (invocationMachine.final.has(status)) final.add(id)
  }
  const uses = await store.list(0, 'permits', { filter: { prefix: '' }, page: { after: null, limit: 1_000 } })
  return uses.flatMap(({ key, holders }) =>
    holders
      .filter(({ holder, expiresAt }) => expiresAt === null && final.has(holder))
      .map(({ holder }) => `I11 ${holder} has ended and still holds ${key}`),
  )
}
