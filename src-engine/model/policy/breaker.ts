/**
 * The circuit breaker in front of a remote kernel. Closed, it counts failures in a row, and the third opens it;
 * open, it lets nobody through for 30 s, counted from its opening; half-open, it lets through at most three
 * probes: two that succeed close it, and any that fails opens it for 30 s again. Pure: one state and an
 * instant give the next, so that processes can share it, or a process keep its own.
 */

import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import type { Instant } from '../time.ts'
import { second } from '../time.ts'

export const breakerRules = {
  /** Failures in a row that open it. */
  failuresToOpen: 3,
  /** How long nobody gets through. */
  openMs: 30 * second,
  /** How many may be under way, or have answered, while it is half-open. */
  probesMax: 3,
  /** Answers that close it. */
  successesToClose: 2,
  /** A probe that hasn't answered by then was lost with its process, and its place is given to another. */
  probeLostMs: 10 * second,
} as const

/** `input` asks whether work may go on, `output` whether a result may be handed on: each has its own. */
export type BreakerName = 'input' | 'output'

/** The register that holds it. */
export const breakerKey = (name: BreakerName): string => `breaker:${name}`

export type Breaker =
  | { readonly status: 'closed'; readonly failures: number }
  | { readonly status: 'open'; readonly openedAt: Instant }
  | {
      readonly status: 'half-open'
      readonly since: Instant
      /** When each probe that hasn't answered yet set out. */
      readonly probes: readonly Instant[]
      readonly successes: number
    }

export const closedBreaker: Breaker = { status: 'closed', failures: 0 }

/** Whether a call may go out, and the state that has it under way. */
export interface BreakerPass {
  readonly passes: boolean
  readonly after: Breaker
}

/** Somebody wants to call. The same object comes back where nothing changes. */
export function passBreaker(breaker: Breaker, now: Instant): BreakerPass {
  if (breaker.status === 'closed') return { passes: true, after: breaker }
  if (breaker.status === 'open') {
    // A clock that was set back must not keep it open for longer than it would have been.
    const isOver = now >= breaker.openedAt + breakerRules.openMs || now < breaker.openedAt
    if (!isOver) return { passes: false, after: breaker }
    return { passes: true, after: { status: 'half-open', since: now, probes: [now], successes: 0 } }
  }
  const probes = underWay(breaker.probes, now)
  if (probes.length + breaker.successes >= breakerRules.probesMax) return { passes: false, after: breaker }
  return { passes: true, after: { ...breaker, probes: [...probes, now] } }
}

/** A call that was let through has answered, or hasn't. The same object comes back where nothing changes. */
export function noteBreaker(
  breaker: Breaker,
  call: { readonly succeeded: boolean; readonly begunAt: Instant; readonly now: Instant },
): Breaker {
  const { succeeded, begunAt, now } = call
  if (breaker.status === 'open') return breaker
  if (breaker.status === 'closed') {
    if (succeeded) return breaker.failures === 0 ? breaker : closedBreaker
    const failures = breaker.failures + 1
    return failures >= breakerRules.failuresToOpen
      ? { status: 'open', openedAt: now }
      : { status: 'closed', failures }
  }
  // It set out while the circuit was closed: what it says is older than the state.
  if (begunAt < breaker.since) return breaker
  if (!succeeded) return { status: 'open', openedAt: now }
  const successes = breaker.successes + 1
  if (successes >= breakerRules.successesToClose) return closedBreaker
  return { ...breaker, probes: withoutOne(breaker.probes, begunAt), successes }
}

/** What a register says; a value that makes no sense counts as closed. */
export function readBreaker(value: unknown): Breaker {
  if (!isJsonObject(value)) return closedBreaker
  const { status, failures, openedAt, since, probes, successes } = value
  if (status === 'open' && typeof openedAt === 'number') return { status, openedAt }
  if (status === 'closed' && typeof failures === 'number') return { status, failures }
  if (status !== 'half-open' || typeof since !== 'number' || typeof successes !== 'number')
    return closedBreaker
  const instants = Array.isArray(probes) ? probes.filter((probe) => typeof probe === 'number') : []
  return { status, since, probes: instants, successes }
}

/** The breaker as a register's value. */
export const writeBreaker = (breaker: Breaker): JsonValue =>
  breaker.status === 'half-open' ? { ...breaker, probes: [...breaker.probes] } : { ...breaker }

const underWay = (probes: readonly Instant[], now: Instant): readonly Instant[] =>
  probes.filter((begunAt) => begunAt <= now && now < begunAt + breakerRules.probeLostMs)

function withoutOne(probes: readonly Instant[], begunAt: Instant): readonly Instant[] {
  const place = probes.indexOf(begunAt)
  return place < 0 ? probes : probes.filter((_, index) => index !== place)
}
