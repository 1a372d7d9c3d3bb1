/**
 * The limit loops: what a Redis Cluster and Node allow in this harness, not what a product does. One script per
 * step stores its result and its history, ends its lease, and either leases the next step to the same worker
 * (sticky) or puts it into the partition's queue, where another script claims it. What is sent in one turn of
 * the event loop goes in one packet per master. No retries, expressions, events or checks.
 */

import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { slotOf } from '../../src-engine/store/redis/slots.ts'
import type { Subject } from '../subject.ts'
import type { OpenOnRedis, RedisTarget } from './target.ts'

/** KEYS: leases, results, history, runs, ready. ARGV: run, step that ended, its result, what it is, then what is next. */
const stepScript = `
local run, done, result, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if done ~= '' then
  redis.call('HSET', KEYS[2], done, result)
  redis.call('XADD', KEYS[3], '*', 'r', run, 's', done, 'b', result)
  redis.call('ZREM', KEYS[1], done)
end
if kind == 'branch' and redis.call('HINCRBY', KEYS[4], run, -1) > 0 then return 0 end
if kind == 'begin' then redis.call('HSET', KEYS[4], run, #ARGV - 5) end
if kind == 'end' then redis.call('HSET', KEYS[4], run, 'ended') end
local expires = redis.call('TIME')[1] + 30
for i = 6, #ARGV do
  if ARGV[5] == 'queue' then redis.call('RPUSH', KEYS[5], ARGV[i])
  else redis.call('ZADD', KEYS[1], expires, ARGV[i]) end
end
return 1`
const claimScript = `
local step = redis.call('LPOP', KEYS[5])
if step then redis.call('ZADD', KEYS[1], redis.call('TIME')[1] + 30, step) end
return step`
const result = JSON.stringify({
  ok: true,
  value: 'a result of the usual size, eighty-five bytes long with its frame',
})
const keyNames = ['leases', 'results', 'history', 'runs', 'ready']
const digestOf = (script: string): string => createHash('sha1').update(script).digest('hex')
const stepDigest = digestOf(stepScript)
const claimDigest = digestOf(claimScript)

type SlotRange = readonly [from: number, to: number, master: readonly [host: string, port: number]]

interface Partition {
  readonly client: Redis
  readonly keys: readonly string[]
}

/** The step that ended, what it means for its run, and what is next. */
interface Step {
  readonly run: string
  readonly done: string
  readonly kind: 'begin' | 'step' | 'branch' | 'end'
  readonly next: readonly string[]
}

class Ideal implements Subject {
  readonly #partitions: readonly Partition[]
  readonly #hand: 'queue' | 'sticky'
  /** Who waits for its step to be claimed. */
  readonly #unclaimed = new Map<string, () => void>()
  readonly #prefix: string
  #runs = 0

  constructor(partitions: readonly Partition[], hand: 'queue' | 'sticky', prefix: string) {
    this.#partitions = partitions
    this.#hand = hand
    this.#prefix = prefix
  }

  async chain(steps: number): Promise<void> {
    const { run, partition } = this.#newRun()
    await this.#take(partition, { run, done: '', kind: 'begin', next: [`${run}.0`] })
    for (let step = 1; step < steps; step += 1) {
      const next = [`${run}.${step}`]
      await this.#take(partition, { run, done: `${run}.${step - 1}`, kind: 'step', next })
    }
    await this.#take(partition, { run, done: `${run}.${steps - 1}`, kind: 'end', next: [] })
  }

  async fan(branches: number): Promise<void> {
    const { run, partition } = this.#newRun()
    const all = Array.from({ length: branches }, (_, index) => `${run}.${index}`)
    const join = `${run}.join`
    await this.#take(partition, { run, done: '', kind: 'begin', next: all })
    await Promise.all(all.map((done) => this.#take(partition, { run, done, kind: 'branch', next: [join] })))
    await this.#take(partition, { run, done: join, kind: 'end', next: [] })
  }

  async close(): Promise<void> {
    for (const client of new Set(this.#partitions.map((partition) => partition.client))) client.disconnect()
  }

  #newRun(): { readonly run: string; readonly partition: Partition } {
    this.#runs += 1
    const partition = this.#partitions[this.#runs % this.#partitions.length]
    if (partition === undefined) throw new Error('There is no partition.')
    return { run: `${this.#prefix}${this.#runs}`, partition }
  }

  /** Resolves when the step is recorded and what is next is leased. */
  async #take({ client, keys }: Partition, { run, done, kind, next }: Step): Promise<void> {
    const told = [run, done, result, kind, this.#hand, ...next]
    const isNext = (await client.evalsha(stepDigest, keys.length, ...keys, ...told)) === 1
    if (this.#hand === 'sticky' || !isNext) return
    const leased = next.map((step) => new Promise<void>((resolve) => this.#unclaimed.set(step, resolve)))
    for (const step of next) void this.#claim({ client, keys }, step)
    await Promise.all(leased)
  }

  async #claim({ client, keys }: Partition, instead: string): Promise<void> {
    const claimed = await client.evalsha(claimDigest, keys.length, ...keys)
    const step = typeof claimed === 'string' ? claimed : instead
    this.#unclaimed.get(step)?.()
    this.#unclaimed.delete(step)
  }
}

async function connect({ nodes, prefix, partitions }: RedisTarget): Promise<readonly Partition[]> {
  const [seed] = nodes
  if (seed === undefined) throw new Error('There is no server.')
  const first = new Redis({ ...seed, enableAutoPipelining: true })
  const clients = new Map<string, Redis>([[`${seed.host}:${seed.port}`, first]])
  const ranges = (await first.call('CLUSTER', 'SLOTS')) as readonly SlotRange[]
  const clientOf = async (slot: number): Promise<Redis> => {
    const range = ranges.find(([from, to]) => from <= slot && slot <= to)
    const [host, port] = range?.[2] ?? [seed.host, seed.port]
    const address = `${host}:${port}`
    const client = clients.get(address) ?? new Redis({ host, port, enableAutoPipelining: true })
    clients.set(address, client)
    await client.script('LOAD', stepScript)
    await client.script('LOAD', claimScript)
    return client
  }
  const made: Partition[] = []
  for (let index = 0; index < partitions; index += 1) {
    const tag = `p${index}`
    const keys = keyNames.map((name) => `${prefix}:{${tag}}:${name}`)
    made.push({ client: await clientOf(slotOf(tag)), keys })
  }
  return made
}

/** The loop that queues every step. */
export const openQueueLoop: OpenOnRedis = async (target) =>
  new Ideal(await connect(target), 'queue', target.prefix)

/** The loop whose steps stay where their run is. */
export const openStickyLoop: OpenOnRedis = async (target) =>
  new Ideal(await connect(target), 'sticky', target.prefix)
