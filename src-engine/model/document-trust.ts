/** Which documents may be started here: those that reach no further than what somebody here trusted them with. Pure. */

import type { WorkflowId } from './ids.ts'
import type { Reached } from './reach.ts'
import { triedIdOf } from './slice.ts'
import type { Instant } from './time.ts'

/** Why a document is trusted. `made`: it was made here. `looked`: somebody looked at its reach. `sample`: it came along. */
export const trustReasons = ['made', 'looked', 'sample'] as const

/** A document that somebody here trusts. */
export interface TrustedDocument {
  readonly id: WorkflowId
  readonly title: string
  readonly reason: (typeof trustReasons)[number]
  readonly at: Instant
  /** All that it may touch, each as `reachKey` says it. */
  readonly reach: readonly string[]
}

/** What a document looks like to whoever is asked whether it may be started. */
export interface DocumentStanding {
  readonly status: 'trusted' | 'restricted'
  /** Why it was trusted; null when it never was. */
  readonly reason: TrustedDocument['reason'] | null
  readonly reach: readonly Reached[]
  /** What of it nobody trusted it with: all of it, for a document that nobody trusted. */
  readonly beyond: readonly Reached[]
}

/** The same thing touched by the same kind of step, wherever in the document. */
export const reachKey = ({ what, kind, text }: Reached): string => `${what} ${kind ?? '-'} ${text}`

/** Whether a document is within what it was trusted with (null: nobody trusted it). Who touches nothing always is. */
export function standingOf(reach: readonly Reached[], trusted: TrustedDocument | null): DocumentStanding {
  const known = new Set(trusted?.reach)
  const beyond = reach.filter((item) => !known.has(reachKey(item)))
  const status = beyond.length === 0 ? 'trusted' : 'restricted'
  return { status, reason: trusted?.reason ?? null, reach, beyond }
}

/** The document as it is trusted from now on: with all of this reach, and what it was trusted with before. */
export function trustedWith(
  before: TrustedDocument | null,
  given: Omit<TrustedDocument, 'reach'> & { readonly reach: readonly Reached[] },
): TrustedDocument {
  const reach = [...new Set([...(before?.reach ?? []), ...given.reach.map(reachKey)])]
  return { ...given, id: triedIdOf(given.id), reach }
}
