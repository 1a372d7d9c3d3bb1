/** What the book of runs keeps of one that is under way. */

import type { MutableRunState, RunState } from '../core/run-state.ts'
import type { CommitAnswer } from '../model/checkpoint.ts'
import type { OpId } from '../model/ids.ts'
import { runMachine } from '../model/run-status.ts'
import type { OpenCheckpoint } from './open-checkpoint.ts'

export interface Entry {
  state: MutableRunState | null
  /** The epoch that the state was read in. */
  epoch: number
  loading: Promise<MutableRunState> | null
  /** The run's first commit while it is under way. */
  beginning: Beginning | null
  /** Decisions sent and not answered, and the last of them. */
  inFlight: number
  tail: OpId | null
  /** The last of them while others may still go into it. */
  open: OpenCheckpoint | null
  /** Called when all of them are answered. */
  readonly waiting: (() => void)[]
  /** Set while what was sent must drain before the state may be loaded again. */
  draining: { readonly done: Promise<void>; readonly resolve: () => void } | null
}

export interface Beginning {
  readonly answer: Promise<CommitAnswer>
  /** Nobody else can have begun a run of this id: it won't turn out to be a repeat, which has another record. */
  readonly isNew: boolean
}

/** Nothing is known of the run yet. */
export const newEntry = (): Entry => ({
  state: null,
  epoch: 0,
  loading: null,
  beginning: null,
  inFlight: 0,
  tail: null,
  open: null,
  waiting: [],
  draining: null,
})

/** Resolves when it is known what became of what was sent; null when that is known. */
export function uncertainty({ draining, beginning }: Entry): Promise<unknown> | null {
  if (draining !== null) return draining.done
  return beginning === null || beginning.isNew ? null : beginning.answer.catch(() => {})
}

/**
 * Null while nobody knows whether a beginning that was sent is a repeat: the run may be another one, and far on. What is
 * done ahead of that very beginning goes by it.
 */
export function stateIn(entry: Entry | undefined, ahead?: 'ahead'): RunState | null {
  if (entry === undefined || (ahead === undefined && uncertainty(entry) !== null)) return null
  return entry.state
}

/** Ended runs change no more, and parked ones not for long: both are loaded again when they are needed. */
export function isWorthKeeping(state: RunState): boolean {
  return !runMachine.final.has(state.run.status) && state.activeCount > state.parkedCount
}
