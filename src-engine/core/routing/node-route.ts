/** Where a node's invocations may run, worked out once per workflow version. */

import { runnerId } from '../../model/ids.ts'
import type { Route } from '../../model/invocation.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { WorkflowNode } from '../../model/workflow.ts'

/** How long others leave work to the runner that its node prefers. */
const preferredHeadStartMs: Millis = 2_000

/** A route that hasn't begun to count yet. */
export type NodeRoute = Omit<Route, 'preferredUntil'>

/** Null for a node that says nothing about it: whoever works for its pool may run it. */
export function compileNodeRoute(node: WorkflowNode, pool: string): NodeRoute | null {
  const { route } = node
  if (route === undefined) return null
  const { preferredPool, preferredRunner } = route
  return {
    pools: preferredPool === undefined || preferredPool === pool ? [pool] : [preferredPool, pool],
    labels: Object.entries(route.labels ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
    requires: route.requires ?? [],
    preferredRunner: preferredRunner === undefined ? null : runnerId(preferredRunner),
  }
}

/** The route of an invocation that is registered now. */
export const routeAt = (route: NodeRoute, now: Instant): Route => ({
  ...route,
  preferredUntil: route.preferredRunner === null ? null : now + preferredHeadStartMs,
})
