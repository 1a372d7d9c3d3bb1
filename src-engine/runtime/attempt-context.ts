/** What a task gets to know and to use; what few kinds ask for is made when it is asked for. */

import { idempotencyKeyOf } from '../model/idempotency-key.ts'
import type { InvocationId, NodeId, RunId, StoreId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Clock, Random } from '../model/ports.ts'
import type { RunRecord } from '../model/run.ts'
import type { Millis } from '../model/time.ts'
import type { TaskContext } from '../tasks/task.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { Beats } from './beats.ts'
import type { Execution } from './execution.ts'
import { createSeededRandom } from './seeded-random.ts'

export interface AttemptContextParts {
  readonly storeId: StoreId
  readonly run: RunRecord
  readonly record: InvocationRecord
  readonly execution: Execution
  readonly log: AttemptLog
  /** Null for a node that may say nothing for as long as it likes. */
  readonly beats: Beats | null
  readonly clock: Clock
  readonly echoService: () => Promise<string>
  readonly approvedHosts: readonly string[]
  readonly killGraceMs: Millis
  readonly input: JsonValue
  readonly facts: JsonObject
  readonly vars: JsonObject
  readonly turn: TaskContext['turn']
  readonly results: TaskContext['results']
  readonly secrets: TaskContext['secrets']
}

const noBeat = (): void => {}

export class AttemptContext implements TaskContext {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  readonly attempt: number
  readonly input: JsonValue
  readonly run: JsonObject
  readonly vars: JsonObject
  readonly turn: TaskContext['turn']
  readonly results: TaskContext['results']
  readonly log: TaskContext['log']
  readonly beat: TaskContext['beat']
  readonly killGraceMs: Millis
  readonly setPausable: TaskContext['setPausable']
  readonly baseDirectory: string | null
  readonly approvedHosts: readonly string[]
  readonly echoService: () => Promise<string>
  readonly secrets: TaskContext['secrets']
  readonly clock: Clock
  // Not `#`: whoever wraps a context inherits from it.
  private readonly parts: AttemptContextParts
  private seeded: Random | null = null

  constructor(parts: AttemptContextParts) {
    const { run, record, log, clock } = parts
    this.parts = parts
    this.runId = run.id
    this.invocationId = record.id
    this.nodeId = record.nodeId
    this.attempt = record.attempt
    this.input = parts.input
    this.run = parts.facts
    this.vars = parts.vars
    this.turn = parts.turn
    this.results = parts.results
    this.beat = parts.beats === null ? noBeat : parts.beats.beat
    this.log = (line) => {
      parts.beats?.beat()
      log.add({ at: clock.now(), ...line })
    }
    this.killGraceMs = parts.killGraceMs
    this.setPausable = (program) => parts.execution.setPausable(program)
    this.baseDirectory = run.baseDirectory
    this.approvedHosts = parts.approvedHosts
    this.echoService = parts.echoService
    this.secrets = parts.secrets
    this.clock = clock
  }

  get signal(): AbortSignal {
    return this.parts.execution.signal
  }

  get idempotencyKey(): string {
    const { storeId, run, record } = this.parts
    const { generation, path, nodeId } = record
    return idempotencyKeyOf({ storeId, runId: run.id, generation, nodeId, path })
  }

  get random(): Random {
    const { run, record } = this.parts
    this.seeded ??= createSeededRandom(`${run.seed}/${record.id}/${record.attempt}`)
    return this.seeded
  }
}
