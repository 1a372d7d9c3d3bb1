/** One workflow that engines are killed under, with all that happens to its run beside the kills. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import type { EngineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { OperatorName } from './operators.ts'

export interface CrashScenario {
  readonly name: string
  readonly document: WorkflowDocument
  /** A step that never ends by itself: the run is cancelled as soon as it executes. */
  readonly cancelAt: string | null
  readonly status: RunStatus
  /** What its sub-workflows find by id. */
  readonly workflows?: Readonly<Record<string, WorkflowDocument>>
  /** Sent as soon as the run is accepted, by every engine anew. */
  readonly signals?: readonly {
    readonly messageId: string
    readonly name: string
    readonly payload: string
  }[]
  /** Whatever asks a person is approved, by every engine anew. */
  readonly approves?: true
  /** The same, and everything is rejected. */
  readonly rejects?: true
  /** A remote safety kernel that is away when an engine asks for the first time, and allows everything after that. */
  readonly kernel?: 'away at first'
  /** A step in whose midst the run is paused, and resumed once that is in effect. */
  readonly pauseAt?: string
  /** What people do each time that it has come to rest. */
  readonly operator?: OperatorName
  /** In effect before the run starts. */
  readonly policy?: JsonObject
  readonly outputPolicy?: JsonObject
  readonly settings?: Partial<EngineSettings>
}
