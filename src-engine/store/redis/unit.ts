/** A unit: the writes of one decision in the form that the script takes, all of them or none. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { Instant } from '../../model/time.ts'
import { fixedKeyNames } from './apply-script.ts'
import { joinedOps } from './joined-ops.ts'
import type { PartitionKeys } from './layout.ts'

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

/** The keys of a call, each once, known by number. */
class KeyNumbers {
  readonly list: string[]
  readonly #numbers = new Map<string, number>()

  constructor(fixed: readonly string[]) {
    this.list = [...fixed]
    for (const [index, key] of fixed.entries()) this.#numbers.set(key, index + 1)
  }

  of(key: string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.list.push(key)
    this.#numbers.set(key, this.list.length)
    return this.list.length
  }
}

/** The keys and the arguments of units, as the script reads them. */
export function encodeUnits(
  units: readonly Unit[],
  keys: PartitionKeys,
): { readonly keys: readonly string[]; readonly args: readonly (string | number)[] } {
  const numbers = new KeyNumbers(fixedKeyNames.map((name) => keys.of(name)))
  const args: (string | number)[] = []
  for (const unit of units) {
    const start = args.length
    // The unit's length, known at its end.
    args.push(0)
    encodeUnit(unit, { keys, numbers, args })
    args[start] = args.length - start - 1
  }
  return { keys: numbers.list, args }
}

interface Encoding {
  readonly keys: PartitionKeys
  readonly numbers: KeyNumbers
  readonly args: (string | number)[]
}

function encodeUnit(unit: Unit, { keys, numbers, args }: Encoding): void {
  args.push(unit.checks.length)
  for (const { key, field, believed, written } of unit.checks) {
    args.push(numbers.of(key), field, believed, written)
  }
  args.push(unit.at, unit.keepHeld === true ? 1 : 0, unit.releases.length)
  for (const { key, holder } of unit.releases) args.push(numbers.of(keys.permit(key)), key, holder)
  args.push(unit.takes.length)
  for (const { key, holder, limit, expiresAt } of unit.takes) {
    args.push(numbers.of(keys.permit(key)), key, holder, limit, expiresAt ?? '-')
  }
  const ops = joinedOps(unit.ops)
  args.push(ops.length)
  for (const op of ops) {
    const named = (op.keys ?? []).map((key) => (key === null ? 0 : numbers.of(key)))
    args.push(op.code, numbers.of(op.key), named.length + op.args.length, ...named, ...op.args)
  }
  args.push(unit.parts.length)
  for (const { groups, runId, count, digest, opTag, text } of unit.parts) {
    args.push(groups === null ? 0 : numbers.of(groups), runId, count, digest, opTag, text)
  }
}
