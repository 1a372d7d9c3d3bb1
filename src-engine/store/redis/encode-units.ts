/** Units as the script reads them: keys, each once and known by number, and arguments. */

import { fixedKeyNames } from './apply-script.ts'
import { joinedOps } from './joined-ops.ts'
import type { PartitionKeys } from './layout.ts'
import type { Unit } from './unit.ts'

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
  args.push(unit.news, unit.checks.length)
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
