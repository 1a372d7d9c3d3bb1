/**
 * Moves slots that hold partitions until every master has as many. Runs go on meanwhile: who asks a master for a
 * slot that it has given away is told where it is. One slot at a time, and the next only when a replica has it all.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Millis } from '../../model/time.ts'
import type { ClusterNode } from './cluster-nodes.ts'
import { parseClusterNodes } from './cluster-nodes.ts'
import type { InspectOptions } from './inspect.ts'
import { partitionKeys } from './layout.ts'
import { openAccess, partitionsDefault } from './redis-options.ts'
import type { Router } from './router.ts'
import { openRouter } from './router.ts'
import { readHead } from './sentinel.ts'
import type { PlacedSlot, SlotMove, Spread } from './spread.ts'
import { migrateMs, planMoves, spreadOf } from './spread.ts'

/** A slot to be moved, with all that its commands name. */
export interface RebalanceMove extends SlotMove {
  readonly fromId: string
  readonly toId: string
  /** Whether somebody began with it, and was stopped. */
  readonly isBegun: boolean
}

export interface RebalancePlan {
  readonly before: Spread
  readonly after: Spread
  readonly moves: readonly RebalanceMove[]
  /** Masters without a replica, where others have one: nothing is moved there, for nothing there would be safe. */
  readonly alone: readonly string[]
}

export interface Rebalancer {
  readonly plan: () => Promise<RebalancePlan>
  /** Moves one slot. Whatever stops it halfway, a later plan begins with it. */
  readonly move: (move: RebalanceMove) => Promise<MovedSlot>
  readonly close: () => void
}

/** How moving a slot went. */
export interface MovedSlot {
  readonly keys: number
  /** From its first step to its last: as long, at most, its partitions stood still. */
  readonly ms: Millis
}

/** Keys moved by one command: both masters stand still for it. */
const keysAtOnce = 100
const lookAgainMs: Millis = 50
/** For a node that joins, a failover, or a replica that has to catch up. */
const patienceMs: Millis = 60_000

/** Connects; needs a user that may administer the cluster. Throws `redis_…`. */
export async function openRebalancer(options: InspectOptions): Promise<Rebalancer> {
  const { nodes, clock, access = openAccess, prefix = 'sagasmith' } = options
  const commandMs = 2 * migrateMs
  const router = await openRouter({ nodes, access, clock, commandMs, patienceMs })
  const { isCluster } = router.topology()
  if (!isCluster) {
    router.close()
    throw new SagasmithError('bad_request', {
      message: 'This is a server alone: it has all partitions, and nobody to share them with.',
      hint: 'Partitions are spread over the masters of a Redis Cluster.',
      details: { usage: true },
    })
  }
  return {
    plan: () => planFor(router, prefix),
    async move(move) {
      const password = await access.password()
      await patiently(clock, () => mustServe(router, move.to))
      // Each of the commands may be repeated.
      const ask: AskNode = (address, command) => patiently(clock, () => router.askNode(address, command))
      const begun = clock.monotonic()
      const keys = await moveSlot(ask, move, authOf(access.username, password))
      const ms = Math.round(clock.monotonic() - begun)
      await replicated(router, move.to, clock)
      return { keys, ms }
    },
    close: router.close.bind(router),
  }
}

interface Master extends ClusterNode {
  readonly hasReplica: boolean
}

/**
 * The masters as each of them sees itself: only its own view has its open slots, and what others say of one that
 * has just become something else is late.
 */
async function mastersOf(router: Router): Promise<readonly Master[]> {
  const [first = ''] = router.topology().masters
  const known = (await nodesSeenBy(router, first)).filter(({ isMaster, isWell }) => isMaster && isWell)
  const masters = await Promise.all(
    known.map(async ({ id, address }) => {
      const [own] = (await nodesSeenBy(router, address)).filter((node) => node.id === id && node.isMaster)
      if (own === undefined) return []
      const info = String(await router.askNode(address, ['INFO', 'replication']))
      return [{ ...own, address, hasReplica: replicasIn(info).length > 0 }]
    }),
  )
  return masters.flat()
}

const nodesSeenBy = async (router: Router, address: string): Promise<readonly ClusterNode[]> =>
  parseClusterNodes(String(await router.askNode(address, ['CLUSTER', 'NODES'])), address)

/** How far each replica of a master has come. */
const replicasIn = (info: string): readonly number[] =>
  [...info.matchAll(/^slave\d+:.*state=online,offset=(\d+)/gm)].map(([, offset]) => Number(offset))

async function planFor(router: Router, prefix: string): Promise<RebalancePlan> {
  const masters = await mastersOf(router)
  const slots = placedSlots(await partitionCount(router, prefix), masters)
  // What such a master has already may stay there.
  const isReplicated = masters.some(({ hasReplica }) => hasReplica)
  const alone = isReplicated ? masters.filter(({ hasReplica }) => !hasReplica) : []
  const fit = masters.filter((master) => !alone.includes(master)).map(({ address }) => address)
  const begun = openMoves(slots, masters)
  const moved = slots.map((placed) => {
    const move = begun.find(({ slot }) => slot === placed.slot)
    return move === undefined ? placed : { ...placed, master: move.to }
  })
  const idOf = (address: string): string => masters.find((master) => master.address === address)?.id ?? ''
  const fresh = planMoves(moved, fit)
    .filter(({ slot }) => !begun.some((move) => move.slot === slot))
    .map((move) => ({ ...move, fromId: idOf(move.from), toId: idOf(move.to), isBegun: false }))
  const moves = [...begun, ...fresh]
  const all = masters.map(({ address }) => address)
  const toOf = new Map(moves.map(({ slot, to }) => [slot, to]))
  const after = slots.map((placed) => ({ ...placed, master: toOf.get(placed.slot) ?? placed.master }))
  return {
    before: spreadOf(slots, all),
    after: spreadOf(after, all),
    moves,
    alone: alone.map(({ address }) => address),
  }
}

async function partitionCount(router: Router, prefix: string): Promise<number> {
  const head = await readHead(router, partitionKeys(prefix, 0))
  return head?.partitions ?? partitionsDefault
}

function placedSlots(count: number, masters: readonly ClusterNode[]): readonly PlacedSlot[] {
  const partitions = Array.from({ length: count }, (_, partition) => partition)
  const bySlot = Map.groupBy(partitions, (partition) => partitionKeys('', partition).slot)
  return [...bySlot].map(([slot, own]) => ({
    slot,
    partitions: own,
    master: masters.find(({ serves }) => serves(slot))?.address ?? null,
  }))
}

/** What somebody began: whoever is told of by one of the two masters is the other one. */
function openMoves(slots: readonly PlacedSlot[], masters: readonly ClusterNode[]): readonly RebalanceMove[] {
  return slots.flatMap(({ slot, partitions }) => {
    // Two that claim it are about to agree.
    const [from, another] = masters.filter(({ serves }) => serves(slot))
    if (from === undefined || another !== undefined) return []
    const out = from.open.find((one) => one.slot === slot && one.way === 'out')
    const to =
      masters.find(({ id }) => id === out?.otherId) ??
      masters.find(({ id, open }) => id !== from.id && open.some((one) => one.slot === slot))
    if (to === undefined || to.id === from.id) return []
    return [
      { slot, partitions, from: from.address, to: to.address, fromId: from.id, toId: to.id, isBegun: true },
    ]
  })
}

/** For servers that ask each other for credentials too. */
const authOf = (username: string | null, password: string | null): readonly string[] => {
  if (password === null) return []
  return username === null ? ['AUTH', password] : ['AUTH2', username, password]
}

type AskNode = Router['askNode']

/** Tries again while a node is between two states, as one is that has just joined. */
async function patiently<Result>(
  clock: InspectOptions['clock'],
  attempt: () => Promise<Result>,
): Promise<Result> {
  const end = clock.monotonic() + patienceMs
  for (;;) {
    try {
      return await attempt()
    } catch (thrown) {
      if (!isPassing(thrown) || clock.monotonic() > end) throw thrown
      await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve))
    }
  }
}

/** `IOERR`: one of the two lost the other in the midst of a move. */
const isPassing = (thrown: unknown): boolean =>
  thrown instanceof SagasmithError && (thrown.retryable || thrown.message.includes('IOERR'))

/** Looked at before anything is begun: nobody can write to a partition whose slot is between two masters. */
async function mustServe(router: Router, address: string): Promise<void> {
  const info = String(await router.askNode(address, ['CLUSTER', 'INFO']))
  if (info.includes('cluster_state:ok')) return
  throw new SagasmithError('redis_cluster_down', { message: `${address} does not serve its cluster yet.` })
}

async function moveSlot(
  ask: AskNode,
  { slot, from, to, fromId, toId }: RebalanceMove,
  auth: readonly string[],
): Promise<number> {
  const end = to.lastIndexOf(':')
  const [host, port] = [to.slice(0, end), to.slice(end + 1)]
  await ask(to, ['CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId])
  await ask(from, ['CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId])
  let moved = 0
  for (;;) {
    const answer = await ask(from, ['CLUSTER', 'GETKEYSINSLOT', slot, keysAtOnce])
    // The form of this answer is the protocol's.
    const keys = answer as readonly string[]
    if (keys.length === 0) break
    // A key that whoever was stopped has copied and not yet deleted is the same one.
    const how = [migrateMs, 'REPLACE', ...auth, 'KEYS', ...keys]
    await ask(from, ['MIGRATE', host, port, '', 0, ...how])
    moved += keys.length
  }
  // The new owner first: between the two nobody may be without one.
  await ask(to, ['CLUSTER', 'SETSLOT', slot, 'NODE', toId])
  await ask(from, ['CLUSTER', 'SETSLOT', slot, 'NODE', toId])
  return moved
}

/** Waits until a replica of the master, if it has any, has all that it has now. */
async function replicated(router: Router, address: string, clock: InspectOptions['clock']): Promise<void> {
  const look = async () => {
    const info = String(await router.askNode(address, ['INFO', 'replication']))
    const own = Number(/^master_repl_offset:(\d+)/m.exec(info)?.[1] ?? 0)
    return { own, theirs: replicasIn(info) }
  }
  const { own, theirs } = await look()
  if (theirs.length === 0) return
  const end = clock.monotonic() + patienceMs
  for (;;) {
    const now = await look()
    if (now.theirs.some((offset) => offset >= own)) return
    if (clock.monotonic() > end) {
      throw new SagasmithError('redis_unconfirmed', {
        message: `The replica of ${address} does not keep up: the slot is there, and only there.`,
      })
    }
    await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve))
  }
}
