/** Units as the script reads them: keys, each once and known by number, and arguments. */

import { fixedKeyNames } from './apply-script.ts'
import { packNumbers } from './apply-script-numbers.ts'
import { joinedOps } from './joined-ops.ts'
import type { PartitionKeys } from './layout.ts'
import { keyNames } from './layout.ts'
import type { HashPart, LeaseWrite, Unit, UnitValues } from './unit.ts'

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

/** The keys and the arguments of units, as the script reads them, behind those that a call begins with. */
export function encodeUnits(
  units: readonly Unit[],
  keys: PartitionKeys,
  callStart: readonly (string | number)[],
): { readonly keys: readonly string[]; readonly args: readonly (string | number)[] } {
  const numbers = new KeyNumbers(fixedKeyNames.map((name) => keys.of(name)))
  const args: (string | number)[] = [...callStart]
  for (const unit of units) {
    const start = args.length
    // The unit's numbers, known at its end.
    args.push('')
    const counts: number[] = [0]
    encodeUnit(unit, { keys, numbers, counts, args })
    counts[0] = args.length - start - 1
    args[start] = packNumbers(counts)
  }
  return { keys: numbers.list, args }
}

interface Encoding {
  readonly keys: PartitionKeys
  readonly numbers: KeyNumbers
  /** Numbers of the unit, in the order in which they are read. */
  readonly counts: number[]
  readonly args: (string | number)[]
}

const valuesCodes: Readonly<Record<UnitValues, number>> = { plain: 0, sealed: 1, none: 2 }

/**
 * A unit's arguments: its numbers; its tag; for each hash all that is written in one piece (values, what has a place,
 * tokens), fields that are only looked at, and what is believed; permits; leases that are over, new ones, moved ones;
 * what the other writes are told; and of each part of its events the run, digest, tag of the op and text.
 *
 * Its numbers: how many arguments follow, what it is news of, how its values are, how many hashes; for each hash its
 * key, how many tokens it writes, how many fields are only looked at, how many have places, how many arguments are
 * written; 1 where permits are, or 0; how many arguments of each kind of leases; how many other writes, and of each its
 * code, key and arguments; how many parts of events, and of each the key of the run's groups and how many events.
 */
function encodeUnit(unit: Unit, encoding: Encoding): void {
  const { numbers, counts, args } = encoding
  counts.push(unit.news, valuesCodes[unit.values], unit.hashes.length)
  args.push(unit.tag)
  for (const part of unit.hashes) encodeHash(part, encoding)
  const hasPermits = unit.releases.length + unit.takes.length > 0
  counts.push(hasPermits ? 1 : 0)
  if (hasPermits) encodePermits(unit, encoding)
  counts.push(unit.left.length)
  for (const id of unit.left) args.push(id)
  encodeLeases(unit.leases, encoding)
  const ops = joinedOps(unit.ops)
  counts.push(ops.length)
  for (const { code, key, keys = [], args: rest } of ops) {
    counts.push(code.charCodeAt(0), numbers.of(key), keys.length + rest.length)
    for (const each of keys) args.push(each === null ? 0 : numbers.of(each))
    for (const each of rest) args.push(each)
  }
  counts.push(unit.parts.length)
  for (const { groups, runId, count, digest, opTag, text } of unit.parts) {
    counts.push(groups === null ? 0 : numbers.of(groups), count)
    args.push(runId, digest, opTag, text)
  }
}

function encodeHash({ key, written, looked, placed, sets }: HashPart, encoding: Encoding): void {
  const { numbers, counts, args } = encoding
  const length = sets.length + 2 * (placed.length + written.length)
  counts.push(numbers.of(key), written.length, looked.length, placed.length, length)
  for (const each of sets) args.push(each)
  // The script puts each place in front of its text, where it stands.
  for (const { field, text } of placed) args.push(field, text)
  for (const { field, token } of written) args.push(field, token)
  for (const { field } of looked) args.push(field)
  for (const { believed } of written) args.push(believed)
  for (const { believed } of looked) args.push(believed)
}

function encodePermits(unit: Unit, { keys, numbers, args }: Encoding): void {
  const { at, keepHeld, releases, takes } = unit
  args.push(numbers.of(keys.of(keyNames.held)), at, keepHeld === true ? 1 : 0, releases.length)
  for (const { key, holder, by } of releases)
    args.push(numbers.of(keys.permit(key)), key, holder, takerOf(by))
  args.push(takes.length)
  for (const { key, holder, limit, expiresAt, by } of takes) {
    args.push(numbers.of(keys.permit(key)), key, holder, limit, expiresAt ?? '-', by ?? '')
  }
}

/** As the script compares it: nothing for whoever took it, a dash for nobody; no name is a dash alone. */
const takerOf = (by: string | null | undefined): string => (by === null ? '-' : (by ?? ''))

/** New ones first. */
function encodeLeases(leases: readonly LeaseWrite[], { counts, args }: Encoding): void {
  for (const wanted of [true, false]) {
    const start = args.length
    for (const { id, expiresAt, isFresh } of leases) if (isFresh === wanted) args.push(expiresAt, id)
    counts.push(args.length - start)
  }
}
