/** What executing a task takes from the outside: the kinds, the expressions, the services for samples. */

import type { InvocationId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { Instant } from '../model/time.ts'
import type { TaskRun } from '../tasks/task.ts'
import type { SecretSource } from './vault/attempt-secrets.ts'

/** What expressions can see. Parts are asked for only when an expression mentions them. */
export interface ExpressionScope {
  readonly input: () => JsonValue | Promise<JsonValue>
  /** The outputs of the named nodes; nodes without one are left out. */
  readonly nodes: (ids: readonly string[]) => Promise<JsonObject>
  readonly run: () => JsonObject | Promise<JsonObject>
  readonly vars: JsonObject
  /** What the map or loop around the step is at: its item, and its place in the turns. */
  readonly around?: (root: 'item' | 'loop') => JsonValue | Promise<JsonValue>
  /** For what undoes a step: what arrived at that, what it was called with, what it gave and how it failed. */
  readonly original?: () => Promise<JsonObject>
  /** For what is asked once the step has ended: what it gave. */
  readonly output?: () => JsonValue
  /** For what is asked once it has failed: why. */
  readonly error?: () => JsonValue
  /** Frozen per run, so that every attempt sees the same. */
  readonly now: Instant
  readonly seed: string
}

export interface ParameterResolver {
  /**
   * The parameters with every expression replaced by its value and checked by the kind's schema. A secret
   * stays the reference that it is; with `marksSecrets`, parameters that name some come as MarkedParameters.
   */
  readonly resolveParameters: (request: {
    readonly parameters: JsonObject
    readonly spec: TaskSpec
    readonly scope: ExpressionScope
    readonly marksSecrets?: boolean
  }) => unknown
}

export interface CallbackUrls {
  /** The address of a step, which is listened at from now on; null where nobody listens. */
  readonly urlOf: (id: InvocationId) => Promise<string | null>
}

export interface TaskHost {
  readonly specsByKind: ReadonlyMap<string, TaskSpec>
  readonly runOf: (kind: string) => TaskRun<unknown> | null
  readonly resolver: ParameterResolver
  readonly echoService: () => Promise<string>
  /** The addresses of steps that wait for web calls; such steps fail without it. */
  readonly callbacks?: CallbackUrls
  /** Where the values of secrets come from; steps that name some fail without it. */
  readonly secrets?: SecretSource
}
