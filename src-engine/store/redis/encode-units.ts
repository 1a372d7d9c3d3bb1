/** Units as the script reads them: keys, each once and known by number, and arguments. */

import type { Instant } from '../../model/time.ts'
import { fixedKeyNames } from './apply-script.ts'
import { packNumbers } from './apply-script-numbers.ts'
import { joinedOps } from './joined-ops.ts'
import type { PartitionKeys } from './layout.ts'
import { keyNames } from './layout.ts'
import type { HeadsAsked } from './queue-heads.ts'
import type { Check, HashPart, LeaseWrite, Unit, UnitValues } from './unit.ts'

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

/** When leases of a call expire, each instant once, known by number: of what begins together it is the same. */
class Expiries {
  readonly list: Instant[] = []

  of(expiresAt: Instant): number {
    const known = this.list.indexOf(expiresAt)
    return known < 0 ? this.list.push(expiresAt) : known + 1
  }
}

/** The keys and the arguments of units, as the script reads them, behind those that a call begins with. */
export function encodeUnits(
  units: readonly Unit[],
  keys: PartitionKeys,
  {
    start: callStart,
    heads,
  }: { readonly start: readonly (string | number)[]; readonly heads: HeadsAsked | null },
): { readonly keys: readonly string[]; readonly args: readonly (string | number)[] } {
  const numbers = new KeyNumbers(fixedKeyNames.map((name) => keys.of(name)))
  const expiries = new Expiries()
  const args: (string | number)[] = [...callStart, '', heads === null ? '' : headsText(heads, keys, numbers)]
  for (const unit of units) {
    const start = args.length
    // The unit's numbers, known at its end.
    args.push('')
    const counts: number[] = [0]
    encodeUnit(unit, { keys, numbers, expiries, counts, args })
    counts[0] = args.length - start - 1
    args[start] = packNumbers(counts)
  }
  args[callStart.length] = expiries.list.join(' ')
  return { keys: numbers.list, args }
}

/** How many of each queue, until when; then numbers of the key of shapes, and of the queues. */
function headsText({ shapes, wanted, until }: HeadsAsked, keys: PartitionKeys, numbers: KeyNumbers): string {
  const names = [keyNames.shapes, ...shapes.map((shape) => keyNames.queue(shape))]
  return [wanted, until, ...names.map((name) => numbers.of(keys.of(name)))].join(' ')
}

interface Encoding {
  readonly keys: PartitionKeys
  readonly numbers: KeyNumbers
  readonly expiries: Expiries
  /** Numbers of the unit, in the order in which they are read. */
  readonly counts: number[]
  readonly args: (string | number)[]
}

const valuesCodes: Readonly<Record<UnitValues, number>> = { plain: 0, sealed: 1, none: 2 }

/**
 * A unit's arguments: its numbers; for each hash all that is written in one piece (values, what has a place, what gets
 * one, tokens), fields that are only looked at, and what is believed, a line for each; permits; leases that are over, new
 * ones, moved ones; what the other writes are told; and of each part of its events the digest, tag of the op and text.
 *
 * Its numbers: how many arguments follow, what it is news of, how its values are, how many hashes; for each hash its
 * key, how many tokens it writes, how many fields are only looked at, how many have places, how many get one, how many
 * arguments are written; 1 where permits are, or 0; how many leases are over, how many are new and when each expires, how
 * many are moved and when each expires; how many other writes, and of each its code, key and arguments; how many parts of
 * events, and of each the key of the run's groups and how many events.
 */
function encodeUnit(unit: Unit, encoding: Encoding): void {
  const { numbers, counts, args } = encoding
  counts.push(unit.news, valuesCodes[unit.values], unit.hashes.length)
  for (const part of unit.hashes) encodeHash(part, encoding)
  const hasPermits = unit.releases.length + unit.takes.length > 0
  counts.push(hasPermits ? 1 : 0)
  if (hasPermits) encodePermits(unit, encoding)
  counts.push(unit.left.length)
  for (const id of unit.left) args.push(id)
  encodeLeases(unit.leases, true, encoding)
  encodeLeases(unit.leases, false, encoding)
  const ops = joinedOps(unit.ops)
  counts.push(ops.length)
  for (const { code, key, keys = [], args: rest } of ops) {
    counts.push(code.charCodeAt(0), numbers.of(key), keys.length + rest.length)
    for (const each of keys) args.push(each === null ? 0 : numbers.of(each))
    for (const each of rest) args.push(each)
  }
  counts.push(unit.parts.length)
  // Whose events they are the key of the groups tells.
  for (const { groups, count, digest, opTag, text } of unit.parts) {
    counts.push(groups === null ? 0 : numbers.of(groups), count)
    args.push(digest, opTag, text)
  }
}

function encodeHash({ key, written, looked, placed, sets }: HashPart, encoding: Encoding): void {
  const { numbers, counts, args } = encoding
  const start = args.length
  for (const each of sets) args.push(each)
  // The script puts each place in front of its text, where it stands.
  for (const { field, text } of placed) if (text !== '') args.push(field, text)
  const placesOnly = args.length
  for (const { field, text } of placed) if (text === '') args.push(field, text)
  const fresh = (args.length - placesOnly) / 2
  for (const { field, token } of written) args.push(field, token)
  const length = args.length - start
  counts.push(numbers.of(key), written.length, looked.length, placed.length - fresh, fresh, length)
  for (const { field } of looked) args.push(field)
  if (written.length + looked.length > 0) args.push(believedLines(written, looked))
}

/** Tokens have no lines of their own. */
function believedLines(written: readonly Check[], looked: readonly Check[]): string {
  let lines: string | null = null
  for (const { believed } of written) lines = lines === null ? believed : `${lines}\n${believed}`
  for (const { believed } of looked) lines = lines === null ? believed : `${lines}\n${believed}`
  return lines ?? ''
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

/** Those whose fence is new, or the others. */
function encodeLeases(
  leases: readonly LeaseWrite[],
  wanted: boolean,
  { expiries, counts, args }: Encoding,
): void {
  const place = counts.push(0) - 1
  for (const { id, expiresAt, isFresh } of leases) {
    if (isFresh !== wanted) continue
    counts.push(expiries.of(expiresAt))
    args.push(id)
  }
  counts[place] = counts.length - place - 1
}
