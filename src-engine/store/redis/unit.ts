/** A unit: the writes of one decision in the form that the script takes, all of them or none. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { InvocationId, OpId } from '../../model/ids.ts'
import type { Instant } from '../../model/time.ts'
import type { News } from '../hints.ts'
import type { WriteTag } from './tokens.ts'

/** What a field of a hash must hold: an empty text for nothing; of a run's token `~STATUS` asks for the status alone. */
export interface Check {
  readonly field: string
  readonly believed: string
}

/** What is believed of a hash, and what is written into it. */
export interface HashPart {
  readonly key: string
  /** Tokens that this very unit writes anew, with its tag. */
  readonly written: (Check & { readonly token: string })[]
  /** Fields that are only looked at. */
  readonly looked: Check[]
  /**
   * Fields whose value has its place in front, in the order of making, which it keeps; with an empty text it is the place
   * alone, of what isn't there yet: the token that is believed says so.
   */
  readonly placed: { readonly field: string; readonly text: string }[]
  /** Other fields and their values. */
  readonly sets: string[]
}

/** A lease that is written: by the caller's clock, and whether its fence is a new one. */
export interface LeaseWrite {
  readonly id: InvocationId
  readonly expiresAt: Instant
  readonly isFresh: boolean
}

/** One write: `apply-script-parts.ts` tells what each code does; `z` adds to a sorted set, `r` takes away. */
export interface Op {
  readonly code: 'h' | 'd' | 'x' | 'z' | 'r' | 'u' | 'e' | 't' | 'c' | 'n' | 'p' | 's' | 'w' | 'v'
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

/** How the values of a unit are: as they are, sealed, or there are none of anybody's, or none that are new. */
export type UnitValues = 'plain' | 'sealed' | 'none'

export interface Unit {
  /** What it is noted by in the journal; absent for what isn't brought back when it is lost. */
  readonly opId?: OpId
  /** What it means for those who don't follow events. */
  readonly news: News
  /** A partition that a sealed one was written to takes no plain ones any more. */
  readonly values: UnitValues
  /** Tells what it wrote from every other write; empty where it writes no tokens. */
  readonly tag: WriteTag
  readonly hashes: readonly HashPart[]
  /** The instant that permits are judged at. */
  readonly at: Instant
  /** Whether permits that are held already stay as they are; else they are written anew. */
  readonly keepHeld?: boolean
  readonly releases: readonly SlotRelease[]
  readonly takes: readonly SlotTake[]
  /** Leases that are over. */
  readonly left: readonly InvocationId[]
  readonly leases: readonly LeaseWrite[]
  readonly ops: readonly Op[]
  readonly parts: readonly EventPart[]
}

/** A unit that believes and writes nothing yet. */
export const emptyUnit: Unit = {
  news: 0,
  values: 'none',
  tag: '',
  hashes: [],
  at: 0,
  releases: [],
  takes: [],
  left: [],
  leases: [],
  ops: [],
  parts: [],
}

/** Every field that a unit believes something of, and what it holds once the unit is written; empty for as it was. */
export function* checksOf({
  hashes,
}: Unit): Generator<Check & { readonly key: string; readonly written: string }> {
  for (const { key, written, looked } of hashes) {
    for (const { field, believed, token } of written) yield { key, field, believed, written: token }
    for (const { field, believed } of looked) yield { key, field, believed, written: '' }
  }
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
  /** Its values are plain, and the partition takes sealed ones only. */
  | { readonly kind: 'unsealed' }
