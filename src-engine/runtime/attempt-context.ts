/** What a task gets to know and to use; what few kinds ask for is made when it is asked for. */

import { idempotencyKeyOf } from '../model/idempotency-key.ts'
import type { InvocationId, NodeId, RunId, StoreId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Clock, Random } from '../model/ports.ts'
import type { RunRecord } from '../model/run.ts'
import type { Millis } from '../model/time.ts'
import type { SideEffectClass } from '../model/workflow.ts'
import type { TaskContext } from '../tasks/task.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { Beats } from './beats.ts'
import type { Execution } from './execution.ts'
import type { UndoCall } from './saga/undo-call.ts'
import { createSeededRandom } from './seeded-random.ts'
import type { CallbackUrls } from './task-host.ts'

export interface AttemptContextParts {
  readonly storeId: StoreId
  readonly run: RunRecord
  readonly record: InvocationRecord
  readonly sideEffect: SideEffectClass
  readonly execution: Execution
  readonly log: AttemptLog
  /** Null for a node that may say nothing for as long as it likes. */
  readonly beats: Beats | null
  readonly clock: Clock
  readonly echoService: () => Promise<string>
  /** Null where nobody could listen for web calls. */
  readonly callbacks: CallbackUrls | null
  readonly approvedHosts: readonly string[]
  readonly approvedFolders: readonly string[] | null
  readonly killGraceMs: Millis
  readonly input: JsonValue
  readonly facts: JsonObject
  readonly vars: JsonObject
  readonly turn: TaskContext['turn']
  readonly results: TaskContext['results']
  readonly secrets: TaskContext['secrets']
  /** The key and variables of a compensation; null for a step. */
  readonly undo: UndoCall | null
}

/** There is one for every attempt, so it is one object: what a task doesn't ask for isn't made. */
export class AttemptContext implements TaskContext {
  // Not `#`: whoever wraps a context inherits from it.
  private readonly parts: AttemptContextParts
  private seeded: Random | null = null

  constructor(parts: AttemptContextParts) {
    this.parts = parts
  }

  get runId(): RunId {
    return this.parts.run.id
  }

  get invocationId(): InvocationId {
    return this.parts.record.id
  }

  get nodeId(): NodeId {
    return this.parts.record.nodeId
  }

  get sideEffect(): SideEffectClass {
    return this.parts.sideEffect
  }

  get attempt(): number {
    return this.parts.record.attempt
  }

  get input(): JsonValue {
    return this.parts.input
  }

  get run(): JsonObject {
    return this.parts.facts
  }

  get vars(): JsonObject {
    return this.parts.vars
  }

  get turn(): TaskContext['turn'] {
    return this.parts.turn
  }

  get results(): TaskContext['results'] {
    return this.parts.results
  }

  get killGraceMs(): Millis {
    return this.parts.killGraceMs
  }

  get baseDirectory(): string | null {
    return this.parts.run.baseDirectory
  }

  get approvedHosts(): readonly string[] {
    return this.parts.approvedHosts
  }

  get approvedFolders(): readonly string[] | null {
    return this.parts.approvedFolders
  }

  get allowedHosts(): readonly string[] | null {
    return this.parts.record.dispatch?.policy?.constraints?.hosts ?? null
  }

  get secrets(): TaskContext['secrets'] {
    return this.parts.secrets
  }

  get clock(): Clock {
    return this.parts.clock
  }

  // A task may take what it calls out of its context: these are functions, not methods.

  get beat(): TaskContext['beat'] {
    return () => this.parts.beats?.beat()
  }

  get log(): TaskContext['log'] {
    return (line) => {
      const { beats, log, clock } = this.parts
      beats?.beat()
      log.add({ at: clock.now(), ...line })
    }
  }

  get setPausable(): TaskContext['setPausable'] {
    return (program) => this.parts.execution.setPausable(program)
  }

  get echoService(): TaskContext['echoService'] {
    return () => this.parts.echoService()
  }

  get callbackUrl(): () => Promise<string | null> {
    return async () => this.parts.callbacks?.urlOf(this.parts.record.id) ?? null
  }

  get signal(): AbortSignal {
    return this.parts.execution.signal
  }

  get env(): TaskContext['env'] {
    return this.parts.undo?.env ?? null
  }

  get idempotencyKey(): string {
    const { storeId, run, record, undo } = this.parts
    if (undo !== null) return undo.idempotencyKey
    const { generation, path, nodeId } = record
    return idempotencyKeyOf({ storeId, runId: run.id, generation, nodeId, path })
  }

  get random(): Random {
    const { run, record } = this.parts
    this.seeded ??= createSeededRandom(`${run.seed}/${record.id}/${record.attempt}`)
    return this.seeded
  }
}
