/** A cluster that loses masters, moves slots and comes back: what was acknowledged is there, once. */

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { runId, storeId } from '../../src-engine/model/ids.ts'
import { partitionOf } from '../../src-engine/model/partition.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { ReplayReport } from '../../src-engine/store/redis/journal/journal-options.ts'
import type { RedisOptions, RedisRollback } from '../../src-engine/store/redis/redis-options.ts'
import { slotOf } from '../../src-engine/store/redis/slots.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { caughtUp, moveSlot, pairOf, promoted, settled } from '../support/redis-cluster.ts'
import type { RedisServers } from '../support/redis-servers.ts'
import { startRedisCluster, until } from '../support/redis-servers.ts'
import { everyEvent, verifyHistory } from './scene.ts'
import { aRun, movingRun, starting } from './story.ts'

let cluster: RedisServers
beforeAll(async () => {
  cluster = await startRedisCluster()
})
afterAll(() => cluster.stop())

const partitions = 6

function openOn(set: Partial<RedisOptions>): Promise<Store> {
  return storeCatalogue.redis({
    nodes: cluster.servers.map(({ host, port }) => ({ host, port })),
    prefix: `test-${randomUUID()}`,
    storeId: storeId('s'),
    partitions,
    clock: systemClock,
    writerId: randomUUID(),
    commandMs: 500,
    ...set,
  })
}

/** Writers that each move runs of their own, and what they were told. */
class Load {
  readonly acknowledged = new Map<RunId, number>()
  count = 0
  readonly refusals: string[] = []
  readonly errors = new Set<string>()
  readonly #store: Store
  #stopped = false
  readonly #writers: Promise<void>[]

  constructor(store: Store, writers: number) {
    this.#store = store
    this.#writers = Array.from({ length: writers }, (_, index) => this.#write(index))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#writers)
  }

  async #write(writer: number): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      let record = aRun({ name: `w${writer}-${turn}` })
      await this.#commit(starting(record), record.id)
      record = { ...record, status: 'RUNNING', startedAt: record.createdAt }
      for (const status of ['WAITING', 'RUNNING', 'PAUSED'] as const) {
        const move = movingRun(record, status)
        await this.#commit(move, record.id)
        record = move.writes.run as RunRecord
      }
    }
  }

  /** Asks until it is told: the same op-id, so that it is done once. */
  async #commit(checkpoint: ReturnType<typeof starting>, id: RunId): Promise<void> {
    for (;;) {
      try {
        const [answer] = await this.#store.commit(0, [checkpoint])
        if (answer?.kind === 'refused') this.refusals.push(JSON.stringify(answer))
        this.acknowledged.set(id, checkpoint.writes.run?.version ?? 0)
        this.count += 1
        return
      } catch (thrown) {
        if (!(thrown instanceof SagasmithError) || !thrown.retryable) throw thrown
        this.errors.add(thrown.code)
        await pause(5)
      }
    }
  }

  /** Until so many more were acknowledged: the load goes on whatever happened. */
  async goesOn(more = 100): Promise<void> {
    const goal = this.count + more
    await until('the load goes on', async () => this.count >= goal).catch((thrown: unknown) => {
      throw new Error(`It was told: ${[...this.errors].join(', ')}.`, { cause: thrown })
    })
  }
}

async function lostOf(store: Store, load: Load): Promise<readonly string[]> {
  const lost: string[] = []
  for (const [id, version] of load.acknowledged) {
    const found = (await store.load(0, 'run', { runId: id }))?.version ?? 0
    if (found < version) lost.push(`${id}: ${version} was acknowledged, ${found} is there`)
  }
  return lost
}

const slot = slotOf('p1')

test('safe mode loses nothing that was acknowledged, whatever a master does', async () => {
  const rollbacks: RedisRollback[] = []
  const store = await openOn({ durability: 'safe', onRollback: (lost) => rollbacks.push(lost) })
  const load = new Load(store, 8)
  await load.goesOn()
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    async 'a master is killed and comes back'() {
      const { master, replica } = await pairOf(cluster, slot)
      master.process.kill('SIGKILL')
      await promoted(replica)
      await master.restart()
    },
    async 'a master stands still for longer than the cluster waits'() {
      const { master } = await pairOf(cluster, slot)
      master.process.kill('SIGSTOP')
      await pause(3_500)
      master.process.kill('SIGCONT')
    },
    async 'a replica takes over in order'() {
      await (await pairOf(cluster, slot)).replica.admin.call('CLUSTER', 'FAILOVER')
    },
    async 'a replica takes over by force'() {
      await (await pairOf(cluster, slot)).replica.admin.call('CLUSTER', 'FAILOVER', 'FORCE')
    },
    async 'the scripts are forgotten'() {
      for (const { admin } of cluster.servers) await admin.script('FLUSH')
    },
    async 'a replica is lost and comes back'() {
      await (await pairOf(cluster, slot)).replica.restart()
    },
    'a slot moves to another master and back': moveSlotAndBack,
  }
  for (const [name, fault] of Object.entries(faults)) {
    await settled(cluster)
    await fault().catch((thrown: unknown) => {
      throw new Error(`${name}: ${String(thrown)}`)
    })
    await load.goesOn()
  }
  await settled(cluster)
  await load.goesOn()
  await load.stop()
  expect(load.refusals).toEqual([])
  expect(await lostOf(store, load)).toEqual([])
  expect(rollbacks).toEqual([])
  await verifyHistory(store)
  const opIds = (await everyEvent(store))
    .filter(({ body }) => body.type === 'run.changed')
    .map(({ opId }) => opId)
  expect(new Set(opIds).size).toBe(opIds.length)
  await store.close()
})

async function moveSlotAndBack(): Promise<void> {
  const { master: home } = await pairOf(cluster, slot)
  const away = (await pairOf(cluster, (slot + 8_192) % 16_384)).master
  await moveSlot(slot, { from: home, to: away })
  await moveSlot(slot, { from: away, to: home })
}

test('fast mode tells of every partition that lost something', async () => {
  const rollbacks: RedisRollback[] = []
  await settled(cluster)
  const store = await openOn({ durability: 'fast', onRollback: (lost) => rollbacks.push(lost) })
  const load = new Load(store, 8)
  await load.goesOn()
  await settled(cluster)
  const { replica } = await pairOf(cluster, slot)
  await replica.admin.call('CLUSTER', 'FAILOVER', 'TAKEOVER')
  await load.goesOn(400)
  await load.stop()
  const lost = await lostOf(store, load)
  expect(lost.length === 0 || rollbacks.length > 0).toBe(true)
  for (const partition of store.info.partitions) {
    const epoch = store.info.epochs[partition] ?? 0
    const told = rollbacks.some((rollback) => rollback.partition === partition)
    if (told) expect(epoch).toBeGreaterThan(1)
  }
  await store.close()
})

test('what failovers take in fast mode is brought back by who wrote it, and what is not is listed', async () => {
  const reports: ReplayReport[] = []
  const onReplayed = (report: ReplayReport): void => void reports.push(report)
  const journal = { directory: null, onReplayed, onTrouble: () => undefined }
  // A store that is made on a master which is being replaced is gone with it, and nobody works on what is gone.
  await settled(cluster)
  const store = await openOn({ durability: 'fast', journal })
  const load = new Load(store, 8)
  await load.goesOn()
  // What a failover takes is to be the last writes, not the store itself.
  await caughtUp(cluster)
  const faults: readonly (() => Promise<void>)[] = [
    async () => {
      await (await pairOf(cluster, slot)).replica.admin.call('CLUSTER', 'FAILOVER', 'TAKEOVER')
    },
    async () => {
      await (await pairOf(cluster, slot)).replica.admin.call('CLUSTER', 'FAILOVER', 'FORCE')
    },
    async () => {
      const { master } = await pairOf(cluster, slot)
      master.process.kill('SIGSTOP')
      await pause(3_500)
      master.process.kill('SIGCONT')
    },
  ]
  for (const fault of faults) {
    await settled(cluster)
    await fault()
    await load.goesOn(400)
  }
  await settled(cluster)
  await load.goesOn()
  await load.stop()
  const listed = new Set(reports.flatMap(({ gone }) => gone.map((lost) => lost.runId)))
  const unlisted = (await lostOf(store, load)).filter((text) => !listed.has(text.split(':')[0] ?? ''))
  expect(unlisted).toEqual([])
  for (const { lost, broughtBack, there, gone } of reports) {
    expect(broughtBack + there + gone.length).toBeLessThanOrEqual(lost)
  }
  await verifyHistory(store)
  await store.close()
})

test('without its replica safe mode confirms nothing, not even what is asked again', async () => {
  await settled(cluster)
  const store = await openOn({ durability: 'safe', commandMs: 400 })
  const { replica } = await pairOf(cluster, slot)
  const name = [...Array(64).keys()]
    .map((index) => `r${index}`)
    .find((id) => partitionOf(runId(id), partitions) === 1)
  const checkpoint = starting(aRun({ name: name ?? '' }))
  replica.process.kill('SIGSTOP')
  for (const _ of [1, 2]) {
    await expect(store.commit(0, [checkpoint])).rejects.toMatchObject({ code: 'redis_unconfirmed' })
  }
  // It can be read, and nobody may be told that it is there.
  const id = runId(name ?? '')
  expect(await store.load(0, 'run', { runId: id })).not.toBeNull()
  await expect(store.confirm?.(id)).rejects.toMatchObject({ code: 'redis_unconfirmed' })
  replica.process.kill('SIGCONT')
  await settled(cluster)
  const [answer] = await store.commit(0, [checkpoint])
  expect(answer).toEqual({ kind: 'repeated' })
  await store.confirm?.(id)
  await store.close()
})
