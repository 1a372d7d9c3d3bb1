/** How a Redis store is reached and opened. */

import type { FailoverSafety } from '../../model/failover-safety.ts'
import type { StoreId } from '../../model/ids.ts'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { JournalOptions } from './journal/journal-options.ts'

/** What the store needs of a clock. */
export type RedisClock = Pick<Clock, 'now' | 'after'>

export interface RedisAddress {
  readonly host: string
  readonly port: number
}

/** Who asks, and how the way is protected. */
export interface RedisAccess {
  /** Null for the default user. */
  readonly username: string | null
  /** Asked for with each new connection, so that a rotated one is used without a restart; null for none. */
  readonly password: () => Promise<string | null>
  /** Null for plain text. */
  readonly tls: RedisTls | null
}

export interface RedisTls {
  /** PEM of the authority that signs the servers' certificates; null for those that the system trusts. */
  readonly ca: string | null
  /** The name that the certificate must be for; null for the address itself. */
  readonly serverName: string | null
}

/** No user, no password, plain text: for the loopback. */
export const openAccess: RedisAccess = { username: null, password: async () => null, tls: null }

/** `safe`: a write counts when a replica has it. `fast`: the last ones before a failover may be lost. */
export type RedisDurability = 'safe' | 'fast'

/** `as-served`: safe where the servers have replicas, else fast; `safe` refuses servers that have none. */
export type DurabilityWish = RedisDurability | 'as-served'

export interface RedisOptions {
  /** Some nodes of the cluster, or the one server; the others are found through them. */
  readonly nodes: readonly RedisAddress[]
  readonly access?: RedisAccess
  /** Begins every key: several workspaces share a server. */
  readonly prefix?: string
  /** Of a store that is made; an existing one keeps its own. */
  readonly storeId: StoreId
  /** Partitions of a store that is made; an existing one keeps its own. */
  readonly partitions?: number
  /** Whether this workspace has opened the store before: then an empty server is refused. */
  readonly knownBefore?: boolean
  /** Whether it opens though some masters don't answer, which then aren't looked at: to look, not to work. */
  readonly opensPartly?: boolean
  /** Fast when absent. */
  readonly durability?: DurabilityWish
  readonly clock: RedisClock
  /** Told when a failover has lost writes that were seen: from the sequence number, back to the other. */
  readonly onRollback?: (lost: RedisRollback) => void
  /** Keeps the own operations until replicas have them, and brings back those that a failover takes; none when absent. */
  readonly journal?: JournalOptions
  /** Told when a master lost its last replica, or has one again. */
  readonly onSafety?: (safety: FailoverSafety) => void
  /** A text that no other opened store has: it marks this one's writes. */
  readonly writerId: string
  /** Whose clock leases are judged by: the server's when absent. `callers` is for time that is made up. */
  readonly leaseTime?: 'server' | 'callers'
  /** How long one command may take. */
  readonly commandMs?: Millis
  /** How long one call of the store may take, with all of its commands. */
  readonly callMs?: Millis
  /** How long a failover or a loading server is waited for before callers are told. */
  readonly patienceMs?: Millis
}

/** A partition that went back behind what was seen of it. */
export interface RedisRollback {
  readonly partition: number
  readonly from: number
  readonly to: number
}

/** Masters spread them; enough for many masters, few enough to ask them all. */
export const partitionsDefault = 64
/** A server that takes longer is not well: its answer is looked up instead of waited for. */
export const commandMsDefault: Millis = 2_000
/** Longer than a failover takes with a node timeout of some seconds. */
export const patienceMsDefault: Millis = 10_000
