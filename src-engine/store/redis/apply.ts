/** Sends units to their partition and reads what became of each. */

import { SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import type { Millis } from '../../model/time.ts'
import { applyScript } from './apply-script.ts'
import type { PartitionState } from './partition-state.ts'
import { forget } from './partition-state.ts'
import type { RedisDurability, RedisRollback } from './redis-options.ts'
import type { Router } from './router.ts'
import { runScript, scriptOf } from './script.ts'
import { another, missing } from './sentinel.ts'
import type { Unit } from './unit.ts'
import { encodeUnits } from './unit.ts'

export type UnitAnswer =
  /** `fresh`: which of its permits weren't held before, by number from 1. */
  | { readonly kind: 'written'; readonly fresh: readonly number[] }
  /** These very writes are there already: an answer to them was lost. */
  | { readonly kind: 'there' }
  /** A record isn't what it was believed to be. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'no-room'; readonly key: string; readonly holders: readonly string[] }

export interface Applier {
  /** Null when the partition's epoch has changed: what was believed counts no more. */
  readonly apply: (state: PartitionState, units: readonly Unit[]) => Promise<readonly UnitAnswer[] | null>
}

export interface ApplierOptions {
  readonly router: Router
  readonly storeId: StoreId
  readonly durability: RedisDurability
  readonly commandMs: Millis
  /** Told when the partition has gone back behind what was seen of it: writes were lost. */
  /** Told after a call that wrote events: where the feed ended then, and how many of its events were these. */
  readonly onWritten: (partition: number, wrote: { readonly seq: number; readonly count: number }) => void
  readonly onEpoch: (partition: number, epoch: number) => void
  readonly onRollback: (lost: RedisRollback) => void
}

/** Opens a new epoch where the partition went back, unless somebody else has done it. */
const epochScript = scriptOf(`#!lua
local head = redis.call('HMGET', KEYS[1], 'id', 'epoch', 'seq')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] or head[3] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2] + 1, 'seq', 0)
return 1
`)

export function createApplier(options: ApplierOptions): Applier {
  return {
    async apply(state, units) {
      const answer = await send(options, state, units)
      if (answer[0] === 'gone') throw missing(state.keys, options.storeId)
      if (answer[0] === 'other') {
        await meetEpoch(options, state, answer)
        return null
      }
      const [, seq, , answers] = answer
      state.seq = Math.max(state.seq, seq)
      const read = answers.map(readAnswer)
      const count = eventsWritten(units, read)
      if (count > 0) options.onWritten(state.keys.partition, { seq, count })
      return read
    },
  }
}

function eventsWritten(units: readonly Unit[], answers: readonly UnitAnswer[]): number {
  let count = 0
  for (const [index, { parts }] of units.entries()) {
    if (answers[index]?.kind === 'written') for (const part of parts) count += part.count
  }
  return count
}

type Answer =
  | readonly ['gone']
  | readonly ['other', id: string, epoch: string, seq: string]
  | readonly [
      'done',
      seq: number,
      hash: string,
      answers: readonly (readonly [number, ...(readonly string[])])[],
    ]

async function send(
  { router, storeId, durability, commandMs }: ApplierOptions,
  state: PartitionState,
  units: readonly Unit[],
): Promise<Answer> {
  const { keys, args } = encodeUnits(units, state.keys)
  const all = [storeId, state.epoch, state.seq, state.keys.partition, ...args]
  const call = { keys, args: all, lane: 'write' } as const
  if (durability === 'fast') {
    // The script's own form.
    return (await runScript(router, state.keys.slot, applyScript, call)) as Answer
  }
  const waitMs = Math.max(1, Math.floor(commandMs / 2))
  let confirmed: Promise<unknown> = Promise.resolve(0)
  const then = {
    command: ['WAIT', 1, waitMs] as const,
    answered: (answer: Promise<unknown>) => {
      confirmed = answer
    },
  }
  const answer = (await runScript(router, state.keys.slot, applyScript, { ...call, then })) as Answer
  if (answer[0] === 'done' && Number(await confirmed.catch(() => 0)) < 1) {
    throw new SagasmithError('redis_unconfirmed', { details: { partition: state.keys.partition } })
  }
  return answer
}

/** Adopts the partition's epoch; where it went back behind what was seen, a new one begins first. */
async function meetEpoch(
  { router, storeId, onRollback, onEpoch }: ApplierOptions,
  state: PartitionState,
  [, id, epoch, seq]: readonly ['other', string, string, string],
): Promise<void> {
  if (id !== storeId) throw another(state.keys, storeId, id)
  forget(state)
  const found = { epoch: Number(epoch), seq: Number(seq) }
  if (found.epoch > state.epoch) {
    state.epoch = found.epoch
    state.seq = found.seq
    onEpoch(state.keys.partition, state.epoch)
    return
  }
  onRollback({ partition: state.keys.partition, from: state.seq, to: found.seq })
  const args = [storeId, epoch, seq]
  await runScript(router, state.keys.slot, epochScript, {
    keys: [state.keys.of('head')],
    args,
    lane: 'write',
  })
  // Whoever was first: the epoch after the one that lost something has begun.
  state.epoch = found.epoch + 1
  state.seq = 0
  onEpoch(state.keys.partition, state.epoch)
}

function readAnswer([code, ...rest]: readonly [number, ...(readonly string[])]): UnitAnswer {
  if (code === 1) return { kind: 'written', fresh: rest.map(Number) }
  if (code === 4) return { kind: 'there' }
  if (code === 2) return { kind: 'differs' }
  const [key = '', ...holders] = rest
  return { kind: 'no-room', key, holders }
}
