/** What can be asked and said about connections to clusters. */

import type { ErrorRecord } from '../model/errors.ts'
import type { FailoverSafety } from '../model/failover-safety.ts'
import type { SealView } from './sealing.ts'

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
      /** Whether its values are sealed, and with what. */
      readonly sealing: SealView
    }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
