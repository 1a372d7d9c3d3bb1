/**
 * Forgets shapes that no work waits for any more. Whoever writes work of a shape that it knows doesn't tell the shape
 * again, so all who know one that goes have to hear of it: an epoch begins, and with it everybody forgets.
 */

import { createHash } from 'node:crypto'
import { packEvents } from '../../model/event-codec.ts'
import type { StoreId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import { anyNews } from '../hints.ts'
import { boundaryField } from './journal/boundaries.ts'
import { keyNames } from './layout.ts'
import type { PartitionReader } from './partition-reader.ts'
import type { PartitionState } from './partition-state.ts'
import type { RedisClock } from './redis-options.ts'
import type { Router } from './router.ts'
import { runScript, scriptOf } from './script.ts'

/** Each is asked for by every fetch: with fewer nobody minds. */
const shapesKept = 500
/** One call holds up everybody else of its node. */
const shapesAtOnce = 2_000

/**
 * KEYS: head, events, hints, news, shapes, then their queues. ARGV: store id, epoch, the new epoch, partition, digest
 * and text of the event, the field that keeps where it began, then the ids of the shapes. Answers how many went.
 */
const script = scriptOf(`#!lua
local head = redis.call('HMGET', KEYS[1], 'id', 'epoch', 'seq', 'hash')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then return 0 end
local removed = 0
for i = 6, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 0 then removed = removed + redis.call('HDEL', KEYS[5], ARGV[i + 2]) end
end
if removed == 0 then return 0 end
local place = ARGV[4] .. '.' .. ARGV[3] .. '.1'
local hash = redis.sha1hex(head[4] .. ' ' .. place .. '  ' .. ARGV[5])
redis.call('XADD', KEYS[2], ARGV[3] .. '-1', 'r', '', 'n', 1, 'p', head[4], 'b', ARGV[6])
redis.call('HSET', KEYS[1], 'epoch', ARGV[3], 'seq', 1, 'hash', hash, 'told', 1, ARGV[7], head[2] .. '-' .. head[3])
redis.call('SPUBLISH', KEYS[3], ARGV[3] .. ' 1 ${anyNews} ')
redis.call('SPUBLISH', KEYS[4], ARGV[3] .. ' 1 ${anyNews} ')
return removed
`)

interface PruneShapesParts {
  readonly router: Router
  readonly storeId: StoreId
  readonly clock: RedisClock
  readonly reader: PartitionReader
  readonly state: PartitionState
}

/** How many shapes went; none where there are few, or where another epoch has begun meanwhile. */
export async function pruneShapes(
  { router, storeId, clock, reader, state }: PruneShapesParts,
  kept = shapesKept,
): Promise<number> {
  const { keys, epoch } = state
  const shapes = keys.of(keyNames.shapes)
  if (Number(await reader.ask(['HLEN', shapes])) <= kept) return 0
  const all = (await reader.ask(['HKEYS', shapes])) as readonly string[]
  const ids = all.slice(0, shapesAtOnce)
  const next = epoch + 1
  const text = packEvents(
    {
      epoch: next,
      runId: null,
      at: clock.now(),
      opId: opId(`shapes:${keys.partition}:${next}`),
      actor: { kind: 'recovery', id: null },
    },
    [
      {
        runId: null,
        invocationId: null,
        cause: { kind: 'recovery', by: null, detail: null },
        body: {
          type: 'epoch.changed',
          from: epoch,
          to: next,
          reason: 'queues that were long empty went; nothing is lost',
        },
      },
    ],
  )
  const digest = createHash('sha256').update(text).digest('hex')
  const named = ['head', 'events', 'hints', 'news'].map((name) => keys.of(name))
  const answer = await runScript(router, keys.slot, {
    script,
    keys: [...named, shapes, ...ids.map((id) => keys.of(keyNames.queue(id)))],
    args: [storeId, epoch, next, keys.partition, digest, text, boundaryField(next), ...ids],
    lane: 'write',
  })
  return Number(answer)
}
