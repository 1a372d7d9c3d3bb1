/** Where runs are done. */

import type { ClusterColour } from '../../src-engine/protocol/clusters.ts'
import { mockPlace } from '../../src-engine/protocol/mock-place.ts'

/** What of a cluster must be known before it answers. */
export interface SelectedCluster {
  readonly name: string
  readonly colour: ClusterColour
  readonly readOnly: boolean
}

/** Where everything outside is answered for by mocks, and nothing is kept. */
export const onMocks: SelectedCluster = { name: mockPlace, colour: 'grey', readOnly: false }

/** A cluster; null for this computer. */
export type Site = SelectedCluster | null
