/** The clusters of a data directory, for whoever manages them. */

import type { ClusterCheck, ClusterEntry } from '../../protocol/clusters.ts'

export interface Clusters {
  readonly list: () => Promise<readonly ClusterEntry[]>
  /** Adds a cluster, or changes the one of that name. Throws `cluster_address_invalid`, `bad_request`. */
  readonly put: (entry: ClusterEntry) => Promise<void>
  /** Throws `cluster_unknown`. */
  readonly remove: (name: string) => Promise<void>
  /** Tries to connect; what keeps it from that is the answer. Takes a name or an address. */
  readonly check: (nameOrAddress: string) => Promise<ClusterCheck>
}
