/**
 * Epochs: after a failover that lost writes the same sequence numbers are given out again, and so would be the
 * same fences. Nobody may have seen what was lost, so each change of the server that leads begins an epoch: what
 * was seen of the one before and is not there any more can't be taken for what comes after. An event tells it.
 */

import { createHash } from 'node:crypto'
import { packEvents } from '../../model/event-codec.ts'
import type { StoreId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import { anyNews } from '../hints.ts'
import { boundaryField } from './journal/boundaries.ts'
import type { PartitionKeys } from './layout.ts'
import type { RedisClock } from './redis-options.ts'
import type { Router } from './router.ts'
import { runScript, scriptOf } from './script.ts'
import { luaLine } from './server-line.ts'

/**
 * KEYS: head, events, hints, news. ARGV: store id, epoch and sequence number that were found, the new epoch, partition,
 * digest and text of the event, the field that keeps where it began. Answers where the partition is, whoever opened the epoch.
 */
const epochScript = scriptOf(`#!lua
${luaLine}
local head = redis.call('HMGET', KEYS[1], 'id', 'epoch', 'seq', 'hash')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] or head[3] ~= ARGV[3] then return {head[2], head[3]} end
local place = ARGV[5] .. '.' .. ARGV[4] .. '.1'
local hash = redis.sha1hex(head[4] .. ' ' .. place .. '  ' .. ARGV[6])
redis.call('XADD', KEYS[2], ARGV[4] .. '-1', 'r', '', 'n', 1, 'p', head[4], 'b', ARGV[7])
redis.call('HSET', KEYS[1], 'epoch', ARGV[4], 'seq', 1, 'hash', hash, 'line', line, 'told', 1)
redis.call('HSET', KEYS[1], ARGV[8], ARGV[2] .. '-' .. ARGV[3])
redis.call('SPUBLISH', KEYS[3], ARGV[4] .. ' 1 ${anyNews} ')
redis.call('SPUBLISH', KEYS[4], ARGV[4] .. ' 1 ${anyNews} ')
return {ARGV[4], '1'}
`)

/** A place in a feed. */
export interface Reached {
  readonly epoch: number
  readonly seq: number
}

/** Opens the epoch after all that were seen; tells where the partition is then. */
export async function beginEpoch(
  target: { readonly router: Router; readonly storeId: StoreId; readonly clock: RedisClock },
  keys: PartitionKeys,
  { found, seen }: { readonly found: Reached; readonly seen: Reached },
): Promise<Reached> {
  const { router, storeId, clock } = target
  const epoch = Math.max(found.epoch, seen.epoch) + 1
  const isBehind = found.epoch < seen.epoch || found.seq < seen.seq
  const known = isBehind ? `, which was seen as far as ${seen.epoch}/${seen.seq}` : ', if anything was'
  const reason = `another server leads: lost is what was after ${found.epoch}/${found.seq}${known}`
  const group = {
    epoch,
    runId: null,
    at: clock.now(),
    opId: opId(`epoch:${keys.partition}:${epoch}`),
    actor: { kind: 'recovery', id: null },
  } as const
  const text = packEvents(group, [
    {
      runId: null,
      invocationId: null,
      cause: { kind: 'recovery', by: null, detail: null },
      body: { type: 'epoch.changed', from: found.epoch, to: epoch, reason },
    },
  ])
  const digest = createHash('sha256').update(text).digest('hex')
  const answer = await runScript(router, keys.slot, {
    script: epochScript,
    keys: [keys.of('head'), keys.of('events'), keys.of('hints'), keys.of('news')],
    args: [storeId, found.epoch, found.seq, epoch, keys.partition, digest, text, boundaryField(epoch)],
    lane: 'write',
  })
  // The script's own form.
  const [nowEpoch, nowSeq] = answer as readonly [string, string]
  return { epoch: Number(nowEpoch), seq: Number(nowSeq) }
}
