/** What concurrency control asks of a node's invocations, worked out once per workflow version. */

import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import type { Millis } from '../../model/time.ts'
import type { ConcurrencyMode, WorkflowNode } from '../../model/workflow.ts'

/** A node's concurrency control with its defaults filled in. */
export interface NodePermits {
  readonly running: ConcurrencyMode
  /** Names of parameters, sorted; for `KEYS`. */
  readonly keys: readonly string[]
  readonly limit: number
  readonly onFull: 'reroute' | 'final'
  readonly delayMs: Millis
  readonly onFinal: 'fail' | 'skip'
  /** `<workflow>/<node>`: versions of a workflow count together. */
  readonly scope: string
  /** The plan that each invocation begins with. */
  readonly plan: PermitPlan
}

/** Null for a node that nothing is asked of: its invocations carry no plan and cost nothing extra. */
export function compileNodePermits(scope: string, node: WorkflowNode): NodePermits | null {
  const { concurrency, rateLimit } = node
  const running = concurrency?.running ?? 'DISABLED'
  if (running === 'DISABLED' && rateLimit === undefined) return null
  const limit = concurrency?.limit ?? 1
  const permits: Permit[] = []
  if (running === 'TASK') permits.push({ key: `node:${scope}`, limit, windowMs: null })
  if (rateLimit !== undefined) {
    permits.push({ key: `rate:${scope}`, limit: rateLimit.count, windowMs: rateLimit.perMs })
  }
  return {
    running,
    keys: [...(concurrency?.keys ?? [])].sort(),
    limit,
    onFull: concurrency?.onFull ?? 'final',
    delayMs: concurrency?.delayMs ?? 0,
    onFinal: concurrency?.onFinal ?? 'fail',
    scope,
    plan: {
      permits,
      resolved: running === 'DISABLED' || running === 'TASK',
      blockedSince: null,
      blockedBy: null,
    },
  }
}

/** The plan with the permit that depends on the parameters; `hash` gives a short name to a text. */
export function resolvedPlan(
  permits: NodePermits,
  plan: PermitPlan,
  known: { readonly parameters: JsonValue; readonly hash: (text: string) => string },
): PermitPlan {
  if (plan.resolved) return plan
  const { running, scope, limit } = permits
  const counted = running === 'KEYS' ? named(known.parameters, permits.keys) : known.parameters
  const prefix = running === 'KEYS' ? 'keys' : 'args'
  const key = `${prefix}:${scope}:${known.hash(canonicalJson(counted))}`
  return { ...plan, resolved: true, permits: [...plan.permits, { key, limit, windowMs: null }] }
}

/** A parameter that isn't there counts as null, so that forms of the same demand stay the same. */
function named(parameters: JsonValue, names: readonly string[]): JsonObject {
  const all = isObject(parameters) ? parameters : {}
  return Object.fromEntries(names.map((name) => [name, all[name] ?? null]))
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether running out of this permit may end an invocation: only what its own node says about itself. */
export const isOwnPermit = (key: string): boolean => /^(?:node|args|keys):/.test(key)
