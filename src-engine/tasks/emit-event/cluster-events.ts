/** Tells an event to a cluster; which clusters there are, the machine knows that works on the step. */

import type { JsonValue } from '../../model/json.ts'

/** An event for another place than the one where its run is. */
export interface ClusterEvent {
  /** The name of the connection. */
  readonly cluster: string
  readonly name: string
  readonly payload: JsonValue
  readonly correlation: string | null
  /** Only this run of that cluster; null for all that wait there. */
  readonly runId: string | null
  /** A repeat of it changes nothing there. */
  readonly messageId: string
}

/** `repeated` where the cluster had it before. */
export type ClusterEvents = (event: ClusterEvent) => Promise<'accepted' | 'repeated'>
