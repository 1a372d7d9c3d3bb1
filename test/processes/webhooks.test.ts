/** Webhooks of a process that stays: published, called from outside, started anew, unpublished. */

import { createHmac } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import type { EngineHost } from '../../src-engine/shell/engine-host.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmith } from './sagasmith.ts'

const key = 'a long enough secret'

async function opened(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<EngineHost> {
  const host = await openEngineHost({
    dataDir: folder,
    role: 'serve',
    mode: 'work',
    canRunAtomicService: true,
    settings: loadSettings({
      flags: { data: folder },
      environment: { SAGASMITH_WEBHOOK_PORT: '0', ...environment },
    }),
  })
  onTestFinished(() => host.close())
  return host
}

const textIn = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const github = { kind: 'github', secret: 'hooks', previousSecret: '' }

async function publish(host: EngineHost, hooks: Readonly<Record<string, JsonObject>>): Promise<void> {
  const triggers = Object.fromEntries(
    Object.entries(hooks).map(([id, parameters]) => [id, { kind: 'webhook', parameters }]),
  )
  const document = documentOf({
    nodes: { a: { kind: 'transform', parameters: { expression: 'input.body' } } },
    triggers,
  })
  await host.engine.publishing.publish({ document, baseDirectory: null })
  await host.webhooks?.refresh()
}

async function urlOf(host: EngineHost, at = 0): Promise<string> {
  const url = (): string | null => host.webhooks?.list()[at]?.url ?? null
  await expect.poll(url, { timeout: 20_000 }).not.toBeNull()
  return url() ?? ''
}

const call = (url: string, body: string, secret = key): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  })

async function keep(folder: string, binding: { readonly nodes: readonly string[] | null }): Promise<void> {
  const settings = loadSettings({ flags: { data: folder }, environment: {} }).values
  const vault = openVault({ directory: dataDirectory(folder), settings, clock: systemClock })
  await vault.set({ name: 'hooks', value: key, nodes: binding.nodes })
}

test('a published one is called from outside, and its address outlives the process', async () => {
  const folder = temporaryFolder()
  await keep(folder, { nodes: null })
  const host = await opened(folder)
  expect(host.webhooks?.state()).toEqual({ kind: 'off' })
  await publish(host, { hook: { path: 'orders', auth: github, respond: { kind: 'end' } } })
  const url = await urlOf(host)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/[A-Za-z0-9_-]{43}\/orders$/)
  const listed = await sagasmith(folder, 'webhooks')
  expect(listed.lines).toMatchObject([
    { type: 'webhook', triggerId: 'hook', method: 'POST', auth: 'github', url },
    { type: 'webhooks.listening', kind: 'listening', address: '127.0.0.1', port: Number(new URL(url).port) },
  ])
  const response = await call(url, '{"order":7}')
  expect([response.status, await response.json()]).toEqual([200, { order: 7 }])
  expect((await call(url, '{"order":8}', 'another')).status).toBe(401)
  expect((await fetch(url)).status).toBe(405)
  expect(statSync(join(folder, 'webhook.key')).mode & 0o077).toBe(0)
  await host.close()
  const next = await opened(folder)
  expect(new URL(await urlOf(next)).pathname).toBe(new URL(url).pathname)
  expect((await call(await urlOf(next), '{"order":7}')).status).toBe(200)
  await publish(next, {})
  expect(next.webhooks?.state()).toEqual({ kind: 'off' })
})

test('the settings say where it listens, what callers see, and from which key addresses follow', async () => {
  const shared = Buffer.alloc(32, 7).toString('base64')
  const environment = {
    SAGASMITH_WEBHOOK_ADDRESS: '127.0.0.2',
    SAGASMITH_WEBHOOK_URL: 'https://hooks.example.com/',
    SAGASMITH_WEBHOOK_KEY: shared,
  }
  const [one, other] = [
    await opened(temporaryFolder(), environment),
    await opened(temporaryFolder(), environment),
  ]
  for (const host of [one, other]) {
    await publish(host, { hook: { path: 'orders', auth: { kind: 'none' } } })
  }
  const url = await urlOf(one)
  expect(url).toMatch(/^https:\/\/hooks\.example\.com\/hooks\/[A-Za-z0-9_-]{43}\/orders$/)
  expect(await urlOf(other)).toBe(url)
  await expect.poll(() => one.webhooks?.state().kind, { timeout: 20_000 }).toBe('listening')
  const state = one.webhooks?.state()
  const port = state?.kind === 'listening' ? state.port : 0
  expect((await call(`http://127.0.0.2:${port}${new URL(url).pathname}`, '{}')).status).toBe(202)
})

test('a test address captures what senders say and starts nothing; one of them is sent again', async () => {
  const folder = temporaryFolder()
  await keep(folder, { nodes: null })
  const host = await opened(folder)
  await publish(host, { hook: { path: 'orders', auth: github } })
  const url = await urlOf(host)
  const [listed] = (await sagasmith(folder, 'webhooks', 'list')).lines
  const workflow = textIn(listed?.['workflowId'])
  expect(listed).toMatchObject({ unsigned: false, test: null })
  const [open] = (await sagasmith(folder, 'webhooks', 'test', workflow, 'hook', '--for', '5m')).lines
  const testUrl = textIn((open?.['test'] as JsonObject | undefined)?.['url'])
  expect(testUrl).toMatch(/\/hooks-test\/[A-Za-z0-9_-]{43}\/orders$/)
  expect(new URL(testUrl).pathname.split('/')[2]).not.toBe(new URL(url).pathname.split('/')[2])
  // What is known of one address opens nothing at the other root.
  expect((await call(testUrl.replace('hooks-test', 'hooks'), '{}')).status).toBe(404)
  expect((await call(url.replace('hooks', 'hooks-test'), '{}')).status).toBe(404)
  expect((await call(testUrl, '{"order":7,"token":"mine"}')).status).toBe(202)
  expect((await fetch(testUrl)).status).toBe(202)
  const { lines } = await sagasmith(folder, 'webhooks', 'captures', workflow, 'hook')
  expect(lines).toMatchObject([
    { type: 'webhook.captured', method: 'GET', outcome: { kind: 'refused', status: 405 } },
    { type: 'webhook.captured', method: 'POST', outcome: { kind: 'starts' } },
    { type: 'webhook.test', test: { url: testUrl } },
  ])
  expect((await sagasmith(folder, 'runs', 'list')).lines.filter(({ type }) => type === 'run')).toEqual([])
  const id = textIn(lines[1]?.['id'])
  expect(await sagasmith(folder, 'webhooks', 'show', id)).toMatchObject({
    code: 0,
    lines: [{ type: 'webhook.capture', call: { body: { order: 7, token: '(redacted)' } } }],
  })
  expect(await sagasmith(folder, 'webhooks', 'resend', id)).toMatchObject({
    code: 0,
    lines: [
      { type: 'webhook.resent', firing: { reason: null, sources: [{ kind: 'hand' }, { kind: 'call' }] } },
    ],
  })
  expect(await sagasmith(folder, 'webhooks', 'test', workflow, 'hook', '--stop')).toMatchObject({ code: 0 })
  expect((await call(testUrl, '{}')).status).toBe(404)
  expect(await sagasmith(folder, 'webhooks', 'captures', workflow, 'hook', '--clear')).toMatchObject({
    code: 0,
    lines: [{ type: 'webhook.captures-cleared', cleared: 2 }],
  })
  expect(await sagasmith(folder, 'webhooks', 'show', id)).toMatchObject({
    code: 1,
    lines: [{ type: 'error', error: { code: 'capture_not_found' } }],
  })
})

test('a secret that is bound to another workflow opens nothing', async () => {
  const folder = temporaryFolder()
  await keep(folder, { nodes: ['other'] })
  const host = await opened(folder)
  await publish(host, { hook: { path: 'orders', auth: github } })
  expect((await call(await urlOf(host), '{}')).status).toBe(401)
})

test('a key that is none is told, and nothing is served', async () => {
  const host = await opened(temporaryFolder(), { SAGASMITH_WEBHOOK_KEY: 'short' })
  await publish(host, { hook: { path: 'orders', auth: { kind: 'none' } } })
  expect(host.webhooks?.state()).toEqual({ kind: 'off' })
  expect(host.webhooks?.list()).toEqual([])
})

test('a workflow is published from the command line, and a mistake in it is told', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'hooked.json')
  const triggers = { hook: { kind: 'webhook', parameters: { path: 'orders', auth: { kind: 'none' } } } }
  writeFileSync(file, JSON.stringify(documentOf({ nodes: { a: { kind: 'noop' } }, triggers })))
  const data = join(folder, 'data')
  expect(await sagasmith(data, 'publish', file)).toMatchObject({
    code: 0,
    lines: [{ type: 'workflow.published', isNew: true, triggers: 1 }],
  })
  expect((await sagasmith(data, 'triggers', 'list')).text).toContain('webhook')
  writeFileSync(file, JSON.stringify(documentOf({ nodes: { a: { kind: 'transform' } } })))
  expect(await sagasmith(data, 'publish', file)).toMatchObject({ code: 2 })
  expect((await sagasmith(data, 'triggers', 'list')).text).toContain('webhook')
})
