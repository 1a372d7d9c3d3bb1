/** A unit: the writes of one decision in the form that the script takes, all of them or none. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { OpId } from '../../model/ids.ts'
import type { Instant } from '../../model/time.ts'
import type { News } from '../hints.ts'

/**
 * What a field of a hash must hold, and what it holds after; empty texts for nothing. Of a run's token `~STATUS`
 * asks for the status alone.
 */
export interface Check {
  readonly key: string
  readonly field: string
  readonly believed: string
  readonly written: string
}

/** One write: `apply-script.ts` tells what each code does. */
export interface Op {
  readonly code: 'h' | 'd' | 'x' | 'z' | 'r' | 'u' | 'e' | 't' | 'c' | 'n' | 'p' | 's' | 'l' | 'm' | 'w' | 'v'
  readonly key: string
  readonly args: readonly (string | number)[]
  /** Keys among the arguments, which are passed by number in front of the others; null for none. */
  readonly keys?: readonly (string | null)[]
}

/** Events of one run in one decision, packed. */
export interface EventPart {
  /** The list of the run's groups; null for events of no run. */
  readonly groups: string | null
  readonly runId: string
  readonly count: number
  /** SHA-256 of the text. */
  readonly digest: string
  readonly opTag: string
  readonly text: string
}

export interface Unit {
  /** What it is noted by in the journal; absent for what isn't brought back when it is lost. */
  readonly opId?: OpId
  /** What it means for those who don't follow events. */
  readonly news: News
  readonly checks: readonly Check[]
  /** The instant that permits are judged at. */
  readonly at: Instant
  /** Whether permits that are held already stay as they are; else they are written anew. */
  readonly keepHeld?: boolean
  readonly releases: readonly SlotRelease[]
  readonly takes: readonly SlotTake[]
  readonly ops: readonly Op[]
  readonly parts: readonly EventPart[]
}

/** What became of a unit. */
export type UnitAnswer =
  /** `fresh`: which of its permits weren't held before, by number from 1. */
  | { readonly kind: 'written'; readonly fresh: readonly number[] }
  /** These very writes are there already: an answer to them was lost. */
  | { readonly kind: 'there' }
  /** A record isn't what it was believed to be. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'no-room'; readonly key: string; readonly holders: readonly string[] }
