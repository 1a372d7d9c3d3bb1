/** Writes of a unit in as few commands as they need: each costs the server more than the fields it carries. */

import type { Op } from './unit.ts'

/** What may be joined with another of its kind on the same key. */
const joinable = new Set<Op['code']>(['h', 'z', 'r'])
/** What touches only fields of its own: it doesn't mind what is written before or after it. */
const apart = new Set<Op['code']>(['n', 'p', 's'])
/** A script passes them on at once, and its stack has an end. */
const argsMax = 1_000

/** Writes to the same hash or set go together, and what one counts up and another down isn't counted. */
export function joinedOps(ops: readonly Op[]): readonly Op[] {
  if (ops.length < 2) return ops
  const joined: Op[] = []
  /** Where the last op of a key is that others may join, and where each member is counted. */
  const places = new Map<string, number>()
  for (const op of ops) {
    const { code, key, args } = op
    if (code === 'c') {
      count(joined, places, op)
      continue
    }
    const place = places.get(key)
    const last = place === undefined ? undefined : joined[place]
    if (place !== undefined && last?.code === code && last.args.length + args.length <= argsMax) {
      joined[place] = { ...last, args: [...last.args, ...args] }
      continue
    }
    if (joinable.has(code)) places.set(key, joined.length)
    else if (!apart.has(code)) places.delete(key)
    joined.push(op)
  }
  return joined.filter(({ code, args }) => code !== 'c' || args[1] !== 0)
}

function count(joined: Op[], places: Map<string, number>, op: Op): void {
  const [member = '', delta = 0] = op.args
  const name = `${op.key} ${member}`
  const place = places.get(name)
  const before = place === undefined ? undefined : joined[place]
  if (place === undefined || before === undefined) {
    places.set(name, joined.length)
    joined.push(op)
    return
  }
  joined[place] = { ...before, args: [member, Number(before.args[1]) + Number(delta)] }
}
