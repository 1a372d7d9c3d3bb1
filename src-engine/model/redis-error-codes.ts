/** The error codes of the Redis store: each state of a server or a cluster has its own, for each asks for another remedy. */

import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'

export const redisErrorCatalogue = {
  redis_unreachable: entry(
    'The Redis server could not be reached.',
    'Check its address and the network, and that the server is running. Work goes on by itself once it answers.',
    true,
  ),
  redis_timeout: entry(
    'The Redis server did not answer in time.',
    'Look at its load and at the network. What was asked may have been done: it is looked up before it is repeated.',
    true,
  ),
  redis_loading: entry(
    'The Redis server is still reading its data from disk.',
    'Wait until it has loaded; work goes on by itself.',
    true,
  ),
  redis_cluster_down: entry(
    'The Redis Cluster does not serve all of its slots.',
    'Look at `CLUSTER INFO` on its nodes: a master is missing or a failover is under way. Work goes on by itself.',
    true,
  ),
  redis_slot_moving: entry(
    'A slot of the Redis Cluster was moved again and again while it was asked.',
    'Wait for the end of the resharding, or look at `CLUSTER NODES` for one that was left half done.',
    true,
  ),
  redis_read_only: entry(
    'The Redis server takes no writes.',
    'Look for a failover under way, a replica behind the given address, or too few replicas (min-replicas-to-write).',
    true,
  ),
  redis_out_of_memory: entry(
    'The Redis server has no memory left.',
    'Raise maxmemory, add masters, or have finished runs pruned sooner. Nothing was written halfway.',
    true,
  ),
  redis_auth_failed: entry(
    'The Redis server did not accept the user name or the password.',
    'Correct the credentials of the connection. After a rotation the new ones are read without a restart.',
  ),
  redis_not_permitted: entry(
    'The Redis user may not do what the store needs.',
    'Give the user the commands and the key pattern that `docs/redis.md` lists.',
  ),
  redis_tls_failed: entry(
    'The encrypted connection to the Redis server could not be made.',
    'Check the certificate, its authority (CA) and its dates. The store never falls back to plain text.',
  ),
  redis_tls_unanswered: entry(
    'The Redis server did not answer the encrypted greeting.',
    'Either it speaks no TLS at this address (try its TLS port, or connect without TLS), or it stands still. The store never falls back to plain text.',
    true,
  ),
  redis_too_old: entry('The Redis server is too old.', 'Use Redis 7.0 or newer.'),
  redis_may_evict: entry(
    'The Redis server may throw away data when its memory is full.',
    'Set `maxmemory-policy noeviction` on every master, then connect again.',
  ),
  redis_store_missing: entry(
    'The store that was there before is gone.',
    'The server was restarted without its data, or the cluster was made anew. Restore it from a backup, or open it as a new store on purpose.',
  ),
  redis_store_old: entry(
    'The store has the form of an older Sagasmith.',
    'Let that version finish its runs, or use another workspace, which the address names.',
  ),
  redis_store_other: entry(
    'Another store than expected is behind this address.',
    'Check the address and the prefix of the connection.',
  ),
  redis_no_replica: entry(
    'No replica could confirm a write.',
    'Give each master a replica; or leave out durability=safe, and the store runs in the fast mode, which may lose the last writes before a server is lost.',
  ),
  redis_unconfirmed: entry(
    'No replica confirmed the write in time.',
    'Look at the replicas of the master: in the safe mode a write counts only when one of them has it.',
    true,
  ),
  redis_contended: entry(
    'Others kept changing the same records first.',
    'Try again; if it stays so, spread the work over more runs.',
    true,
  ),
  redis_failed: entry(
    'The Redis server answered with an error that the store does not know.',
    'Look at its log and report the message with the details.',
    true,
  ),
} as const satisfies Record<string, ErrorEntry>
