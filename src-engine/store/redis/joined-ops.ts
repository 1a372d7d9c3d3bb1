/** Writes of a unit in as few commands as they need: each costs the server more than the fields it carries. */

import type { Op } from './unit.ts'

/** What may be joined with another of its kind on the same key. */
const joinable = new Set<Op['code']>(['h', 'z', 'r'])
/** What touches only fields of its own: it doesn't mind what is written before or after it. */
const apart = new Set<Op['code']>(['n', 'p', 's'])
/** A script passes them on at once, and its stack has an end. */
const argsMax = 1_000

/** With more, a map is cheaper than a search for each. */
const searchedMax = 16

/** Writes to the same hash or set go together, and what one counts up and another down isn't counted. */
export function joinedOps(ops: readonly Op[]): readonly Op[] {
  if (ops.length < 2) return ops
  const joined: Op[] = []
  /** Where the last op of a key is that others may join; null where that is searched for. */
  const places = ops.length > searchedMax ? new Map<string, number>() : null
  let hasCounts = false
  for (const op of ops) {
    const { code, key, args } = op
    if (code === 'c') {
      hasCounts = true
      count(joined, op)
      continue
    }
    const canJoin = joinable.has(code)
    const place = canJoin ? (places === null ? lastOf(joined, key) : places.get(key)) : undefined
    const last = place === undefined ? undefined : joined[place]
    if (place !== undefined && last?.code === code && last.args.length + args.length <= argsMax) {
      joined[place] = { ...last, args: [...last.args, ...args] }
      continue
    }
    if (canJoin) places?.set(key, joined.length)
    else if (!apart.has(code)) places?.delete(key)
    joined.push(op)
  }
  return hasCounts ? joined.filter(({ code, args }) => code !== 'c' || args[1] !== 0) : joined
}

/** Of those that mind the order. */
function lastOf(joined: readonly Op[], key: string): number | undefined {
  for (let place = joined.length - 1; place >= 0; place -= 1) {
    const op = joined[place]
    if (op?.key === key && op.code !== 'c' && !apart.has(op.code)) return place
  }
  return undefined
}

/** Members that are counted are few: statuses of a workflow's runs, runners with their pools. */
function count(joined: Op[], op: Op): void {
  const [member = '', delta = 0] = op.args
  for (let place = 0; place < joined.length; place += 1) {
    const before = joined[place]
    if (before?.code !== 'c' || before.key !== op.key || before.args[0] !== member) continue
    joined[place] = { code: 'c', key: op.key, args: [member, Number(before.args[1]) + Number(delta)] }
    return
  }
  joined.push(op)
}
