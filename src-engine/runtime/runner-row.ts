/** What a runner writes about itself with each heartbeat. */

import type { ProcessIdentity, RunnerRecord } from '../model/runner.ts'
import { sealCapability } from '../model/seal.ts'
import type { Store } from '../store/store.ts'
import { capabilitiesOf } from './routing/capabilities.ts'
import type { LoadProbe } from './routing/load-gate.ts'
import type { Runner, RunnerDependencies } from './runner.ts'
import type { ToldSecrets } from './vault/told-secrets.ts'

/** What the row says beside what can be seen. */
export interface RunnerSelf {
  readonly process: ProcessIdentity
  readonly canRunAtomicService: boolean
  /** Null where nobody says. */
  readonly version: string | null
  readonly probe: LoadProbe
  /** Null for one that keeps them to itself. */
  readonly secrets: ToldSecrets | null
}

/** The row as it is whenever it is asked for. */
export function createRunnerRow(
  dependencies: RunnerDependencies,
  runner: Pick<Runner, 'drainingSince'>,
  self: RunnerSelf,
): () => RunnerRecord {
  const { clock, settings, slots, executions, executor, trust } = dependencies
  const startedAt = clock.now()
  const capabilities = capabilitiesOf(settings, executor.host)
  return () => ({
    id: dependencies.runnerId,
    process: self.process,
    startedAt,
    heartbeatAt: clock.now(),
    stoppedAt: null,
    pools: settings.pools,
    slots: slots.total,
    active: executions.all().length,
    labels: settings.labels,
    capabilities: withSealKey(capabilities, dependencies.store),
    canRunAtomicService: self.canRunAtomicService,
    parentId: null,
    ...self.probe(),
    drainingSince: runner.drainingSince(),
    ...(self.version === null ? {} : { version: self.version }),
    ...(trust === null ? {} : { trust: trust.told() }),
    ...(self.secrets === null ? {} : { secrets: self.secrets.told() }),
  })
}

/** Others see who has the key of a workspace that seals. */
function withSealKey(capabilities: readonly string[], { sealing }: Store): readonly string[] {
  const key = sealing?.keyId() ?? null
  return key === null ? capabilities : [...capabilities, sealCapability(key)]
}
