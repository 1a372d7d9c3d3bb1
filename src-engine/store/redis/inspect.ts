/** Looks at the servers of a store without changing or making anything: for whoever wants to know how they are. */

import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { parseClusterNodes } from './cluster-nodes.ts'
import { partitionKeys } from './layout.ts'
import { neededCommands } from './needed-commands.ts'
import type { RedisOptions } from './redis-options.ts'
import { commandMsDefault, openAccess, partitionsDefault } from './redis-options.ts'
import type { Router } from './router.ts'
import { openRouter } from './router.ts'
import type { Head } from './sentinel.ts'
import { readHead } from './sentinel.ts'

export interface InspectOptions extends Pick<RedisOptions, 'nodes' | 'access' | 'prefix'> {
  readonly clock: Pick<Clock, 'now' | 'after' | 'monotonic'>
}

/** A master as it is. */
export interface ServerState {
  readonly version: string
  readonly evictionPolicy: string
  readonly usedBytes: number
  /** 0 for no limit of its own. */
  readonly maxBytes: number
  readonly appendOnly: boolean
  /** Null when the user may not ask for it, which it needn't. */
  readonly appendFsync: string | null
  /** Whether the last write of the file or of a snapshot went well. */
  readonly diskIsWell: boolean
  readonly replicas: number
  /** By how much its clock is ahead of the one here, as far as the answer's way lets anybody tell. */
  readonly clockAheadMs: Millis
  readonly clockDoubtMs: Millis
  /** A script that does nothing, there and back: the middle one of several. */
  readonly scriptMs: Millis
  /** Rights that the user lacks. */
  readonly missingRights: readonly string[]
}

export type InspectedServer = { readonly address: string } & (
  | { readonly kind: 'answered'; readonly state: ServerState }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
)

/** Where a partition is, and how far it has come. */
export interface InspectedPartition {
  readonly partition: number
  readonly slot: number
  /** Null for a slot that nobody serves. */
  readonly address: string | null
  /** Null for one that isn't there; an error where it couldn't be read. */
  readonly head: Head | ErrorRecord | null
}

export interface Inspection {
  readonly isCluster: boolean
  readonly servers: readonly InspectedServer[]
  /** Masters that serve no slot; none when the user may not ask for them, which it needn't. */
  readonly idleMasters: readonly string[]
  /** Those of the store, or those that one would have that was made now. */
  readonly partitions: readonly InspectedPartition[]
}

/** Short: nobody waits here for a failover to end. */
const patienceMs: Millis = 2_000
const scriptRounds = 7

/** Throws `redis_…` when no node tells of the others. */
export async function inspectServers(options: InspectOptions): Promise<Inspection> {
  const { nodes, clock, access = openAccess, prefix = 'sagasmith' } = options
  const router = await openRouter({ nodes, access, clock, commandMs: commandMsDefault, patienceMs })
  try {
    const { isCluster, masters } = router.topology()
    const servers = await Promise.all(
      masters.map(async (address): Promise<InspectedServer> => {
        try {
          return { address, kind: 'answered', state: await stateOf(router, { address, prefix, clock }) }
        } catch (thrown) {
          return { address, kind: 'failed', error: recordOfThrown(thrown) }
        }
      }),
    )
    const idleMasters = isCluster ? await idleMastersOf(router) : []
    return { isCluster, servers, idleMasters, partitions: await inspectPartitions(router, prefix) }
  } finally {
    router.close()
  }
}

async function idleMastersOf(router: Router): Promise<readonly string[]> {
  const { masters } = router.topology()
  const [first = ''] = masters
  try {
    const nodes = parseClusterNodes(String(await router.askNode(first, ['CLUSTER', 'NODES'])), first)
    const known = nodes.filter(({ isMaster, isWell }) => isMaster && isWell).map(({ address }) => address)
    return known.filter((address) => !masters.includes(address))
  } catch {
    return []
  }
}

interface Asked {
  readonly address: string
  readonly prefix: string
  readonly clock: InspectOptions['clock']
}

async function stateOf(router: Router, asked: Asked): Promise<ServerState> {
  const { address } = asked
  const sections = ['server', 'memory', 'persistence', 'replication']
  const info = (await Promise.all(sections.map((one) => router.askNode(address, ['INFO', one])))).join('\n')
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? ''
  const wellWritten = ['aof_last_write_status', 'aof_last_bgrewrite_status', 'rdb_last_bgsave_status']
  return {
    version: field('redis_version'),
    evictionPolicy: field('maxmemory_policy'),
    usedBytes: Number(field('used_memory')),
    maxBytes: Number(field('maxmemory')),
    appendOnly: field('aof_enabled') === '1',
    appendFsync: await appendFsyncOf(router, address),
    diskIsWell: wellWritten.every((name) => field(name) !== 'err'),
    replicas: Number(field('connected_slaves')),
    ...(await clockOf(router, asked)),
    scriptMs: await scriptSpan(router, asked),
    missingRights: await missingRights(router, asked),
  }
}

async function appendFsyncOf(router: Router, address: string): Promise<string | null> {
  try {
    // The form of this answer is the protocol's.
    const [, value] = (await router.askNode(address, ['CONFIG', 'GET', 'appendfsync'])) as readonly string[]
    return value ?? null
  } catch {
    return null
  }
}

/** The server's instant lies somewhere between the question and its answer. */
async function clockOf(
  router: Router,
  { address, clock }: Asked,
): Promise<Pick<ServerState, 'clockAheadMs' | 'clockDoubtMs'>> {
  const before = clock.now()
  const [seconds, micros] = (await router.askNode(address, ['TIME'])) as readonly string[]
  const after = clock.now()
  const there = Number(seconds) * 1_000 + Number(micros) / 1_000
  return {
    clockAheadMs: Math.round(there - (before + after) / 2),
    clockDoubtMs: Math.ceil((after - before) / 2),
  }
}

async function scriptSpan(router: Router, { address, clock }: Asked): Promise<Millis> {
  const spans: Millis[] = []
  for (let round = 0; round < scriptRounds; round += 1) {
    const begun = clock.monotonic()
    await router.askNode(address, ['EVAL', 'return 1', 0])
    spans.push(clock.monotonic() - begun)
  }
  return spans.sort((a, b) => a - b)[Math.floor(scriptRounds / 2)] ?? 0
}

/** Answers the numbers of the commands that the user may not use; runs none of them. */
const rightsScript = `local lacking = {}
for index, text in ipairs(ARGV) do
  if not redis.acl_check_cmd(unpack(cjson.decode(text))) then lacking[#lacking + 1] = index end
end
return lacking`

async function missingRights(router: Router, { address, prefix }: Asked): Promise<readonly string[]> {
  const needed = neededCommands(prefix)
  const texts = needed.map(({ words }) => JSON.stringify(words))
  const lacking = (await router.askNode(address, ['EVAL', rightsScript, 0, ...texts])) as readonly number[]
  return lacking.map((number) => needed[number - 1]?.right ?? '')
}

async function inspectPartitions(router: Router, prefix: string): Promise<readonly InspectedPartition[]> {
  const look = async (partition: number): Promise<InspectedPartition> => {
    const keys = partitionKeys(prefix, partition)
    const address = router.topology().ownerOf(keys.slot)
    const head = await readHead(router, keys).catch(recordOfThrown)
    return { partition, slot: keys.slot, address, head }
  }
  const home = await look(0)
  const count = home.head !== null && 'partitions' in home.head ? home.head.partitions : partitionsDefault
  const others = await Promise.all(Array.from({ length: count - 1 }, (_, index) => look(index + 1)))
  return [home, ...others]
}
