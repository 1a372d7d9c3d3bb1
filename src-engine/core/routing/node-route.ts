/** Where a node's invocations may run, worked out once per workflow version and completed when one is made. */

import { runnerId } from '../../model/ids.ts'
import type { Route } from '../../model/invocation.ts'
import type { PoolRules } from '../../model/pools.ts'
import { poolsOfTopic } from '../../model/pools.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { WorkflowNode } from '../../model/workflow.ts'

/** How long others leave work to the runner that its node prefers. */
const preferredHeadStartMs: Millis = 2_000

/** Labels that say where work may run; all others are the business of those who wrote them. */
const placementPrefixes = ['placement.', 'constraint.', 'node.'] as const

/** A route that hasn't begun to count yet. */
export interface NodeRoute extends Omit<Route, 'preferredUntil'> {
  readonly preferredPool: string | null
}

/** What of a node decides about its invocations' routes. */
export interface RoutedNode {
  readonly pool: string
  /** What pools are mapped to; null for a node that names its pool. */
  readonly topic: string | null
  readonly route: NodeRoute | null
}

/** The topic of a node: what it says, or its kind; null when it names its pool. */
export const topicOf = (node: WorkflowNode): string | null =>
  node.pool === undefined ? (node.route?.topic ?? node.kind) : null

/** Null for a node that says nothing about it: whoever works for its pool may run it. */
export function compileNodeRoute(node: WorkflowNode, pool: string): NodeRoute | null {
  const { route = {}, tags = [] } = node
  const { topic, requires = [], preferredPool, preferredRunner } = route
  const labels = Object.entries(route.labels ?? {})
    .filter(([name]) => placementPrefixes.some((prefix) => name.startsWith(prefix)))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const hasOwnTopic = topic !== undefined && node.pool === undefined
  const says = [...labels, ...requires, ...tags, preferredPool ?? [], preferredRunner ?? []].flat()
  if (says.length === 0 && !hasOwnTopic) return null
  return {
    // A topic of its own that nobody is mapped to is nobody's work; a kind's name is a topic only if it is mapped.
    pools: hasOwnTopic ? [] : inOrder([pool], preferredPool ?? pool),
    labels,
    requires: requires.map((ability) => ability.toLowerCase()),
    ...(tags.length === 0 ? {} : { tags }),
    preferredRunner: preferredRunner === undefined ? null : runnerId(preferredRunner),
    preferredPool: preferredPool ?? null,
  }
}

/** The route of an invocation that is registered now; null when anybody of the node's pool may run it. */
export function routeAt(node: RoutedNode, rules: PoolRules | null, now: Instant): Route | null {
  const mapped = rules === null || node.topic === null ? null : poolsOfTopic(rules, node.topic)
  if (node.route === null) return mapped === null ? null : { ...anywhere, pools: mapped }
  const { preferredPool, ...route } = node.route
  const preferredUntil = route.preferredRunner === null ? null : now + preferredHeadStartMs
  if (mapped === null) return { ...route, preferredUntil }
  // Who prefers a pool that doesn't work for the topic prefers nothing that there is.
  const isMisled = preferredPool !== null && !mapped.includes(preferredPool)
  return { ...route, pools: isMisled ? [] : inOrder(mapped, preferredPool), preferredUntil }
}

/** The pool that an invocation counts for while nobody has it. */
export const poolAt = (node: RoutedNode, route: Route | null): string =>
  node.topic === null ? node.pool : (route?.pools[0] ?? node.pool)

const anywhere = { labels: [], requires: [], preferredRunner: null, preferredUntil: null } as const

const inOrder = (pools: readonly string[], first: string | null): readonly string[] =>
  first === null || pools[0] === first ? pools : [first, ...pools.filter((pool) => pool !== first)]
