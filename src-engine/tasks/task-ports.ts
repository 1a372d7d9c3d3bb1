/** What task kinds need from the world around the engine; given once, when the runs are made. */

import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Instant } from '../model/time.ts'
import type { ClusterEvents } from './emit-event/cluster-events.ts'
import type { GuardedHost } from './guarded-process.ts'
import type { HostLookup } from './http-request/host-lookup.ts'
import type { AllowedPackages } from './javascript/packages/package-graph.ts'
import type { SandboxHost } from './javascript/sandbox-host.ts'

/** Evaluates JSONata over what a step has got itself; null when it matches nothing. */
export type Evaluate = (question: {
  readonly expression: string
  /** What it sees, by name. */
  readonly scope: JsonObject
  /** What `$now()` says. */
  readonly now: Instant
  readonly seed: string
}) => Promise<JsonValue>

export interface TaskPorts {
  /** Starts the process in which JavaScript code runs. */
  readonly sandbox: SandboxHost
  /** What JavaScript code may import. */
  readonly packages: AllowedPackages
  /** The engine's own environment; commands get an allow-list of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Asks the name service; every address it gives is checked. */
  readonly lookup: HostLookup
  /** For expressions that are asked only once there is an answer. Throws as parameters' expressions do. */
  readonly evaluate: Evaluate
  /** Starts the process that works on a SQLite file. */
  readonly sqlite: GuardedHost
  /** Tells events to clusters that this machine knows by name; steps that name one fail without it. */
  readonly clusterEvents?: ClusterEvents
}
