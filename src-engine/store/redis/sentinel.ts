/**
 * The head of each partition: whose it is, and how far it has come. It is made once. One that is missing, or has
 * gone back, is never taken for a new store.
 */

import { SagasmithError } from '../../model/errors.ts'
import { firstPrevHash } from '../../model/event.ts'
import type { StoreId } from '../../model/ids.ts'
import { storeId } from '../../model/ids.ts'
import { isUnreachable } from './check-servers.ts'
import type { PartitionKeys } from './layout.ts'
import { layoutFormat, partitionKeys } from './layout.ts'
import type { RedisOptions } from './redis-options.ts'
import { commandMsDefault, partitionsDefault } from './redis-options.ts'
import type { Router } from './router.ts'
import { runScript, scriptOf } from './script.ts'

/** What the head of a partition says. */
export interface Head {
  readonly id: StoreId
  readonly epoch: number
  readonly seq: number
  readonly hash: string
  readonly format: number
  readonly partitions: number
  /** Whether every partition had its head once. */
  readonly made: boolean
}

const makeScript = scriptOf(`#!lua
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'epoch', 1, 'seq', 0, 'hash', ARGV[2], 'place', 0,
  'format', ARGV[3], 'partitions', ARGV[4])
return 1
`)

const fields = ['id', 'epoch', 'seq', 'hash', 'format', 'partitions', 'made'] as const

/** The head of a partition; null when there is none. */
export async function readHead(router: Router, keys: PartitionKeys): Promise<Head | null> {
  const answer = await router.ask(keys.slot, ['HMGET', keys.of('head'), ...fields])
  const [id, epoch, seq, hash, format, partitions, made] = answer as readonly (string | null)[]
  if (id === null || id === undefined) return null
  return {
    id: storeId(id),
    epoch: Number(epoch),
    seq: Number(seq),
    hash: hash ?? '',
    format: Number(format),
    partitions: Number(partitions),
    made: made === '1',
  }
}

/** The heads of all partitions; makes a store where there is none and never was one. */
export async function openHeads(
  router: Router,
  options: RedisOptions & { readonly prefix: string },
): Promise<readonly Head[]> {
  const home = partitionKeys(options.prefix, 0)
  let first = await readHead(router, home)
  if (first === null) {
    if (options.knownBefore === true) throw missing(home, options.storeId)
    await make(router, home, { id: options.storeId, partitions: options.partitions ?? partitionsDefault })
    first = await readHead(router, home)
  }
  if (first === null) throw missing(home, options.storeId)
  if (first.format > layoutFormat) {
    throw new SagasmithError('store_too_new', {
      message: `The Redis store ${options.prefix} has the form ${first.format}; this Sagasmith knows ${layoutFormat}.`,
    })
  }
  if (first.format < layoutFormat) {
    throw new SagasmithError('redis_store_old', {
      message: `The Redis store ${options.prefix} has the form ${first.format}; this Sagasmith needs ${layoutFormat}.`,
    })
  }
  const { id, partitions, made } = first
  const heads = await Promise.all(
    Array.from({ length: partitions }, async (_, partition) => {
      const keys = partitionKeys(options.prefix, partition)
      const mayBeAway = made && partition > 0 && options.opensPartly === true
      const known = mayBeAway ? await headInTime(router, keys, options) : await readHead(router, keys)
      // As somebody knows it who has not looked since the store was made: the next write learns where it is.
      if (known === 'away') return { ...first, epoch: 1, seq: 0, hash: firstPrevHash }
      if (known === null && made) throw missing(keys, id)
      // Whoever began to make the store may have been stopped halfway.
      if (known === null) await make(router, keys, { id, partitions })
      const head = known ?? (await readHead(router, keys))
      if (head === null) throw missing(keys, id)
      if (head.id !== id) throw another(keys, id, head.id)
      return head
    }),
  )
  if (!made) await router.ask(home.slot, ['HSET', home.of('head'), 'made', '1'])
  return heads
}

/** The head where the partition answers soon. */
async function headInTime(
  router: Router,
  keys: PartitionKeys,
  { clock, commandMs = commandMsDefault }: RedisOptions,
): Promise<Head | 'away' | null> {
  let cancel: () => void = () => undefined
  const late = new Promise<'away'>((resolve) => {
    cancel = clock.after(commandMs, () => resolve('away'))
  })
  const answer = readHead(router, keys).catch((thrown: unknown) => {
    if (isUnreachable(thrown)) return 'away' as const
    throw thrown
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    cancel()
    // What comes late is nobody's.
    answer.catch(() => undefined)
  }
}

async function make(
  router: Router,
  keys: PartitionKeys,
  { id, partitions }: { readonly id: StoreId; readonly partitions: number },
): Promise<void> {
  const args = [id, firstPrevHash, layoutFormat, partitions]
  await runScript(router, keys.slot, { script: makeScript, keys: [keys.of('head')], args })
}

/** Told when a partition that was there isn't. */
export const missing = ({ partition, of }: PartitionKeys, id: StoreId): SagasmithError =>
  new SagasmithError('redis_store_missing', {
    message: `Partition ${partition} of the store ${id} is gone: there is no ${of('head')}.`,
    details: { partition, storeId: id },
  })

/** Told when the partition is another store's. */
export const another = ({ partition }: PartitionKeys, expected: StoreId, found: string): SagasmithError =>
  new SagasmithError('redis_store_other', {
    message: `Partition ${partition} belongs to the store ${found}, not to ${expected}.`,
    details: { partition, expected, found },
  })
