/** I20 for whole runs, and I21: no more runs than a limit, one step per registered demand. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord, PermitPlan } from '../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import type { History } from './history.ts'

type Demand = Pick<InvocationRecord, 'status' | 'attempt' | 'permits'>

/** I21: at every place of the history one step that hasn't begun stands for a demand. */
export function checkDemands({ asTheyCame: events }: History): readonly string[] {
  const found: string[] = []
  const demands = new Map<string, Demand>()
  const standing = new Map<string, Set<string>>()
  for (const { body, invocationId: id, seq } of events) {
    if (id === null) continue
    if (body.type === 'invocation.registered') {
      if (body.invocation.permits !== null) demands.set(id, body.invocation)
      continue
    }
    const before = demands.get(id)
    if (body.type !== 'invocation.changed' || before === undefined) continue
    const after = { ...before, ...body.set, status: body.to }
    demands.set(id, after)
    const left = demandOf(before)
    if (left !== null) standing.get(left)?.delete(id)
    const key = demandOf(after)
    if (key === null) continue
    const all = (standing.get(key) ?? new Set()).add(id)
    standing.set(key, all)
    if (all.size > 1) found.push(`I21 ${[...all].join(' and ')} stand for ${key} at ${seq}`)
  }
  return found
}

/** What a step stands for until it begins, or gets another one's result. */
function demandOf({ status, attempt, permits }: Demand): string | null {
  if (attempt > 0 || status === 'WAITING' || invocationMachine.final.has(status)) return null
  return permits?.registration?.key ?? null
}

/**
 * I20: at the end of every checkpoint that takes a key no more runs of it are under way than the limit that its
 * taker was told: operators change limits, and who is under way by then goes on.
 */
export function checkRunPermits({ asTheyCame: events, runs }: History): readonly string[] {
  const found: string[] = []
  const plans = new Map<string, PermitPlan | null>()
  const holders = new Map<string, Set<string>>()
  // Whoever has an ended run go on decides that it does: it counts, but isn't refused.
  const back = new Set<string>()
  const line = new RunLine(runs)
  const taken = new Map<string, number>()
  const follow = (runId: string, body: RunMove, at: Instant): void => {
    const set = body.type === 'run.created' ? body.run : body.set
    if (set.permits !== undefined) plans.set(runId, set.permits)
    const status = body.type === 'run.created' ? body.run.status : body.to
    found.push(...line.follow({ runId, at }, plans.get(runId) ?? null, body))
    if (body.type === 'run.changed' && runMachine.final.has(body.from)) back.add(runId)
    const isUnderWay = status !== 'CREATED' && !runMachine.final.has(status)
    for (const { key, limit, windowMs } of plans.get(runId)?.permits ?? []) {
      if (windowMs !== null) continue
      const held = holders.get(key) ?? new Set()
      holders.set(key, held)
      if (isUnderWay && !held.has(runId)) taken.set(key, limit)
      if (isUnderWay) held.add(runId)
      else held.delete(runId)
    }
  }
  for (const [index, { body, runId, opId, seq, at }] of events.entries()) {
    if (runId !== null && (body.type === 'run.created' || body.type === 'run.changed'))
      follow(runId, body, at)
    // A checkpoint lets go before it takes: only its end counts.
    if (taken.size === 0 || events[index + 1]?.opId === opId) continue
    for (const [key, limit] of taken) {
      const held = [...(holders.get(key) ?? [])]
      if (held.length > limit && !held.some((id) => back.has(id)))
        found.push(
          `I20 ${held.length} runs hold ${key}, which has room for ${limit}, at ${seq}: ${held.join(' and ')}`,
        )
    }
    taken.clear()
  }
  return found
}

type RunMove = Extract<EngineEvent['body'], { readonly type: 'run.created' | 'run.changed' }>

/** How often a run that waits may see a later one come first. */
const overtakenMax = 1

/** Who came first goes first; who was held up on the way into the line stands in it only from `entered` on. */
interface Place {
  readonly key: string
  readonly since: number
  readonly entered: number
  overtaken: number
}

/** Runs that stand in line, and how often each was passed by. */
class RunLine {
  readonly #waiting = new Map<string, Place>()
  /** A paused one keeps its place, but nobody waits for it. */
  readonly #paused = new Map<string, boolean>()
  readonly #queues: ReadonlySet<string>

  /** Where the newest run takes the place of others there is no line. */
  constructor(runs: History['runs']) {
    const queues = runs.filter(({ workflow }) => workflow.runPermits?.onFull === 'queue')
    this.#queues = new Set(queues.map(({ run }) => run.id))
  }

  follow(
    { runId, at }: { readonly runId: string; readonly at: Instant },
    plan: PermitPlan | null,
    body: EngineEvent['body'],
  ): readonly string[] {
    if (body.type !== 'run.created' && body.type !== 'run.changed') return []
    const { status = null, pauseRequestedAt } = body.type === 'run.created' ? body.run : body.set
    if (pauseRequestedAt !== undefined) this.#paused.set(runId, pauseRequestedAt !== null)
    const key = plan?.blockedBy ?? null
    const entered = body.type === 'run.created' ? at : 0
    const place = this.#waiting.get(runId)
    if (status === 'CREATED' && key !== null && this.#paused.get(runId) !== true) {
      if (place === undefined && this.#queues.has(runId))
        this.#waiting.set(runId, { key, since: plan?.blockedSince ?? 0, entered, overtaken: 0 })
      return []
    }
    this.#waiting.delete(runId)
    if (place === undefined || status !== 'RUNNING') return []
    const found: string[] = []
    for (const [id, other] of this.#waiting) {
      if (other.key !== place.key || other.since >= place.since || other.entered > place.entered) continue
      other.overtaken += 1
      if (other.overtaken === overtakenMax + 1)
        found.push(`I20 ${id} is passed by in the line of ${other.key}`)
    }
    return found
  }
}
