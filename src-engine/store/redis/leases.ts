/** Leases: renewed by one script with the runner's row; those that have run out, and what is due. */

import type { InvocationId, RunId, StoreId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import { compareDue, dueAnswer } from '../due.ts'
import type { DueAnswer, DueItem, RenewAnswer, RenewRequest, Store } from '../store.ts'
import { pairsOf } from './hash-answer.ts'
import type { PartitionKeys } from './layout.ts'
import { keyNames, runFields } from './layout.ts'
import type { LeaseTime } from './lease-time.ts'
import { luaAhead } from './lease-time.ts'
import type { PartitionReader, Scored } from './partition-reader.ts'
import type { Router } from './router.ts'
import { runScript, scriptOf } from './script.ts'
import { missing } from './sentinel.ts'
import { ownerOf } from './tokens.ts'

/**
 * KEYS: 1 head, 2 leases, 3 runners, then the runs. ARGV: store id, runner id, its row, new expiry, the caller's now,
 * then id, fence, number of the run's key and field of the token of each lease. A token ends with fence, whether a
 * cancel was asked for, runner.
 */
const renewScript = scriptOf(`#!lua
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return false end
local before = redis.call('HGET', KEYS[3], ARGV[2])
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local place = before and string.match(before, '^%d+') or string.format('%.0f', micros)
redis.call('HSET', KEYS[3], ARGV[2], place .. ' ' .. ARGV[3])
local lost, asked = {}, {}
local expires = string.format('%.0f', tonumber(ARGV[4]) + (${luaAhead('ARGV[5]')}))
for i = 6, #ARGV, 4 do
  local id, fence = ARGV[i], ARGV[i + 1]
  local token = redis.call('HGET', KEYS[tonumber(ARGV[i + 2])], ARGV[i + 3]) or ''
  local owner = string.match(token, '^%d+ %S+ (.+)$')
  if owner == fence .. ' 0 ' .. ARGV[2] or owner == fence .. ' 1 ' .. ARGV[2] then
    redis.call('ZADD', KEYS[2], expires, id)
    if owner == fence .. ' 1 ' .. ARGV[2] then asked[#asked + 1] = id end
  else lost[#lost + 1] = id end
end
return {lost, asked}
`)

/** What a renewal writes to: a partition of a store. */
export interface RenewTarget {
  readonly router: Router
  readonly keys: PartitionKeys
  readonly storeId: StoreId
  readonly time: LeaseTime
}

export async function renewLeases(
  { router, keys, storeId, time }: RenewTarget,
  request: Pick<RenewRequest, 'runner' | 'leases' | 'expiresAt'>,
): Promise<RenewAnswer> {
  const { runner, leases, expiresAt } = request
  const fixed = ['head', keyNames.leases, keyNames.runners].map((name) => keys.of(name))
  const runs = [...new Set(leases.map(({ invocationId }) => keys.run(runIdOf(invocationId))))]
  const numbers = new Map(runs.map((key, index) => [key, fixed.length + index + 1]))
  const fences = leases.flatMap(({ invocationId, fence }) => [
    invocationId,
    `${fence.epoch}.${fence.counter}`,
    numbers.get(keys.run(runIdOf(invocationId))) ?? 0,
    runFields.invocationToken(invocationId),
  ])
  const answer = await runScript(router, keys.slot, {
    script: renewScript,
    keys: [...fixed, ...runs],
    args: [storeId, runner.id, JSON.stringify(runner), expiresAt, time.now(), ...fences],
  })
  if (answer === null) throw missing(keys, storeId)
  // The script's own form.
  const [lost, cancelRequested] = answer as readonly [readonly InvocationId[], readonly InvocationId[]]
  return { lost, cancelRequested }
}

/** Owned invocations whose lease has run out or whose runner is dead, longest waiting first. */
export async function listExpired(
  reader: PartitionReader,
  { now, deadRunners, limit }: Parameters<Store['listExpired']>[0],
): Promise<readonly InvocationRecord[]> {
  const key = reader.keys.of('leases')
  const expired = await reader.scored(key, ['-inf', await reader.leaseNow(now), 'BYSCORE', 'LIMIT', 0, limit])
  const dead = deadRunners.length === 0 ? [] : await ownedBy(reader, new Set(deadRunners))
  const byId = new Map([...expired, ...dead].map((item) => [item.member, item]))
  const ids = [...byId.values()]
    .toSorted((a, b) => a.score - b.score || (a.member < b.member ? -1 : 1))
    .slice(0, limit)
    .map(({ member }) => member as InvocationId)
  return reader.invocations(ids)
}

async function ownedBy(
  reader: PartitionReader,
  runners: ReadonlySet<RunnerRecord['id']>,
): Promise<readonly Scored[]> {
  const leased = await reader.scored(reader.keys.of(keyNames.leases), [0, -1])
  const found = await reader.foundInvocations(
    leased.map(({ member }) => member as InvocationId),
    { leased: false },
  )
  const owned = new Set<string>(
    found
      .filter(({ token }) => runners.has(ownerOf(token) as RunnerRecord['id']))
      .map(({ record }) => record.id),
  )
  return leased.filter(({ member }) => owned.has(member))
}

const dueKinds = ['wake', 'run-deadline'] as const

/**
 * KEYS: sorted sets. ARGV: now, how many. Of each set what is due with its instants, and the first instant after; one
 * call, for every process asks each partition this once a second, mostly in vain.
 */
const dueScript = scriptOf(`#!lua flags=no-writes
local answer = {}
for i = 1, #KEYS do
  local due = redis.call('ZRANGE', KEYS[i], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
  local after = redis.call('ZRANGE', KEYS[i], '(' .. ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
  answer[i] = {due, after[2] or ''}
end
return answer
`)

export async function listDue(
  reader: PartitionReader,
  { now, limit }: Parameters<Store['listDue']>[0],
): Promise<DueAnswer> {
  const names = [...dueKinds.map((kind) => keyNames.due(kind)), keyNames.soon]
  const answer = await reader.script(dueScript, {
    keys: names.map((name) => reader.keys.of(name)),
    args: [now, limit + 1],
  })
  // The script's own form.
  const sets = answer as readonly (readonly [due: readonly string[], after: string])[]
  const due = dueKinds.flatMap((kind, index) =>
    pairsOf(sets[index]?.[0] ?? []).map(([member, score]) => dueItem(kind, { member, score: Number(score) })),
  )
  const known = sets.flatMap(([, after]) => (after === '' ? [] : [Number(after)]))
  const nextAt = known.length === 0 ? null : Math.min(...known)
  return dueAnswer(due.sort(compareDue), limit, nextAt)
}

function dueItem(kind: DueItem['kind'], { member, score: dueAt }: Scored): DueItem {
  // Members are ids of what the kind is about.
  if (kind === 'run-deadline') return { kind, runId: member as RunId, dueAt }
  const invocationId = member as InvocationId
  return { kind, runId: runIdOf(invocationId), invocationId, dueAt }
}
