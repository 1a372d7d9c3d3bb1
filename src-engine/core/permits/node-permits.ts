/** What concurrency control asks of a node's invocations, worked out once per workflow version. */

import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson, isJsonObject } from '../../model/json.ts'
import type { Millis } from '../../model/time.ts'
import type { ConcurrencyMode, WorkflowNode } from '../../model/workflow.ts'

/** A node's concurrency control with its defaults filled in. */
export interface NodePermits {
  readonly registration: ConcurrencyMode
  /** What becomes of a repeated demand whose other arguments differ. */
  readonly onDifferent: 'reuse' | 'raise'
  readonly running: ConcurrencyMode
  /** Names of parameters, sorted; for `KEYS`. */
  readonly keys: readonly string[]
  readonly limit: number
  /** Null for what the engine's settings say. */
  readonly onFull: 'reroute' | 'final' | null
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
  const registration = concurrency?.registration ?? 'DISABLED'
  if (running === 'DISABLED' && registration === 'DISABLED' && rateLimit === undefined) return null
  const limit = concurrency?.limit ?? 1
  const permits: Permit[] = []
  if (running === 'TASK') permits.push({ key: `node:${scope}`, limit, windowMs: null })
  if (rateLimit !== undefined) {
    permits.push({ key: `rate:${scope}`, limit: rateLimit.count, windowMs: rateLimit.perMs })
  }
  return {
    registration,
    onDifferent: concurrency?.onDifferentNonKeyArguments ?? 'reuse',
    running,
    keys: [...(concurrency?.keys ?? [])].sort(),
    limit,
    onFull: concurrency?.onFull ?? null,
    delayMs: concurrency?.delayMs ?? 0,
    onFinal: concurrency?.onFinal ?? 'fail',
    scope,
    plan: {
      permits,
      resolved: running === 'DISABLED' || running === 'TASK',
      blockedSince: null,
      blockedBy: null,
      ...(registration === 'DISABLED' ? {} : { registration: { key: null } }),
    },
  }
}

/** Whether its plan depends on its parameters, and these aren't known yet. */
export const isUnresolved = ({ resolved, registration }: PermitPlan): boolean =>
  !resolved || registration?.key === null

/** The plan with all that depends on the parameters; `hash` gives a short name to a text. */
export function resolvedPlan(
  permits: NodePermits,
  plan: PermitPlan,
  known: { readonly parameters: JsonValue; readonly hash: (text: string) => string },
): PermitPlan {
  const { running, registration, scope, limit } = permits
  const keyOf = (mode: ConcurrencyMode): string => `${scope}:${known.hash(countedText(permits, mode, known))}`
  let after = plan
  if (!plan.resolved) {
    const key = `${running === 'KEYS' ? 'keys' : 'args'}:${keyOf(running)}`
    after = { ...plan, resolved: true, permits: [...plan.permits, { key, limit, windowMs: null }] }
  }
  if (plan.registration?.key !== null) return after
  const key = registration === 'TASK' ? `reg:${scope}` : `reg:${keyOf(registration)}`
  return { ...after, registration: { key } }
}

function countedText(
  { keys }: NodePermits,
  mode: ConcurrencyMode,
  { parameters }: { readonly parameters: JsonValue },
): string {
  return canonicalJson(mode === 'KEYS' ? named(parameters, keys) : parameters)
}

/** A parameter that isn't there counts as null, so that forms of the same demand stay the same. */
function named(parameters: JsonValue, names: readonly string[]): JsonObject {
  const all = isJsonObject(parameters) ? parameters : {}
  return Object.fromEntries(names.map((name) => [name, all[name] ?? null]))
}

/** Whether running out of this permit may end an invocation: only what its own node says about itself. */
export const isOwnPermit = (key: string): boolean => /^(?:node|args|keys):/.test(key)
