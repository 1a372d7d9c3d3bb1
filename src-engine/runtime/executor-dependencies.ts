/** What executing an attempt needs of this process. */

import type { Clock, Random } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import type { StoreInfo } from '../store/store.ts'
import type { KeptResults } from './cache/kept-results.ts'
import type { Circuits } from './circuits/circuits.ts'
import type { Deadlines } from './deadlines.ts'
import type { LiveLine } from './engine.ts'
import type { Execution } from './execution.ts'
import type { Failpoints } from './failpoints.ts'
import type { OutputJudge } from './output-policy/output-judge.ts'
import type { PayloadStore } from './payload-store.ts'
import type { SteeringPreparer } from './steering/steering-preparer.ts'
import type { CallPreparer } from './sub-workflows/call-preparer.ts'
import type { TaskHost } from './task-host.ts'

export interface ExecutorDependencies {
  readonly info: StoreInfo
  readonly host: TaskHost
  readonly payloads: PayloadStore
  readonly clock: Clock
  readonly deadlines: Deadlines
  /** How long a program may take to end by itself. */
  readonly killGraceMs: Millis
  /** A task was told to stop and did not. */
  readonly leftBehind: (execution: Execution) => void
  readonly random: Random
  readonly failpoints: Failpoints
  readonly live: (line: LiveLine) => void
  /** For steps that start other workflows. */
  readonly calls: CallPreparer
  /** For steps that ask other runs for something; there are no others when absent. */
  readonly steering?: SteeringPreparer
  /** The circuit breakers of steps; all are closed when absent. */
  readonly circuits?: Circuits
  /** Results that may stand for running steps again; every step runs when absent. */
  readonly kept?: KeptResults
  /** Judges what attempts give; nobody does when absent. */
  readonly outputs?: OutputJudge
}
