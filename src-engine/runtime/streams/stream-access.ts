/** A stream of a Redis server as a trigger reads it: what its consumer group hands out and takes back. */

import type { Millis } from '../../model/time.ts'
import type { SecretGuard } from '../../tasks/task.ts'
import type { RedisStreamParameters } from '../../triggers/redis-stream/spec.ts'
import type { StreamEntry } from '../../triggers/redis-stream/stream-entry.ts'

/** Which stream, and what its workflow may reach. */
export interface StreamPlace {
  readonly parameters: RedisStreamParameters
  /** Empty for none. */
  readonly password: string
  /** Knows where the password may go; null for none. */
  readonly secrets: SecretGuard | null
  readonly approvedHosts: readonly string[]
  /** The only hosts that may be reached; null for all that those allow. */
  readonly allowedHosts: readonly string[] | null
}

/** Some of what was left, and where to go on. */
export interface ClaimedEntries {
  readonly entries: readonly StreamEntry[]
  /** `0-0` where nothing is left beyond them. */
  readonly next: string
}

/** A connection that is the reader of one group. */
export interface StreamConnection {
  /** Makes the group, and the stream with it; one that is there stays as it is. */
  readonly makeGroup: (startAt: string) => Promise<void>
  /** What nobody was handed yet; waits for the first one no longer than `waitMs`. */
  readonly read: (wanted: {
    readonly count: number
    readonly waitMs: Millis
  }) => Promise<readonly StreamEntry[]>
  /** What this reader was handed and hasn't acknowledged, from after an id on. */
  readonly own: (wanted: {
    readonly after: string
    readonly count: number
  }) => Promise<readonly StreamEntry[]>
  /** Takes over what another reader hasn't acknowledged for so long. */
  readonly claim: (wanted: {
    readonly idleMs: Millis
    readonly count: number
    readonly from: string
  }) => Promise<ClaimedEntries>
  readonly acknowledge: (ids: readonly string[]) => Promise<void>
  /** Ends it at once; what it was asked fails. */
  readonly close: () => void
}

export interface StreamAccess {
  /** Throws what keeps it from being read: the host, the password, the server. */
  readonly connect: (place: StreamPlace, signal: AbortSignal) => Promise<StreamConnection>
}
