/** Stores with journals on a server that can be made to forget, as a failover does. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { JournalOptions, ReplayReport } from '../../src-engine/store/redis/journal/journal-options.ts'
import type { RedisClock } from '../../src-engine/store/redis/redis-options.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RedisServer } from '../support/redis-servers.ts'
import { startRedisServer } from '../support/redis-servers.ts'
import { accept, allEvents, theInvocation, theRun } from './scene.ts'
import { aClaim, anAttempt, anInvocation, aRun, byRunner, moving, starting } from './story.ts'

export async function aServer(): Promise<RedisServer> {
  const server = await startRedisServer()
  onTestFinished(server.kill)
  return server
}

export function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A store with a journal, and what it reports. */
export async function aStore(
  server: RedisServer,
  set: Partial<JournalOptions> | null = {},
  clock: RedisClock = systemClock,
) {
  const reports: ReplayReport[] = []
  const damages: unknown[] = []
  const troubles: unknown[] = []
  const store = await openRedisStore({
    nodes: [{ host: server.host, port: server.port }],
    storeId: storeId('s'),
    partitions: 2,
    clock,
    writerId: randomUUID(),
    ...(set === null
      ? {}
      : {
          journal: {
            directory: null,
            holdMs: 300,
            patienceMs: 1_000,
            onReplayed: (report) => reports.push(report),
            onTrouble: (thrown) => troubles.push(thrown),
            onDamage: (found) => damages.push(found),
            ...set,
          },
        }),
  })
  onTestFinished(() => store.close())
  return { store, reports, damages, troubles }
}

export type Copy = ReadonlyMap<string, Buffer>

/** All of a partition as it is now. */
export async function copyOf({ admin }: RedisServer, partition = 0): Promise<Copy> {
  const keys = await admin.keys(`sagasmith:{p${partition}}:*`)
  return new Map(await Promise.all(keys.map(async (key) => [key, await admin.dumpBuffer(key)] as const)))
}

/** The partition is what it was: a replica leads that had come no further. */
export async function goBack({ admin }: RedisServer, copy: Copy, partition = 0): Promise<void> {
  const keys = await admin.keys(`sagasmith:{p${partition}}:*`)
  const all = admin.multi()
  if (keys.length > 0) all.del(...keys)
  for (const [key, value] of copy) all.restore(key, 0, value)
  all.hset(`sagasmith:{p${partition}}:head`, 'line', randomUUID())
  await all.exec()
}

export const run = aRun()
export const step = anInvocation(run, 'n')
export const now = () => systemClock.now()

/** Claims the step for a runner of that name, begins and ends it; answers what each call wrote. */
export async function workOn(store: Store, name: string): Promise<void> {
  const { claimed } = await store.claim(aClaim(name, { now: now() }))
  expect(claimed).toHaveLength(1)
  await begin(store, name)
  await end(store, name)
}

export async function begin(store: Store, name: string): Promise<void> {
  await accept(store, moving(await theInvocation(store, step.id), ['RUNNING'], { actor: byRunner(name) }))
}

export async function end(store: Store, name: string): Promise<void> {
  const running = await theInvocation(store, step.id)
  await accept(store, moving(running, ['SUCCESS'], { actor: byRunner(name), attempt: anAttempt(running) }))
}

/** Everything of the run that doesn't depend on when it was written. */
export async function stateOf(store: Store) {
  const events = (await allEvents(store)).filter(({ body }) => body.type !== 'epoch.changed')
  return {
    run: await theRun(store, run.id),
    step: await theInvocation(store, step.id),
    attempts: await store.load(0, 'attempts', { runId: run.id, invocationId: null }),
    told: events.map(({ opId, body }) => ({ opId, body })),
  }
}

/** Any write: it meets the partition as it is. */
export const knock = (store: Store, name = 'knock') => accept(store, starting(aRun({ name })))
