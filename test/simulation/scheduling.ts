/**
 * Who may do what, and who has to wait: pools, tags, tenants, busy machines and the engine's own crons. Drawn
 * apart from all else, and only for some seeds, so that the stories of the others stay as they are.
 */

import type { PoolChange } from '../../src-engine/model/pools.ts'
import {
  noPoolRules,
  poolRuleOf,
  poolsRegisterKey,
  readPoolRules,
  topicsOfPool,
} from '../../src-engine/model/pools.ts'
import { readTenantLimits, tenantsRegister } from '../../src-engine/model/tenants.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { TenantChange } from '../../src-engine/protocol/tenants.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RandomSource } from '../support/random-source.ts'

/** What an operator does, `after` so many ms. */
export type Order =
  | { readonly kind: 'pool'; readonly after: number; readonly change: PoolChange }
  | { readonly kind: 'tenant'; readonly after: number; readonly change: TenantChange }

export interface RunnerPlace {
  readonly pools: readonly string[]
  readonly tags: readonly string[]
}

export interface Scheduling {
  /** By the number of the process, again from the first for later ones. */
  readonly runners: readonly RunnerPlace[]
  readonly orders: readonly Order[]
  /** By the number of the start. */
  readonly tenants: readonly string[]
  /** Whether the engine's own crons run, every minute or two. */
  readonly crons: boolean
  /** Whether machines are busy now and then. */
  readonly busy: boolean
}

const pools = ['default', 'attic', 'cellar'] as const
const topics = ['render', 'debug', 'noop'] as const
const tags = ['eu', 'us'] as const
const tenants = ['local', 'ada', 'bob'] as const

/** Null for most seeds. */
export function randomScheduling(random: RandomSource, chaosMs: number): Scheduling | null {
  if (!random.chance(0.4)) return null
  const has = { pools: random.chance(0.6), tenants: random.chance(0.5), tags: random.chance(0.3) }
  const after = (): number => random.below(chaosMs)
  const orders: Order[] = []
  for (let index = 0; has.pools && index < 2 + random.below(6); index += 1)
    orders.push({ kind: 'pool', after: after(), change: randomPoolChange(random) })
  for (let index = 0; has.tenants && index < 1 + random.below(5); index += 1)
    orders.push({ kind: 'tenant', after: after(), change: randomTenantChange(random) })
  return {
    runners: Array.from({ length: 3 }, () => ({
      pools: has.pools ? pools.filter(() => random.chance(0.6)) : ['default'],
      tags: has.tags ? tags.filter(() => random.chance(0.4)) : [],
    })),
    orders,
    tenants: Array.from({ length: 8 }, () => (has.tenants ? random.pick(tenants) : 'local')),
    crons: random.chance(0.4),
    busy: random.chance(0.3),
  }
}

function randomPoolChange(random: RandomSource): PoolChange {
  const name = random.pick(pools)
  const drawn = random.next()
  if (drawn < 0.4) return { name, status: random.pick(['active', 'active', 'draining', 'inactive'] as const) }
  if (drawn < 0.7) return { name, limit: random.chance(0.3) ? null : 1 + random.below(2) }
  return { name, topics: topics.filter(() => random.chance(0.4)) }
}

function randomTenantChange(random: RandomSource): TenantChange {
  const limit = () => (random.chance(0.2) ? ('settings' as const) : 1 + random.below(2))
  const name = random.pick(tenants)
  return random.chance(0.5) ? { name, jobs: limit() } : { name, runs: limit() }
}

/** The same documents, with steps that say where they may run. */
export function placedDocuments(
  random: RandomSource,
  documents: readonly WorkflowDocument[],
): readonly WorkflowDocument[] {
  return documents.map((document) => {
    const nodes = Object.entries(document.nodes).map(([id, node]) => [id, placed(random, node)])
    return { ...document, nodes: Object.fromEntries(nodes) as WorkflowDocument['nodes'] }
  })
}

function placed(random: RandomSource, node: WorkflowNode): WorkflowNode {
  const drawn = random.next()
  const tagged = random.chance(0.1) ? { tags: [random.pick(tags)] } : {}
  if (drawn < 0.15) return { ...node, ...tagged, pool: random.pick(pools) }
  if (drawn < 0.25) return { ...node, ...tagged, route: { topic: 'render' } }
  if (drawn < 0.35) return { ...node, ...tagged, route: { preferredPool: random.pick(pools) } }
  return { ...node, ...tagged }
}

/** What is said when the chaos is over: all pools work for all topics, and nothing is limited. */
export const lastOrders: readonly Order[] = [
  ...pools.map((name): Order => {
    const change = { name, status: 'active', limit: null, topics: [...topics] } as const
    return { kind: 'pool', after: 0, change }
  }),
  ...tenants.map((name): Order => {
    const change = { name, jobs: null, runs: null }
    return { kind: 'tenant', after: 0, change }
  }),
]

/** Those of them that are not in effect: each is given only as often as it takes, so that it has to last. */
export async function missingOrders(store: Store): Promise<readonly Order[]> {
  const poolsNow = await store.load(0, 'register', { key: poolsRegisterKey })
  const tenantsNow = await store.load(0, 'register', { key: tenantsRegister })
  const rules = (poolsNow === null ? null : readPoolRules(poolsNow.value)) ?? noPoolRules
  const limits = readTenantLimits(tenantsNow?.value)
  return lastOrders.filter(({ kind, change: { name } }) => {
    if (kind === 'tenant') return limits.get(name)?.runs !== null || limits.get(name)?.jobs !== null
    const { status, limit } = poolRuleOf(rules, name)
    return status !== 'active' || limit !== null || topicsOfPool(rules, name).length < topics.length
  })
}

/** One who may do everything. */
export const allRounder: RunnerPlace = { pools: [...pools], tags: [] }

/** How busy a machine is in each ten seconds: decided by the process’s own chance. */
export function busyMachine(seed: number): (now: number) => number {
  return (now) => {
    const mixed = Math.imul(Math.floor(now / 10_000) + 1, 2_654_435_761) ^ Math.imul(seed + 1, 40_503)
    return Math.abs(mixed) % 125 > 100 ? 100 : Math.abs(mixed) % 90
  }
}
