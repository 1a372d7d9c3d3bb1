/** What can be asked and said about connections to clusters. */

import type { ErrorRecord } from '../model/errors.ts'
import type { FailoverSafety } from '../model/failover-safety.ts'

/** Bands that tell clusters apart at a glance. */
export const clusterColours = ['blue', 'green', 'amber', 'red', 'violet', 'grey'] as const
export type ClusterColour = (typeof clusterColours)[number]

/** A cluster under a name. */
export interface ClusterEntry {
  readonly name: string
  /** `redis://…`; never with a password. */
  readonly address: string
  readonly colour: ClusterColour
  /** Nothing can be started, changed or stopped through it. */
  readonly readOnly: boolean
}

/** Whether a cluster answers, and what is there; or in words why not. */
export type ClusterCheck =
  | {
      readonly kind: 'reached'
      readonly storeId: string
      /** What a failover may cost. */
      readonly safety: FailoverSafety | null
      readonly partitions: number
      readonly runners: number
      /** In words, what keeps this machine from its sealed values; null when it reads them, or none are sealed. */
      readonly sealed: string | null
    }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
