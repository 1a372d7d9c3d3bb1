/** What operators of a cluster ask for, as they ask for it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { productVersion } from '../../src-engine/shell/product-version.ts'
import { parseMetrics } from '../engine/runtime/metrics/parse-metrics.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import type { RedisServers } from '../support/redis-servers.ts'
import { startRedis, startRedisCluster } from '../support/redis-servers.ts'
import { add, bound, chain, startRunner } from './runner-processes.ts'
import { sagasmith, startProgram } from './sagasmith.ts'

type Line = JsonObject & { readonly type: string }

interface Command {
  /** What it has said so far. */
  readonly lines: readonly Line[]
  readonly code: Promise<number | null>
}

function start(data: string, ...args: readonly string[]): Command {
  const child = startProgram([...args, '--json', '--data', data])
  const lines: Line[] = []
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const whole = (text + chunk.toString('utf8')).split('\n')
    text = whole.pop() ?? ''
    for (const line of whole) lines.push(JSON.parse(line) as Line)
  })
  return { lines, code: new Promise((settle) => child.on('close', settle)) }
}

const said = async (...call: Parameters<typeof sagasmith>) => (await sagasmith(...call)).lines

async function addressOf(started: Promise<RedisServers>): Promise<string> {
  const { servers, stop } = await started
  onTestFinished(stop)
  return `redis://${servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
}

test('a runner serves its metrics to who has the token, and to nobody else', async () => {
  const address = await addressOf(startRedis())
  const token = 'a-token-for-scrapers'
  const { lines } = await startRunner(address, ['--metrics-port', '0'], {
    SAGASMITH_DATA: temporaryFolder(),
    SAGASMITH_METRICS_TOKEN: token,
  })
  expect(lines[0]).toMatchObject({ safety: { mode: 'fast', why: 'no-replicas' } })
  const told = lines[0]?.['metricsUrl']
  const url = typeof told === 'string' ? told : ''
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  expect((await fetch(url)).status).toBe(401)
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
  const data = temporaryFolder()
  const file = join(data, 'one.json')
  writeFileSync(file, JSON.stringify(chain({ add: add() })))
  expect((await sagasmith(data, 'run', file, '--input', '1', '--store', address)).code).toBe(0)
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const { valueOf } = parseMetrics(await answer.text())
  expect(valueOf('sagasmith_store_info{kind="redis"}')).toBe(1)
  expect(valueOf('sagasmith_queue_depth{pool="default"}')).toBe(0)
  expect(valueOf('sagasmith_jobs_completed_total{status="SUCCESS"}')).toBe(1)
})

test('redis_password: the password of an address that names no secret', async () => {
  const { servers, stop } = await startRedis()
  onTestFinished(stop)
  const [server] = servers
  await server?.admin.acl('SETUSER', 'ada', 'on', '>right-horse', '~*', '&*', '+@all')
  const address = `redis://ada@${server?.host}:${server?.port}`
  const asked = async (password: string) => {
    vi.stubEnv('SAGASMITH_REDIS_PASSWORD', password)
    return said(temporaryFolder(), 'runs', 'list', '--cluster', address)
  }
  expect((await asked('wrong-horse')).at(-1)).toMatchObject({ error: { code: 'redis_auth_failed' } })
  const lines = await asked('right-horse')
  expect(lines.filter(({ type }) => type === 'error')).toEqual([])
  expect(JSON.stringify(lines)).not.toContain('horse')
})

test('metrics without a token are refused before the runner works', async () => {
  const { lines, code } = start(temporaryFolder(), 'runner', '--metrics-port', '0')
  expect(await code).toBe(2)
  expect(lines).toMatchObject([
    { type: 'error', error: { message: expect.stringContaining('token') as string } },
  ])
})

test('the doctor looks at a cluster, and slots are told by partition', async () => {
  const address = await addressOf(startRedisCluster())
  const data = temporaryFolder()
  const runner = await startRunner(address, [], { SAGASMITH_DATA: temporaryFolder() })
  const lines = await said(data, 'doctor', '--cluster', address)
  expect(lines.at(-1)).toEqual({ type: 'doctor.finished', failed: 0, ok: true })
  const message = (check: string) => lines.find((line) => line['check'] === check)?.['message']
  expect(message('servers')).toBe('a cluster of 3 masters')
  expect(message('safety')).toMatch(/^Safe: /)
  expect(message('runners')).toBe('1 alive, 0 fell silent')
  expect(message('work')).toBe('nothing waits')
  const slots = await said(data, 'clusters', 'slots', address)
  expect(slots).toHaveLength(64)
  expect(new Set(slots.map((line) => line['address'])).size).toBe(3)
  expect(runner.child.exitCode).toBeNull()
})

test('whoever starts a run where nobody works is told so, and goes on when somebody does', async () => {
  const address = await addressOf(startRedis())
  const data = temporaryFolder()
  const file = join(data, 'one.json')
  writeFileSync(file, JSON.stringify(chain({ add: add() })))
  const { lines, code } = start(data, 'run', file, '--input', '1', '--store', address)
  const told = () => lines.find(({ type }) => type === 'run.waiting')
  await expect.poll(told, bound).toMatchObject({
    code: 'no_workers',
    message: expect.stringMatching(/^No runner works for/) as string,
  })
  await startRunner(address, ['--pool', 'default,gpu', '--concurrency', '3'], {
    SAGASMITH_DATA: temporaryFolder(),
  })
  expect(await code).toBe(0)
  expect(lines.filter(({ type }) => type === 'run.waiting')).toHaveLength(1)
  expect(await said(data, 'clusters', 'test', address)).toMatchObject([
    {
      type: 'cluster.reached',
      safety: { mode: 'fast' },
      runners: 1,
      pools: [
        { pool: 'default', runners: 1, slots: 3 },
        { pool: 'gpu', runners: 1, slots: 3 },
      ],
      versions: [productVersion()],
    },
  ])
})
