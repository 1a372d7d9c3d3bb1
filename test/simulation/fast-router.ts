/** Answers the questions that a journal asks its servers. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import { packEvents } from '../../src-engine/model/event-codec.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { Router } from '../../src-engine/store/redis/router.ts'
import { opTagOf } from '../../src-engine/store/redis/tokens.ts'
import type { RedisCommand } from '../../src-engine/store/redis/wire-command.ts'
import type { Call } from './call.ts'
import type { FastPartitions } from './fast-partitions.ts'

/** Each partition has a server of its own. */
const addressOf = (partition: number): string => `server:${partition}`

export function createFastRouter(server: FastPartitions, call: Call): Router {
  const { partitions } = server.raw.info
  const bySlot = new Map(partitions.map((partition) => [server.at(partition).state.keys.slot, partition]))
  const ofSlot = (slot: number): number => bySlot.get(slot) ?? 0
  return {
    topology: () => ({ isCluster: true, masters: [], nodes: [], ownerOf: () => null }),
    ownerOf: (slot) => addressOf(ofSlot(slot)),
    ask: (slot, command) => call(false, async () => answerOf(server, ofSlot(slot), command)),
    askNode: (address) =>
      call(false, async () =>
        replicationText(server, partitions.find((one) => addressOf(one) === address) ?? 0),
      ),
    close: () => {},
  }
}

function answerOf(server: FastPartitions, partition: number, [name, ...args]: RedisCommand): unknown {
  const { master, boundaries, tokens, term } = server.at(partition)
  const [key = '', field = ''] = args.map(String)
  switch (name) {
    case 'HGETALL':
      return [...boundaries].flat()
    case 'HMGET':
      // Its servers open an epoch at once.
      return [String(server.epochOf(partition)), String(term)]
    case 'HGET':
      return tokens.get(`${key} ${field}`) ?? null
    case 'ZSCORE':
      return master.records.opIds.has(field as never) ? '1' : null
    case 'LRANGE':
      return groupsOf(server, partition, key.slice(key.indexOf(':g:') + 3) as RunId).map(
        ([first]) => `${first?.epoch}-${first?.seq} ${first === undefined ? '' : opTagOf(first.opId)}`,
      )
    case 'XRANGE':
      return [[field, ['b', textAt(server, partition, field)]]]
    default:
      throw new RangeError(`nobody answers ${name}`)
  }
}

/** A run's events by operation. */
function groupsOf(
  server: FastPartitions,
  partition: number,
  runId: RunId,
): readonly (readonly EngineEvent[])[] {
  const events = server.at(partition).master.records.events.filter((event) => event.runId === runId)
  return [...Map.groupBy(events, ({ opId }) => opId).values()]
}

function textAt(server: FastPartitions, partition: number, place: string): string {
  const { events } = server.at(partition).master.records
  const first = events.find(({ epoch, seq }) => `${epoch}-${seq}` === place)
  if (first === undefined) throw new RangeError(`there is no group at ${place}`)
  const { epoch, runId, at, opId, actor } = first
  return packEvents(
    { epoch, runId, at, opId, actor },
    events.filter((event) => event.opId === opId && event.runId === runId),
  )
}

function replicationText(server: FastPartitions, partition: number): string {
  const { term } = server.at(partition)
  return [
    'role:master',
    `slave0:ip=127.0.0.1,port=1,state=online,offset=${server.replicatedOf(partition)},lag=0`,
    `master_replid:${term}`,
    `master_repl_offset:${server.written(partition)}`,
  ].join('\n')
}
