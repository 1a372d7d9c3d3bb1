/** What teleport works with. */

import type { Clock, Logger } from '../../model/ports.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import type { Store } from '../../store/store.ts'
import type { ClusterDesk } from '../clusters/cluster-desk.ts'
import type { ClusterHost } from '../clusters/cluster-host.ts'
import type { LoadedSettings } from '../config.ts'
import type { Handlers } from '../handlers/contract.ts'
import type { PulledRuns } from './pulled-runs.ts'

export interface TeleportDeskParts {
  readonly settings: LoadedSettings
  readonly clusters: ClusterDesk
  readonly pulled: PulledRuns
  /** The runs of this machine. */
  readonly local: Pick<Store, 'info' | 'load' | 'commit' | 'putBlob'>
  /** The same with values as they are kept: what is sealed stays sealed. */
  readonly kept: Store
  readonly clock: Clock
  readonly log: Logger
  readonly vault: Pick<Vault, 'list'>
  /** The methods of this machine's engine. */
  readonly methodsHere: () => Handlers
  /** The methods of a cluster's engine, as far as the connection allows them. */
  readonly methodsOf: (host: ClusterHost) => Handlers
}
