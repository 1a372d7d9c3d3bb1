/** Where runs are done. */

import type { ClusterColour } from '../../src-engine/protocol/clusters.ts'

/** What of a cluster must be known before it answers. */
export interface SelectedCluster {
  readonly name: string
  readonly colour: ClusterColour
  readonly readOnly: boolean
}

/** A cluster; null for this computer. */
export type Site = SelectedCluster | null
