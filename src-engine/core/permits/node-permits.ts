/** What concurrency control asks of a node's invocations, worked out once per workflow version. */

import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson, isJsonObject } from '../../model/json.ts'
import type { CountedStart, LineEnd, StartLimit, TaskSpec } from '../../model/task-spec.ts'
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
  /** What its kind asks for; null for nothing. */
  readonly starts: CompiledStarts | null
  /** `<workflow>/<node>`: versions of a workflow count together. */
  readonly scope: string
  /** The plan that each invocation begins with. */
  readonly plan: PermitPlan
}

type WhenFull = ReturnType<StartLimit['whenFull']>

interface CompiledStarts {
  readonly counted: StartLimit['counted']
  readonly whenFull: WhenFull
  /** Null for who waits as long as it takes. */
  readonly lineEnd: LineEnd | null
}

/** Null for a node that nothing is asked of: its invocations carry no plan and cost nothing extra. */
export function compileNodePermits(
  scope: string,
  node: WorkflowNode,
  limitOfKind: TaskSpec['limit'],
): NodePermits | null {
  const { concurrency, rateLimit } = node
  const running = concurrency?.running ?? 'DISABLED'
  const registration = concurrency?.registration ?? 'DISABLED'
  const starts = startsOf(node, limitOfKind)
  const isFree = running === 'DISABLED' && registration === 'DISABLED' && rateLimit === undefined
  if (isFree && starts === null) return null
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
    starts,
    scope,
    plan: {
      permits,
      resolved: starts === null && (running === 'DISABLED' || running === 'TASK'),
      blockedSince: null,
      blockedBy: null,
      ...(registration === 'DISABLED' ? {} : { registration: { key: null } }),
    },
  }
}

/** A step that is bypassed is done by nobody: it counts nowhere. */
function startsOf(node: WorkflowNode, limit: TaskSpec['limit']): NodePermits['starts'] {
  if (limit === undefined || node.bypassed === true) return null
  const parameters = node.parameters ?? {}
  return {
    counted: limit.counted,
    whenFull: limit.whenFull(parameters),
    lineEnd: limit.lineEnd(parameters),
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
    const added: Permit[] = []
    if (running === 'ARGUMENTS' || running === 'KEYS') {
      const key = `${running === 'KEYS' ? 'keys' : 'args'}:${keyOf(running)}`
      added.push({ key, limit, windowMs: null })
    }
    const { parameters } = known
    const start = isJsonObject(parameters) ? (permits.starts?.counted(parameters) ?? null) : null
    if (start !== null) {
      const { count, perMs } = start
      added.push({ key: startsKey(scope, start, known.hash), limit: count, windowMs: perMs })
    }
    after = { ...plan, resolved: true, permits: [...plan.permits, ...added] }
  }
  if (plan.registration?.key !== null) return after
  const key = registration === 'TASK' ? `reg:${scope}` : `reg:${keyOf(registration)}`
  return { ...after, registration: { key } }
}

/** The beginning of the keys of starts that a kind counts. */
const startsPrefix = 'starts:'
/** The same for kinds that hold on to their permits for as long as their body is at work. */
const insidePrefix = 'inside:'

function startsKey(
  scope: string,
  { key, isShared, perMs }: CountedStart,
  hash: (text: string) => string,
): string {
  const place = isShared ? '*' : scope
  return `${perMs === null ? insidePrefix : startsPrefix}${place}${key === null ? '' : `:${hash(canonicalJson(key))}`}`
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
const isOwnPermit = (key: string): boolean => /^(?:node|args|keys):/.test(key)

/** Whether the permit counts what a kind lets begin within a time. */
export const isStartsPermit = (key: string): boolean => key.startsWith(startsPrefix)

/** Whether the permit is held over a body. */
export const isInsidePermit = (key: string): boolean => key.startsWith(insidePrefix)

/** What becomes of an invocation that is refused this permit; `usual` is for what its node doesn't say. */
export function whenFull(permits: NodePermits | null, key: string, usual: 'reroute' | 'final'): WhenFull {
  if (isStartsPermit(key) || isInsidePermit(key)) return permits?.starts?.whenFull ?? 'wait'
  if (!isOwnPermit(key) || (permits?.onFull ?? usual) !== 'final') return 'wait'
  return permits?.onFinal ?? 'fail'
}
