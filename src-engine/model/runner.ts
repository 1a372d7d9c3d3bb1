/** The record of a runner: one operating-system process that executes invocations. */

import type { RunnerId } from './ids.ts'
import type { RunnerSecrets } from './runner-secrets.ts'
import type { Instant } from './time.ts'
import type { RunnerTrust } from './trust.ts'

/** What proves on one host that a process is the one that wrote it, and not a later one with its pid. */
export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** The process's start time in the system's own unit, as text; null where the system doesn't tell. */
  readonly startTime: string | null
  /** Changes with every boot; null where the system doesn't tell. */
  readonly bootId: string | null
}

export interface RunnerRecord {
  readonly id: RunnerId
  readonly process: ProcessIdentity
  readonly startedAt: Instant
  readonly heartbeatAt: Instant
  /** Set when it stopped in an orderly way. */
  readonly stoppedAt: Instant | null
  /** Pools it works for. */
  readonly pools: readonly string[]
  readonly slots: number
  readonly active: number
  /** `key=value`. */
  readonly labels: readonly string[]
  /** Task kinds it can execute. */
  readonly capabilities: readonly string[]
  readonly canRunAtomicService: boolean
  /** The runner that started it and reports for it; null for one of its own. */
  readonly parentId: RunnerId | null
  /** 0 to 100; null where it isn't known. */
  readonly cpuPercent: number | null
  readonly gpuPercent: number | null
  /** Set when it takes no new work but still finishes what it has. */
  readonly drainingSince: Instant | null
  /** Of Sagasmith; absent for one that doesn't tell. */
  readonly version?: string
  /** Absent for one that executes every definition. */
  readonly trust?: RunnerTrust
  /** Absent for one that doesn't tell. */
  readonly secrets?: RunnerSecrets
}
