/** What a test knows about a cluster of its own, and how it has it change. */

import type { RedisServer, RedisServers, ServerPair } from './redis-servers.ts'
import { until } from './redis-servers.ts'

type SlotRange = readonly [from: number, to: number, ...nodes: (readonly [host: string, port: number])[]]

export const isRunning = ({ process }: RedisServer): boolean =>
  process.exitCode === null && process.signalCode === null

/** Which server serves a slot now, and which follows it; both are known to the others only after a while. */
export async function pairOf(cluster: RedisServers, slot: number): Promise<ServerPair> {
  let pair: ServerPair | null = null
  await until('the slot has a master and a replica', async () => {
    pair = await findPair(cluster, slot).catch(() => null)
    return pair !== null
  })
  return pair as unknown as ServerPair
}

async function findPair({ servers }: RedisServers, slot: number): Promise<ServerPair | null> {
  const slots = (await servers.find(isRunning)?.admin.call('CLUSTER', 'SLOTS')) as readonly SlotRange[]
  const [, , ...nodes] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [0, 0]
  const [master, replica] = nodes.map(([, port]) => servers.find((server) => server.port === port))
  return master === undefined || replica === undefined ? null : { master, replica }
}

/** Every master has a replica in step: what a fault does depends on it. */
export const settled = ({ servers }: RedisServers): Promise<void> =>
  until('the cluster is whole', async () => {
    const states = await Promise.all(
      servers.map(async ({ admin }) => {
        const [info, replication] = await Promise.all([
          admin.call('CLUSTER', 'INFO'),
          admin.info('replication'),
        ])
        const inStep =
          replication.includes('master_link_status:up') || replication.includes('connected_slaves:1')
        return String(info).includes('cluster_state:ok') && inStep
      }),
    ).catch(() => [false])
    return states.every(Boolean)
  })

/** Replicas have all that their masters have by now: on a busy machine they are behind by more than moments. */
export async function caughtUp({ servers }: RedisServers): Promise<void> {
  const offsets = new Map<number, number>()
  for (const { admin, port } of servers)
    offsets.set(port, numberIn(await admin.info('replication'), 'master_repl_offset'))
  await until('the replicas have it all', async () => {
    for (const { admin } of servers) {
      const told = await admin.info('replication')
      if (!told.includes('role:slave')) continue
      const wanted = offsets.get(numberIn(told, 'master_port')) ?? 0
      if (numberIn(told, 'slave_repl_offset') < wanted) return false
    }
    return true
  })
}

const numberIn = (told: string, name: string): number =>
  Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(told)?.[1])

/** Resolves when a server has become a master. */
export const promoted = ({ admin }: RedisServer): Promise<void> =>
  until('the replica takes over', async () =>
    (await admin.info('replication').catch(() => '')).includes('role:master'),
  )

/** Keys moved at once. */
const keysAtOnce = 20
const migrateMs = 5_000

/** Moves a slot with all its keys, as operators do, while others write to it. */
export async function moveSlot(
  slot: number,
  { from, to }: { readonly from: RedisServer; readonly to: RedisServer },
): Promise<void> {
  const idOf = async ({ admin }: RedisServer): Promise<string> => String(await admin.call('CLUSTER', 'MYID'))
  const [fromId, toId] = await Promise.all([idOf(from), idOf(to)])
  await to.admin.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId)
  await from.admin.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId)
  for (;;) {
    const keys = (await from.admin.call('CLUSTER', 'GETKEYSINSLOT', slot, keysAtOnce)) as readonly string[]
    if (keys.length === 0) break
    await from.admin.call('MIGRATE', to.host, to.port, '', 0, migrateMs, 'KEYS', ...keys)
  }
  await to.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId)
  await from.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId)
}
