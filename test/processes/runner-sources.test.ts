/** Runners of a cluster that listen for web calls and watch folders: one run per message and per file. */

import { createHmac } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { freePort, startRedisCluster } from '../support/redis-servers.ts'
import { openLook } from './cluster-look.ts'
import type { RunnerProcess } from './runner-processes.ts'
import { bound, boundOfLists, startRunner } from './runner-processes.ts'
import { sagasmithGiven } from './sagasmith.ts'

const secret = 'a long enough secret'
const shared = Buffer.alloc(32, 7).toString('base64')

async function newCluster(): Promise<string> {
  const cluster = await startRedisCluster()
  onTestFinished(cluster.stop)
  return `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
}

/** What each process on the cluster is told. */
function surroundings(data: string, port: number): Readonly<Record<string, string>> {
  return { SAGASMITH_DATA: data, SAGASMITH_WEBHOOK_KEY: shared, SAGASMITH_WEBHOOK_PORT: String(port) }
}

async function push(data: string, address: string, triggers: JsonObject): Promise<void> {
  const file = join(data, 'sources.json')
  writeFileSync(file, JSON.stringify(documentOf({ nodes: { a: { kind: 'noop' } }, triggers })))
  const said = await sagasmithGiven(data, ['push', file, '--cluster', address, '--yes'])
  expect(said.code, said.text).toBe(0)
}

const saidLast = ({ lines }: RunnerProcess): JsonObject | undefined =>
  lines.findLast(({ type }) => type === 'runner.webhooks')

/** A call as GitHub signs it; the same body is the same message. */
async function call(
  url: string,
  body: string,
): Promise<{ readonly status: number; readonly said: JsonObject }> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  })
  return { status: response.status, said: (await response.json()) as JsonObject }
}

test('two runners serve the webhooks of a cluster: a message is one run, and the second takes over a port', async () => {
  const address = await newCluster()
  const data = temporaryFolder()
  const settings = loadSettings({ flags: { data }, environment: {} }).values
  await openVault({ directory: dataDirectory(data), settings, clock: systemClock }).set({
    name: 'hooks',
    value: secret,
    nodes: null,
  })
  const [here, there] = [await freePort(), await freePort()]
  const [first, other, second] = await Promise.all([
    startRunner(address, ['--webhooks'], surroundings(data, here)),
    startRunner(address, ['--webhooks'], surroundings(data, there)),
    startRunner(address, ['--webhooks'], surroundings(data, here)),
  ])
  for (const one of [first, other, second]) {
    await expect.poll(() => saidLast(one)?.['kind'], bound).toBe('off')
  }
  const auth = { kind: 'github', secret: 'hooks', previousSecret: '' }
  await push(data, address, { hook: { kind: 'webhook', parameters: { path: 'orders', auth } } })
  await expect.poll(() => saidLast(other)?.['kind'], bound).toBe('listening')
  const pair = () => new Set([saidLast(first)?.['kind'], saidLast(second)?.['kind']])
  await expect.poll(pair, bound).toEqual(new Set(['failed', 'listening']))
  const waiting = saidLast(first)?.['kind'] === 'failed' ? first : second
  expect(saidLast(waiting)).toMatchObject({ code: 'webhook_port_refused' })
  const { lines } = await sagasmithGiven(data, ['webhooks', '--cluster', address], {
    environment: surroundings(data, here),
  })
  const { url = '' } = lines[0] as { readonly url?: string }
  expect(new URL(url).port).toBe(String(here))
  const elsewhere = url.replace(`:${here}`, `:${there}`)
  const answers = await Promise.all([url, elsewhere, url, elsewhere].map((to) => call(to, '{"order":7}')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 202])
  expect(new Set(answers.map(({ said }) => said['runId'])).size).toBe(1)
  const serving = waiting === first ? second : first
  serving.child.kill('SIGKILL')
  await expect.poll(() => saidLast(waiting)?.['kind'], bound).toBe('listening')
  expect((await call(url, '{"order":7}')).status).toBe(200)
  expect((await call(url, '{"order":8}')).status).toBe(202)
  const list = await openLook(data, address)
  expect(await list()).toHaveLength(2)
})

test('two runners watch one folder of a cluster’s trigger: each file is one run, also when one dies', async () => {
  const address = await newCluster()
  const data = temporaryFolder()
  const folder = join(data, 'in')
  mkdirSync(folder)
  const [first, second] = await Promise.all(
    [1, 2].map(() => startRunner(address, ['--folders'], surroundings(data, 0))),
  )
  await push(data, address, {
    files: { kind: 'file-watch', parameters: { folder, initialScan: true, settleMs: 0 } },
  })
  const list = await openLook(data, address)
  for (let file = 0; file < 8; file += 1) writeFileSync(join(folder, `a${file}`), 'x')
  await expect.poll(list, boundOfLists).toHaveLength(8)
  first?.child.kill('SIGKILL')
  for (let file = 0; file < 4; file += 1) writeFileSync(join(folder, `b${file}`), 'x')
  await expect.poll(list, boundOfLists).toHaveLength(12)
  expect(second?.lines.map(({ type }) => type)).toEqual(['runner.started', 'runner.folders'])
  second?.child.kill('SIGTERM')
  expect(await second?.ended).toBe(0)
})
