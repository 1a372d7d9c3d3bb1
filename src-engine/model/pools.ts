/** What operators say about pools: their status, their limit, and which topics they work for. */

import { z } from 'zod'
import type { JsonValue } from './json.ts'
import type { Instant } from './time.ts'

/** Draining takes no new work and ends what it has; then it is inactive. */
export const poolStatuses = ['active', 'draining', 'inactive'] as const

export type PoolStatus = (typeof poolStatuses)[number]

export interface PoolRule {
  readonly status: PoolStatus
  /** Set while it drains. */
  readonly drainingSince: Instant | null
  /** How many of its invocations run at once, on all runners together; null for no limit. */
  readonly limit: number | null
}

/** All that is said; a pool without a rule is active and has no limit. */
export interface PoolRules {
  readonly pools: Readonly<Record<string, PoolRule>>
  /** Pools by topic, in order; a topic that isn't here is nobody's in particular. */
  readonly topics: Readonly<Record<string, readonly string[]>>
}

/** A change of one pool; what it doesn't name stays. */
export interface PoolChange {
  readonly name: string
  readonly status?: PoolStatus | undefined
  readonly limit?: number | null | undefined
  /** The topics that it works for from now on, and no others. */
  readonly topics?: readonly string[] | undefined
}

/** The register that the rules are kept in. */
export const poolsRegisterKey = 'pools'

/** Nothing is said about any pool. */
export const noPoolRules: PoolRules = { pools: {}, topics: {} }

const plainRule: PoolRule = { status: 'active', drainingSince: null, limit: null }

/** The rule of a pool, or what counts without one. */
export const poolRuleOf = (rules: PoolRules, name: string): PoolRule =>
  Object.hasOwn(rules.pools, name) ? (rules.pools[name] ?? plainRule) : plainRule

/** Whether new work of the pool may be taken. */
export const isPoolActive = (rules: PoolRules, name: string): boolean =>
  rules === noPoolRules || poolRuleOf(rules, name).status === 'active'

/** The pools of a topic in order; null when nothing is said about it. */
export const poolsOfTopic = (rules: PoolRules, topic: string): readonly string[] | null =>
  Object.hasOwn(rules.topics, topic) ? (rules.topics[topic] ?? null) : null

/** The topics that a pool works for, by name. */
export const topicsOfPool = (rules: PoolRules, name: string): readonly string[] =>
  Object.keys(rules.topics)
    .filter((topic) => rules.topics[topic]?.includes(name) === true)
    .sort()

/** The rules after a change. A pool joins a topic behind those that work for it already. */
export function changePools(rules: PoolRules, change: PoolChange, now: Instant): PoolRules {
  const before = poolRuleOf(rules, change.name)
  const status = change.status ?? before.status
  const rule: PoolRule = {
    status,
    drainingSince: status === 'draining' ? (before.drainingSince ?? now) : null,
    limit: change.limit === undefined ? before.limit : change.limit,
  }
  return {
    pools: { ...rules.pools, [change.name]: rule },
    topics: change.topics === undefined ? rules.topics : joined(rules, change.name, change.topics),
  }
}

function joined(rules: PoolRules, name: string, wanted: readonly string[]): PoolRules['topics'] {
  const topics = new Set([...Object.keys(rules.topics), ...wanted])
  const entries = [...topics].map((topic): [string, readonly string[]] => {
    const pools = poolsOfTopic(rules, topic) ?? []
    if (!wanted.includes(topic)) return [topic, pools.filter((pool) => pool !== name)]
    return [topic, pools.includes(name) ? pools : [...pools, name]]
  })
  // A topic that its last pool left is nobody's in particular again.
  return Object.fromEntries(entries.filter(([, pools]) => pools.length > 0))
}

const stored: z.ZodType<PoolRules> = z.object({
  pools: z.record(
    z.string(),
    z.object({
      status: z.enum(poolStatuses),
      drainingSince: z.number().nullable(),
      limit: z.int().min(1).nullable(),
    }),
  ),
  topics: z.record(z.string(), z.array(z.string()).min(1)),
})

/** What the register holds; null for a value that no engine wrote. */
export function readPoolRules(value: JsonValue): PoolRules | null {
  const read = stored.safeParse(value)
  return read.success ? read.data : null
}

/** The rules as the register keeps them. */
export const writePoolRules = (rules: PoolRules): JsonValue => ({
  pools: Object.fromEntries(Object.entries(rules.pools).map(([name, rule]) => [name, { ...rule }])),
  topics: Object.fromEntries(Object.entries(rules.topics).map(([topic, pools]) => [topic, [...pools]])),
})
