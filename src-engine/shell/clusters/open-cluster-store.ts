/** Opens the store of a cluster, with the password from the vault or the environment. */

import { readFile } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { FailoverSafety } from '../../model/failover-safety.ts'
import { safetyText } from '../../model/failover-safety.ts'
import { storeId } from '../../model/ids.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import { createSystemIds } from '../../runtime/system-ports.ts'
import { openForConnection } from '../../runtime/vault/connection-secret.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import { storeCatalogue } from '../../store/catalogue.ts'
import type { Inspection, InspectOptions } from '../../store/redis/inspect.ts'
import type { JournalOptions, ReplayReport } from '../../store/redis/journal/journal-options.ts'
import type { Rebalancer } from '../../store/redis/rebalance.ts'
import type { RedisOptions } from '../../store/redis/redis-options.ts'
import type { Store } from '../../store/store.ts'
import { fileError } from '../atomic-file.ts'
import type { LoadedSettings } from '../config.ts'
import type { DataDirectory } from '../data-directory.ts'
import { createDataDirectory } from '../data-directory.ts'
import type { ClusterAddress } from './cluster-address.ts'
import type { ClusterBook, MeantCluster } from './cluster-book.ts'
import { createClusterBook } from './cluster-book.ts'
import { journalOf } from './journal-reports.ts'

export interface ClusterAccess {
  readonly book: ClusterBook
  readonly vault: Vault
  /** The password that the environment gives; null when it gives none. */
  readonly password: string | null
  readonly clock: Clock
  readonly log: Logger
  /** Whether it is opened though a part of it doesn't answer. */
  readonly partly: boolean
}

/** What opening a cluster takes from the process that does it. */
export interface ClusterOpening {
  readonly settings: LoadedSettings
  /** Where the clusters that are known are noted. */
  readonly directory: DataDirectory
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
  /** Whether it keeps a journal of what it writes; who only looks writes nothing. True when absent. */
  readonly writes?: boolean
  /** Whether it is opened though a part of it doesn't answer: to look and to steer. Not when absent. */
  readonly partly?: boolean
  /** Told what became of operations that a failover took back. */
  readonly onReplayed?: (report: ReplayReport) => void
}

/** The servers that a name or an address means, as they are; nothing there is made or changed. */
export async function inspectCluster(opening: ClusterOpening, nameOrAddress: string): Promise<Inspection> {
  const { inspectServers } = await import('../../store/redis/inspect.ts')
  return inspectServers(await wayToServers(opening, nameOrAddress))
}

/** A way to even out where their partitions are. */
export async function rebalancerOf(opening: ClusterOpening, nameOrAddress: string): Promise<Rebalancer> {
  const { openRebalancer } = await import('../../store/redis/rebalance.ts')
  return openRebalancer(await wayToServers(opening, nameOrAddress))
}

async function wayToServers(
  { settings, directory, vault, clock }: ClusterOpening,
  nameOrAddress: string,
): Promise<InspectOptions> {
  const { redisPassword } = settings.values
  const password = redisPassword === '' ? null : redisPassword
  const { address } = await createClusterBook(directory.clusters).find(nameOrAddress)
  return { ...(await wayTo({ vault, password }, address)), clock }
}

/** The store that a name or an address means, for a command with these settings. */
export async function openCluster(opening: ClusterOpening, nameOrAddress: string): Promise<Store> {
  const { settings, directory, vault, clock, log } = opening
  const { redisPassword } = settings.values
  // Where it is noted which store was met.
  createDataDirectory(directory)
  const book = createClusterBook(directory.clusters)
  const password = redisPassword === '' ? null : redisPassword
  const meant = await book.find(nameOrAddress)
  const journal = opening.writes === false ? null : journalOf(opening)
  const access = { book, vault, password, clock, log, partly: opening.partly === true }
  return openClusterStore(access, meant, journal)
}

/**
 * The store behind an address. One that was met there before and is gone, or is another one now, is an error
 * and never a new beginning. Throws `redis_…`, `secret_…`, `vault_…`.
 */
async function openClusterStore(
  access: ClusterAccess,
  meant: MeantCluster,
  journal: JournalOptions | null,
): Promise<Store> {
  const { book, clock, log } = access
  const { address } = meant
  const met = await book.metStore(address)
  const ids = createSystemIds(clock)
  const store = await storeCatalogue.redis({
    ...(await wayTo(access, address)),
    durability: address.durability,
    opensPartly: access.partly,
    ...(address.partitions === null ? {} : { partitions: address.partitions }),
    storeId: met ?? storeId(`store_${ids.next()}`),
    knownBefore: met !== null,
    writerId: ids.next(),
    clock,
    ...(journal === null ? {} : { journal }),
    onSafety: (safety) => tellSafety(log, safety),
    onAway: (away) =>
      log.warn('store.partition-away', {
        ...away,
        words: `Partition ${away.partition} doesn’t answer: its runs stand still and are missing from lists.`,
      }),
    onBack: ({ partition, since }) =>
      log.warn('store.partition-back', { partition, awayMs: clock.now() - since }),
    onRollback: (lost) => log.error('store.rolled-back', { ...lost }),
  })
  try {
    const { id } = store.info
    if (met !== null && met !== id) {
      throw new SagasmithError('redis_store_other', {
        message: `The store ${met} was at ${meant.label}; now another one is there: ${id}.`,
        details: { expected: met, found: id },
      })
    }
    await book.noteStore(address, id)
    warnOfSafety(log, store)
    return store
  } catch (thrown) {
    await store.close()
    throw thrown
  }
}

/** Where the servers are, and who asks. */
async function wayTo(
  access: Pick<ClusterAccess, 'vault' | 'password'>,
  address: ClusterAddress,
): Promise<Pick<RedisOptions, 'nodes' | 'prefix' | 'access'>> {
  return {
    nodes: address.nodes,
    prefix: address.workspace,
    access: {
      username: address.username,
      password: () => passwordOf(access, address),
      tls: address.tls ? { ca: await authorityOf(address), serverName: null } : null,
    },
  }
}

/** What somebody could change about the servers; who asked for fast knows. */
function warnOfSafety(log: Logger, { info: { safety } }: Store): void {
  if (safety === null || safety.why === 'asked') return
  if (safety.alone.length > 0) log.warn('store.not-safe', { ...safety, words: safetyText(safety) })
}

/** A replica was lost, or came, while the store is open. */
function tellSafety(log: Logger, safety: FailoverSafety): void {
  const words = safetyText(safety)
  if (safety.mode === 'safe') {
    log.warn(safety.alone.length > 0 ? 'store.not-safe' : 'store.safe-again', { ...safety, words })
    return
  }
  const again = 'Servers have replicas now: start again, and writes count once a replica has them.'
  log.warn('store.could-be-safe', { ...safety, words: again })
}

async function passwordOf(
  { vault, password }: Pick<ClusterAccess, 'vault' | 'password'>,
  { passwordSecret, nodes }: ClusterAddress,
): Promise<string | null> {
  if (passwordSecret === null) return password
  // An address from anywhere must not talk any secret out of the vault.
  const hosts = nodes.map(({ host, port }) => ({
    hostname: host.includes(':') ? `[${host}]` : host,
    port: String(port),
  }))
  return openForConnection(vault, passwordSecret, { kind: 'cluster', hosts })
}

async function authorityOf({ caFile }: ClusterAddress): Promise<string | null> {
  if (caFile === null) return null
  try {
    return await readFile(caFile, 'utf8')
  } catch (cause) {
    throw fileError(caFile, cause)
  }
}
