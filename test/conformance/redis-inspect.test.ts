/** What is wrong with servers is found, named, and comes with what to do about it. */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { Finding } from '../../src-engine/shell/commands/doctor-finding.ts'
import { serverFindings } from '../../src-engine/shell/commands/doctor-servers.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { Inspection, InspectOptions } from '../../src-engine/store/redis/inspect.ts'
import { inspectServers } from '../../src-engine/store/redis/inspect.ts'
import { neededCommands } from '../../src-engine/store/redis/needed-commands.ts'
import { slotOf } from '../../src-engine/store/redis/slots.ts'
import { moveSlot } from '../support/redis-cluster.ts'
import type { RedisServer, RedisServers } from '../support/redis-servers.ts'
import { freePort, startRedisServer } from '../support/redis-servers.ts'
import { redisServers } from './redis-stores.ts'

const { cluster } = redisServers()

async function aServer(): Promise<RedisServer> {
  const server = await startRedisServer()
  onTestFinished(server.kill)
  return server
}

const nodesOf = ({ servers }: Pick<RedisServers, 'servers'>) =>
  servers.map(({ host, port }) => ({ host, port }))

const look = (servers: readonly RedisServer[], more: Partial<InspectOptions> = {}): Promise<Inspection> =>
  inspectServers({ nodes: nodesOf({ servers }), clock: systemClock, ...more })

async function makeStore(servers: readonly RedisServer[], prefix: string): Promise<void> {
  const store = await storeCatalogue.redis({
    nodes: nodesOf({ servers }),
    prefix,
    storeId: storeId(prefix),
    clock: systemClock,
    writerId: randomUUID(),
  })
  await store.close()
}

/** The one finding of a check, whatever the server's address before it. */
function about(inspection: Inspection, check: string): Finding | undefined {
  return serverFindings(inspection).find((finding) => finding.check.endsWith(check))
}

/** The same, had a script taken so long there and back on each of its servers: how long it does is the machine's doing. */
const hadTaken = (scriptMs: number, inspection: Inspection): Inspection => ({
  ...inspection,
  servers: inspection.servers.map((server) =>
    server.kind === 'answered' ? { ...server, state: { ...server.state, scriptMs } } : server,
  ),
})

const wrong = (inspection: Inspection): readonly string[] =>
  serverFindings(inspection)
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ check, message }) => `${check}: ${message}`)

test('a cluster as it should be gives nothing to do', async () => {
  const { servers } = await cluster()
  for (const { admin } of servers) {
    await admin.config('SET', 'appendonly', 'yes')
    await admin.config('SET', 'maxmemory', '1gb')
  }
  const prefix = `look-${randomUUID()}`
  await makeStore(servers, prefix)
  const inspection = await look(servers, { prefix })
  expect(wrong(hadTaken(20, inspection))).toEqual([])
  expect(about(hadTaken(20.1, inspection), 'script')).toMatchObject({
    verdict: 'warn',
    message: 'a script takes 20.1 ms, there and back',
  })
  expect(about(inspection, 'servers')?.message).toBe('a cluster of 3 masters')
  expect(about(inspection, 'disk')?.message).toBe('appendonly yes, appendfsync everysec')
  expect(about(inspection, 'heads')?.message).toContain('all 64 partitions')
})

test('partitions are found where their slots are, also after a slot has moved', async () => {
  const { servers } = await cluster()
  const [first, second] = servers
  if (first === undefined || second === undefined) throw new Error('the cluster has three masters')
  const placeOf = async (partition: number) => (await look(servers)).partitions[partition]
  const slot = slotOf('p0')
  const before = await placeOf(0)
  const from = servers.find(({ port }) => before?.address?.endsWith(`:${port}`)) ?? first
  const to = from === first ? second : first
  await moveSlot(slot, { from, to })
  expect(before).toMatchObject({ partition: 0, slot })
  await expect.poll(async () => (await placeOf(0))?.address).toBe(`127.0.0.1:${to.port}`)
})

test('what a server lacks is named, with what to do', async () => {
  const server = await aServer()
  await server.admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
  const inspection = await look([server])
  expect(about(inspection, 'memory')).toMatchObject({
    verdict: 'fail',
    hint: expect.stringContaining('noev') as string,
  })
  expect(about(inspection, 'disk')).toMatchObject({ verdict: 'warn', hint: 'Set appendonly yes.' })
  expect(about(inspection, 'replicas')).toMatchObject({ verdict: 'warn' })
  expect(about(inspection, 'heads')?.message).toBe('there is no store yet')
  expect(await server.admin.dbsize(), 'looking makes nothing').toBe(0)
})

test('a partition that is gone fails, and is named', async () => {
  const server = await aServer()
  await makeStore([server], 'gone')
  await server.admin.del('gone:{p7}:head')
  expect(about(await look([server], { prefix: 'gone' }), 'heads')).toMatchObject({
    verdict: 'fail',
    message: expect.stringMatching(/^partition 7 of the store/) as string,
  })
})

test('the documented rights are all there is to ask for; each that lacks is named', async () => {
  const rights = /ACL SETUSER sagasmith ([^`]*)/.exec(readFileSync('docs/redis.md', 'utf8'))?.[1] ?? ''
  const given = rights.trim().split(/\s+/)
  const connecting = ['+auth', '+hello', '+select']
  const documented = given.filter((word) => word.startsWith('+') && !connecting.includes(word)).sort()
  expect(documented).toEqual(
    neededCommands('sagasmith')
      .map(({ right }) => `+${right}`)
      .sort(),
  )
  const server = await aServer()
  await server.admin.call('ACL', 'SETUSER', 'sagasmith', ...given)
  const access = { username: 'sagasmith', password: async () => 'PASSWORD', tls: null }
  const all = await look([server], { access })
  expect(about(all, 'rights')?.message).toBe('the user may do all that is needed')
  expect(about(all, 'disk')?.message, 'it may not read the configuration').not.toContain('everysec')
  await server.admin.call('ACL', 'SETUSER', 'sagasmith', '-zadd', '-xadd')
  expect(about(await look([server], { access }), 'rights')).toMatchObject({
    verdict: 'fail',
    message: 'the user may not do zadd, xadd',
  })
})

test('servers that start together have ports of their own, none of those that whoever connects is given', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()))
  expect(new Set(ports).size).toBe(ports.length)
  expect(Math.max(...ports) + 10_000).toBeLessThan(32_768)
})
