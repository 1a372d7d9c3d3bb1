/** A cluster with the user of the store, and how processes of a campaign open their store on it. */

import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeId } from '../../src-engine/model/ids.ts'
import type { Millis } from '../../src-engine/model/time.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { JournalOptions } from '../../src-engine/store/redis/journal/journal-options.ts'
import type {
  RedisAddress,
  RedisDurability,
  RedisRollback,
} from '../../src-engine/store/redis/redis-options.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { linesOf } from '../support/file-lines.ts'
import type { RedisCluster, RedisServers } from '../support/redis-servers.ts'
import { startRedisCluster, usersFile } from '../support/redis-servers.ts'

/** Of the campaign's store: enough for every master to have some. */
export const partitions = 12

/** What a process has to know; it is handed over as JSON. */
export interface ScenePlace {
  readonly directory: string
  readonly nodes: readonly RedisAddress[]
  readonly durability: RedisDurability
  /** How long a runner's claim outlasts its last sign of life. */
  readonly claimTtlMs: Millis
  /** How long a step takes. */
  readonly stepMs: Millis
}

const passwordFileOf = (directory: string): string => join(directory, 'password')

/** A new way to the store. The password is read anew for each connection, as a vault does it. */
export function openStoreAt(
  { directory, nodes, durability }: ScenePlace,
  onRollback: (lost: RedisRollback) => void = () => undefined,
): Promise<Store> {
  return storeCatalogue.redis({
    nodes,
    access: {
      username: 'sagasmith',
      password: async () => readFileSync(passwordFileOf(directory), 'utf8'),
      tls: null,
    },
    storeId: storeId('campaign'),
    partitions,
    durability,
    clock: systemClock,
    writerId: randomUUID(),
    onRollback,
    journal: journalAt(directory),
  })
}

const replaysFile = 'replays.jsonl'

/** As every process keeps one that writes to a cluster. What became of it is noted for all of them together. */
function journalAt(directory: string): JournalOptions {
  const note = (line: ReplayNote): void =>
    appendFileSync(join(directory, replaysFile), `${JSON.stringify(line)}\n`)
  return {
    directory: join(directory, 'journals'),
    onReplayed({ lost, broughtBack, there, gone }) {
      note({ lost, broughtBack, there, gone: gone.length, trouble: null })
    },
    onTrouble: (thrown) => note({ ...noReplay, trouble: String(thrown) }),
  }
}

interface ReplayNote extends Replayed {
  readonly trouble: string | null
}

/** Operations of all processes that failovers took back, and what became of them. */
export interface Replayed {
  readonly lost: number
  readonly broughtBack: number
  /** Somebody else had made them again already. */
  readonly there: number
  /** For good. */
  readonly gone: number
}

const noReplay: Replayed = { lost: 0, broughtBack: 0, there: 0, gone: 0 }

/** What all processes brought back, and what was wrong with their journals. */
export function readReplays(directory: string): {
  readonly replayed: Replayed
  readonly troubles: readonly string[]
} {
  const notes = [...linesOf(join(directory, replaysFile))].map((line) => JSON.parse(line) as ReplayNote)
  const sum = (count: (note: ReplayNote) => number): number =>
    notes.reduce((total, note) => total + count(note), 0)
  return {
    replayed: {
      lost: sum(({ lost }) => lost),
      broughtBack: sum(({ broughtBack }) => broughtBack),
      there: sum(({ there }) => there),
      gone: sum(({ gone }) => gone),
    },
    troubles: notes.flatMap(({ trouble }) => (trouble === null ? [] : [`a journal: ${trouble}`])),
  }
}

/** The rights that the documentation asks for, without the password. */
function documentedRights(): readonly string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/redis.md'), 'utf8')
  const rights = /ACL SETUSER sagasmith ([^`]*)/.exec(page)?.[1] ?? ''
  return rights
    .trim()
    .split(/\s+/)
    .filter((right) => !right.startsWith('>'))
}

/** Three masters and their replicas, persistent, with the user that the documentation describes. */
export async function startScene(directory: string, hosts: readonly string[] = []): Promise<RedisCluster> {
  const settings = { appendonly: 'yes', 'maxmemory-policy': 'noeviction', aclfile: usersFile }
  // A server that isn't on the loopback wants a password from its default user, unless it is told that its
  // network is its own.
  const open = hosts.length === 0 ? {} : { 'protected-mode': 'no' }
  const cluster = await startRedisCluster(3, { ...settings, ...open }, hosts)
  await rotatePassword(cluster, directory)
  return cluster
}

/**
 * What an operator does: the new password is good everywhere before the processes are told, and the old one
 * ends after; then every connection has to say who it is again.
 */
export async function rotatePassword({ servers }: RedisServers, directory: string): Promise<void> {
  const password = randomUUID()
  const rights = documentedRights()
  for (const { admin } of servers) {
    await admin.call('ACL', 'SETUSER', 'sagasmith', ...rights, `>${password}`)
  }
  writeFileSync(passwordFileOf(directory), password)
  for (const { admin } of servers) {
    await admin.call('ACL', 'SETUSER', 'sagasmith', 'resetpass', `>${password}`)
    await admin.call('ACL', 'SAVE')
    await admin.call('CLIENT', 'KILL', 'USER', 'sagasmith')
  }
}
