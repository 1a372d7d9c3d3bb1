/** Units as the script reads them: keys, each once and known by number, and arguments. */

import { fixedKeyNames } from './apply-script.ts'
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

/** Behind what a unit is news of, which is less. */
const valuesFactor = 16
const valuesCodes: Readonly<Record<UnitValues, number>> = { plain: 0, sealed: 1, none: 2 }

/**
 * A unit's arguments: what it is news of and how its values are, its tag; for each hash its key, how many fields are believed, how many of
 * these it writes, how many have places, the fields, what is believed, what goes behind the places, how many
 * arguments follow, and fields and values; 0, or 1 with its permits; leases that are over, new ones, moved ones;
 * the other writes; and its events.
 */
function encodeUnit(unit: Unit, encoding: Encoding): void {
  const { numbers, args } = encoding
  args.push(unit.news + valuesFactor * valuesCodes[unit.values], unit.tag, unit.hashes.length)
  for (const part of unit.hashes) encodeHash(part, encoding)
  if (unit.releases.length + unit.takes.length === 0) args.push(0)
  else encodePermits(unit, encoding)
  args.push(unit.left.length, ...unit.left)
  encodeLeases(unit.leases, args)
  const ops = joinedOps(unit.ops)
  args.push(ops.length)
  for (const { code, key, keys = [], args: rest } of ops) {
    args.push(code, numbers.of(key), keys.length + rest.length)
    for (const each of keys) args.push(each === null ? 0 : numbers.of(each))
    for (const each of rest) args.push(each)
  }
  args.push(unit.parts.length)
  for (const { groups, runId, count, digest, opTag, text } of unit.parts) {
    args.push(runId, groups === null ? 0 : numbers.of(groups), count, digest, opTag, text)
  }
}

function encodeHash({ key, written, looked, placed, sets }: HashPart, { numbers, args }: Encoding): void {
  args.push(numbers.of(key), written.length + looked.length, written.length, placed.length)
  for (const { field } of written) args.push(field)
  for (const { field } of looked) args.push(field)
  for (const { field } of placed) args.push(field)
  for (const { believed } of written) args.push(believed)
  for (const { believed } of looked) args.push(believed)
  for (const { text } of placed) args.push(text)
  args.push(sets.length + 2 * written.length)
  for (const each of sets) args.push(each)
  for (const { field, token } of written) args.push(field, token)
}

function encodePermits(unit: Unit, { keys, numbers, args }: Encoding): void {
  const { at, keepHeld, releases, takes } = unit
  args.push(1, numbers.of(keys.of(keyNames.held)), at, keepHeld === true ? 1 : 0, releases.length)
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
function encodeLeases(leases: readonly LeaseWrite[], args: (string | number)[]): void {
  for (const wanted of [true, false]) {
    const start = args.length
    args.push(0)
    for (const { id, expiresAt, isFresh } of leases) if (isFresh === wanted) args.push(expiresAt, id)
    args[start] = args.length - start - 1
  }
}
