/** How a try at a decision about a run went, and what to make of one whose commit was not confirmed. */

import type { Decision } from '../core/draft.ts'
import type { Written } from '../core/raised-versions.ts'
import type { MutableRunState, RunState } from '../core/run-state.ts'
import type { CommitRefusal } from '../model/checkpoint.ts'
import { sameFence } from '../model/fence.ts'
import type { RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Logger } from '../model/ports.ts'
import type { Entry } from './book-entry.ts'
import { invalidCheckpoint } from './commit-errors.ts'
import type { CommitOutcome } from './commit-outcome.ts'
import type { Executions } from './execution.ts'

/** `continues` is for the context of a decision that may share its checkpoint, and null where there is none to share. */
export type MakeDecision = (state: RunState, continues: Written | null) => Decision | null

export interface DecisionHooks {
  /** A claim changed this record outside of any decision; a state that was loaded before lacks it. */
  readonly claimed?: InvocationRecord
  /** What may be there already, though the store could not say so. */
  readonly unsure?: UnsureDecision
  /** It is made for a checkpoint that it shares, where there is one. */
  readonly shares?: boolean
  /** `again` after a try that was refused, or failed. */
  readonly sent?: (decision: Decision, again: boolean) => void
  readonly takenBack?: (decision: Decision) => void
  /** A permit that the decision takes is somebody else's: it is made anew, and may now say something else. */
  readonly slotTaken?: (missing: { readonly key: string; readonly holders: readonly string[] }) => void
}

/** As those of another decision, of the one that begins a run. */
export interface BeginHooks extends Pick<DecisionHooks, 'sent' | 'takenBack'> {
  /** Its id was made for it: decisions about it needn't wait until it is known that nobody else has begun it. */
  readonly isNew?: boolean
}

export interface FirstCommit {
  readonly state: MutableRunState
  readonly decision: Decision
  readonly hooks: BeginHooks
}

/**
 * What is refused, or failed, may be there all the same: the store could not say, or says that it has been there
 * before. Then its decision is given.
 */
export type Attempted =
  | { readonly kind: 'decided'; readonly decision: Decision | null }
  | { readonly kind: 'refused' | 'failed'; readonly decision: Decision | null }

export interface Trying {
  readonly hooks: DecisionHooks
  readonly again: boolean
}

export interface TryingOn extends Trying {
  readonly runId: RunId
  readonly state: RunState
  /** Loaded for this try. */
  readonly isFresh: boolean
}

/** A decision that went out, and nothing is known yet of its commit. */
export interface Sent {
  readonly kind: 'sent'
  readonly runId: RunId
  readonly entry: Entry
  readonly decision: Decision
  readonly outcome: Promise<CommitOutcome>
}

export const refused: Attempted = { kind: 'refused', decision: null }

/** The same with what is to be said of it; throws where the decision itself is wrong. */
export function refusedFor(
  refusal: CommitRefusal,
  { runId, hooks, log }: { readonly runId: RunId; readonly hooks: DecisionHooks; readonly log: Logger },
): Attempted {
  log.debug('commit.refused', { runId, refusal: JSON.stringify(refusal) })
  if (refusal.kind === 'slot-taken') hooks.slotTaken?.(refusal)
  if (refusal.kind === 'invalid') throw invalidCheckpoint(refusal.problems)
  return refused
}

/** A decision, or why there is none: nothing to decide, or somebody asked for what can't be. */
export function madeOf(
  make: MakeDecision,
  state: RunState,
  continues: Written | null = null,
): Decision | { readonly no: Error | null } {
  try {
    return make(state, continues) ?? noDecision
  } catch (thrown) {
    return { no: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }
}

const noDecision = { no: null } as const

/**
 * A decision whose commit was not confirmed, looked for in the state that is there afterwards. What it gave its
 * runner to execute is known to nobody else: left alone, it would be owned and stand still until its lease ends.
 */
export class UnsureDecision {
  readonly #decision: Decision
  readonly #executions: Pick<Executions, 'get' | 'takeUp'>
  #isThere = false

  constructor(decision: Decision, executions: Pick<Executions, 'get' | 'takeUp'>) {
    this.#decision = decision
    this.#executions = executions
  }

  /** The same as `make`, but nothing while the decision is there already, and gave work that nobody is at. */
  orElse(make: MakeDecision): MakeDecision {
    return (state, continues) => {
      this.#isThere = this.#ownedIn(state).length > 0
      return this.#isThere ? null : make(state, continues)
    }
  }

  /** Whether there was work that nobody was at, at the last look. */
  isThere(): boolean {
    return this.#isThere
  }

  /**
   * The decision with what is to be executed of it, and by nobody else from now on. Null when there is nothing any
   * more: who decided the same here has taken it up since the last look.
   */
  takeUp(state: RunState | null): Decision | null {
    const owned = state === null ? [] : this.#ownedIn(state)
    const started = owned.filter(
      ({ id, lease }) => lease !== null && this.#executions.takeUp({ invocationId: id, fence: lease.fence }),
    )
    return started.length === 0 ? null : { ...this.#decision, started }
  }

  #ownedIn(state: RunState): readonly InvocationRecord[] {
    return this.#decision.started.filter(
      // It may have been decided twice here, and the other one be at work.
      (record) => isStillOwned(record, state) && this.#executions.get(record.id) === undefined,
    )
  }
}

/** Fences are given once: who has this one got it by that decision. */
function isStillOwned({ id, status, lease }: InvocationRecord, { invocations }: RunState): boolean {
  const now = invocations.get(id)
  if (now === undefined || now.status !== status || lease === null || now.lease === null) return false
  return now.lease.runnerId === lease.runnerId && sameFence(now.lease.fence, lease.fence)
}
