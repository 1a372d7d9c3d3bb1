/** What an engine is put together from. */

import type { Ids } from '../model/ports.ts'
import type { SourceProblem } from '../model/trigger.ts'
import type { ExpressionPreview } from '../protocol/expressions.ts'
import type { Admission } from './admission.ts'
import type { AtomicService } from './atomic-service/service.ts'
import type { Claimer } from './claimer.ts'
import type { Pauses } from './controls/pauses.ts'
import type { RunControls } from './controls/run-controls.ts'
import type { Signals } from './controls/signals.ts'
import type { Definitions } from './definitions.ts'
import type { Engine } from './engine.ts'
import type { EngineObserver } from './engine-observer.ts'
import type { FolderAccess } from './file-watch/folder-access.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { LiveLines } from './live-lines.ts'
import type { Locks } from './locks/locks.ts'
import type { Events } from './outbox/events.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Outputs } from './output-policy/outputs.ts'
import type { PayloadStore } from './payload-store.ts'
import type { PermitLines } from './permits/permit-lines.ts'
import type { TenantDesk } from './permits/tenant-desk.ts'
import type { Drains } from './pools/drains.ts'
import type { PoolDesk } from './pools/pool-desk.ts'
import type { TickLoop } from './reconciler/tick-loop.ts'
import type { Recoverer } from './recoverer.ts'
import type { RegistrySnapshot } from './routing/registry-snapshot.ts'
import type { RunnerBoard } from './routing/runner-board.ts'
import type { RunViews } from './run-views.ts'
import type { Runner, RunnerDependencies } from './runner.ts'
import type { RunStarter } from './starting/run-starter.ts'
import type { StreamAccess } from './streams/stream-access.ts'
import type { VersionPins } from './sub-workflows/version-pins.ts'
import type { Timers } from './timers.ts'
import type { Triggers } from './triggers/triggers.ts'

export type PreviewExpression = (
  preview: ExpressionPreview,
  engine: Engine,
) => ReturnType<Engine['previewExpression']>

export interface EngineParts {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly payloads: PayloadStore
  readonly live: LiveLines
  readonly runner: Runner
  readonly starter: RunStarter
  readonly claimer: Claimer
  readonly lines: PermitLines
  readonly heartbeat: Heartbeat
  readonly timers: Timers
  readonly recoverer: Recoverer
  /** Null for an engine that leaves the chores to others. */
  readonly chores: AtomicService | null
  readonly atomicService: Engine['atomicService']
  /** For what takes several commits and is done by one process at a time. */
  readonly locks: Locks
  /** What one process at a time does at an interval. */
  readonly ticks: readonly TickLoop[]
  /** The other runners, as this one knows them. */
  readonly board: RunnerBoard
  readonly snapshot: RegistrySnapshot
  /** Brings drains of pools to their end. */
  readonly drains: Drains
  readonly pools: PoolDesk
  readonly tenants: TenantDesk
  readonly pauses: Pauses
  readonly controls: RunControls
  readonly signals: Signals
  readonly views: RunViews
  readonly admission: Admission
  /** Binds workflows to the versions of those they start. */
  readonly pins: VersionPins
  /** What decisions mean for other runs. */
  readonly outbox: Outbox
  /** What judges results. */
  readonly outputs: Outputs
  readonly events: Events
  readonly triggers: Triggers
  readonly ids: Ids
  readonly preview: PreviewExpression
  readonly observer: EngineObserver
  readonly folderAccess: FolderAccess
  /** Why folders can't be watched, by the keys of their triggers: who watches writes it, the desk tells it. */
  readonly folderProblems: Map<string, SourceProblem>
  readonly streamAccess: StreamAccess
}
