/** What task kinds need from the world around the engine; given once, when the runs are made. */

import type { GuardedHost } from './guarded-process.ts'
import type { HostLookup } from './http-request/host-lookup.ts'
import type { SandboxHost } from './javascript/sandbox-host.ts'

export interface TaskPorts {
  /** Starts the process in which JavaScript code runs. */
  readonly sandbox: SandboxHost
  /** The engine's own environment; commands get an allow-list of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Asks the name service; every address it gives is checked. */
  readonly lookup: HostLookup
  /** Starts the process that works on a SQLite file. */
  readonly sqlite: GuardedHost
}
