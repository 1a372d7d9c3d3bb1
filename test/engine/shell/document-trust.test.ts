/** Documents that nobody here trusts are not run, whoever asks on a page's line; commands approve what they name. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import { noWorkflows } from '../../../src-engine/runtime/sub-workflows/workflow-source.ts'
import { createDocumentTrust } from '../../../src-engine/shell/document-trust.ts'
import { openEngineHost } from '../../../src-engine/shell/engine-host.ts'
import type { Handlers } from '../../../src-engine/shell/handlers/contract.ts'
import { refusingRestricted, runningMethods } from '../../../src-engine/shell/restricting.ts'
import { fakeClock, temporaryFolder } from './shell-fixtures.ts'

const documentOf = (nodes: JsonObject, more: JsonObject = {}): JsonObject => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'orders',
  title: 'Orders',
  edges: {},
  nodes,
  ...more,
})
const fetching = (url: string): JsonObject => ({ get: { kind: 'http-request', parameters: { url } } })
const calling = documentOf(fetching('https://a.example/orders'))
const harmless = documentOf({ wait: { kind: 'noop' } })

function scene() {
  const path = join(temporaryFolder(), 'trusted-documents.json')
  // No custom tasks.
  const customTasks = { writeOut: <T>(document: T) => Promise.resolve(document) }
  const open = () => createDocumentTrust({ path, customTasks, source: noWorkflows, clock: fakeClock() })
  return { path, open, trust: open() }
}

const statusOf = async (trust: ReturnType<typeof createDocumentTrust>, document: JsonObject) =>
  (await trust.standing(document)).status

test('who touches nothing needs no trust; who does is restricted until somebody trusts it', async () => {
  const { trust, open } = scene()
  expect(await statusOf(trust, harmless)).toBe('trusted')
  expect(await trust.standing(calling)).toMatchObject({
    status: 'restricted',
    reason: null,
    beyond: [{ what: 'hosts', text: 'a.example' }],
  })
  await trust.trust(calling, 'looked')
  // Another process, after a restart.
  expect(await open().standing(calling)).toMatchObject({ status: 'trusted', reason: 'looked', beyond: [] })
})

test('what reaches further is asked again, and only that is told', async () => {
  const { trust } = scene()
  await trust.trust(calling, 'looked')
  expect(await statusOf(trust, documentOf(fetching('https://a.example/else')))).toBe('trusted')
  const wider = documentOf({
    ...fetching('https://a.example/'),
    run: { kind: 'shell-command', parameters: { program: 'rm', arguments: ['-rf', 'my files'] } },
  })
  const standing = await trust.standing(wider)
  expect(standing.status).toBe('restricted')
  expect(standing.beyond.map(({ what, text }) => `${what}: ${text}`)).toEqual(['commands: rm -rf "my files"'])
  await trust.trust(wider, 'looked')
  expect(await statusOf(trust, wider)).toBe('trusted')
  expect(await statusOf(trust, calling)).toBe('trusted')
})

test('reading a file isn’t deleting it, and a private address is asked for like any other', async () => {
  const { trust } = scene()
  const onFile = (kind: string) => documentOf({ file: { kind, parameters: { path: '/a' } } })
  await trust.trust(onFile('read-file'), 'looked')
  expect(await statusOf(trust, onFile('delete-file'))).toBe('restricted')
  await trust.trust(calling, 'looked')
  const inside = documentOf(fetching('https://a.example/orders'), {
    capabilities: { hosts: ['127.0.0.1:8080'] },
  })
  expect((await trust.standing(inside)).beyond).toMatchObject([{ what: 'private', text: '127.0.0.1:8080' }])
})

test('what starts it by itself is asked for, also where it touches nothing, and each change of it', async () => {
  const { trust } = scene()
  const starting = (parameters: JsonObject, more: JsonObject = {}) =>
    documentOf({ wait: { kind: 'noop' } }, { triggers: { t: { kind: 'event', parameters, ...more } } })
  const byHand = documentOf({ wait: { kind: 'noop' } }, { triggers: { t: { kind: 'manual' } } })
  expect(await statusOf(trust, byHand)).toBe('trusted')
  const first = starting({ name: 'order.paid' })
  expect(await trust.standing(first)).toMatchObject({
    status: 'restricted',
    beyond: [{ what: 'starts', text: 'order.paid', kind: 'event' }],
  })
  await trust.trust(first, 'looked')
  expect(await statusOf(trust, first)).toBe('trusted')
  expect(await statusOf(trust, starting({ name: 'order.paid', debounceMs: 5 }))).toBe('trusted')
  for (const parameters of [{ name: 'order.*' }, { name: 'order.paid', input: '{"all": true}' }])
    expect(await statusOf(trust, starting(parameters))).toBe('restricted')
  // Switched off counts too: somebody may switch it on.
  expect(await statusOf(trust, starting({ name: 'else' }, { enabled: false }))).toBe('restricted')
})

test('a trial of a part is what its workflow is', async () => {
  const { trust } = scene()
  await trust.trust(calling, 'made')
  expect(await statusOf(trust, { ...calling, id: 'orders.trial' })).toBe('trusted')
  expect(await statusOf(trust, { ...calling, id: 'another' })).toBe('restricted')
})

test('revoked is restricted again', async () => {
  const { trust } = scene()
  await trust.trust(calling, 'looked')
  const [listed] = await trust.list()
  expect(listed).toMatchObject({ id: 'orders', title: 'Orders', reason: 'looked' })
  if (listed !== undefined) await trust.revoke(listed.id)
  expect(await trust.list()).toEqual([])
  expect(await statusOf(trust, calling)).toBe('restricted')
})

test('what is trusted at once is all kept, for its owner’s eyes', async () => {
  const { trust, path } = scene()
  const ids = ['a', 'b', 'c', 'd']
  await Promise.all(ids.map((id) => trust.trust({ ...calling, id }, 'made')))
  expect((await trust.list()).map(({ id }) => id).toSorted()).toEqual(ids)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a damaged list trusts nothing, and is left as it is', async () => {
  const { trust, path } = scene()
  writeFileSync(path, '{"version":1,"documents":[{')
  await expect(trust.standing(calling)).rejects.toMatchObject({ code: 'trusted_documents_damaged' })
  await expect(trust.trust(calling, 'looked')).rejects.toMatchObject({ code: 'trusted_documents_damaged' })
  expect(readFileSync(path, 'utf8')).toBe('{"version":1,"documents":[{')
})

/** The version of a run that somebody brought along. */
const ofRun = {
  'runs.get': () => Promise.resolve({ run: { definitionHash: 'w1_theirs' } }),
  'workflows.version': () => Promise.resolve({ document: calling }),
} as unknown as Pick<Handlers, 'runs.get' | 'workflows.version'>

test('a run from elsewhere goes on here only on a version that is trusted', async () => {
  const { trust } = scene()
  const done = () => Promise.resolve('done')
  const plain = { ...ofRun, 'teleport.here': done, 'runs.retry': done } as unknown as Handlers
  const { 'teleport.here': here, 'runs.retry': retry } = refusingRestricted(plain, trust)
  const request = { runId: 'r', document: null } as never
  await expect(here(request)).rejects.toMatchObject({ code: 'document_not_trusted' })
  // A run of this machine was trusted when it began.
  await expect(retry(request)).resolves.toBe('done')
  await trust.trust(calling, 'looked')
  await expect(here(request)).resolves.toBe('done')
})

test('what a trusted workflow starts is trusted by itself, or not started', async () => {
  const host = await openEngineHost({ dataDir: temporaryFolder(), role: 'test', mode: 'work' })
  onTestFinished(() => host.close())
  const [near, far] = createChannelPair()
  host.serve(far, { requireToken: null })
  const page = createClient(near, { token: null })
  const folder = host.directory.workflows
  const step = { kind: 'sub-workflow', parameters: { workflow: './child.json' } }
  const parent = documentOf({ call: step }, { id: 'parent' })
  const child = documentOf(
    { look: { kind: 'list-files', parameters: { folder: '.' } } },
    { title: 'The child' },
  )
  writeFileSync(join(folder, 'child.json'), JSON.stringify(child))
  const start = { document: parent, input: null, baseDirectory: folder, requestId: null }
  await page.call('documents.trust', { document: parent, reason: 'looked' })
  await expect(page.call('runs.start', start)).rejects.toMatchObject({
    code: 'document_not_trusted',
    message: expect.stringContaining('“The child”'),
    details: { workflowId: 'orders' },
  })
  await page.call('documents.trust', { document: child, reason: 'looked' })
  await expect(page.call('runs.start', start)).resolves.toMatchObject({ runId: expect.any(String) })
})

test.for(runningMethods)('%s refuses a restricted document, and takes a trusted one', async (method) => {
  const { trust } = scene()
  const handlers = { [method]: () => Promise.resolve('done') } as unknown as Handlers
  const call = refusingRestricted({ ...handlers, ...ofRun }, trust)[method] as unknown as (
    input: object,
  ) => Promise<unknown>
  await expect(call({ document: calling })).rejects.toMatchObject({
    code: 'document_not_trusted',
    details: { beyond: [{ what: 'hosts', text: 'a.example' }] },
  })
  await trust.trust(calling, 'looked')
  await expect(call({ document: calling })).resolves.toBe('done')
})

test('a page is refused what a command may do: naming a file approves it', async () => {
  const host = await openEngineHost({ dataDir: temporaryFolder(), role: 'test', mode: 'work' })
  onTestFinished(() => host.close())
  const connect = (token: string | null, isCommand: boolean) => {
    const [near, far] = createChannelPair()
    host.serve(far, { requireToken: token })
    return createClient(near, { token, isCommand })
  }
  const document = documentOf({ file: { kind: 'list-files', parameters: { folder: '.' } } })
  const start = { document, input: null, baseDirectory: host.directory.root, requestId: null }
  const refused = { code: 'document_not_trusted' }
  const page = connect('t', false)
  await expect(page.call('runs.start', start)).rejects.toMatchObject(refused)
  // A page that calls itself a command is a page.
  await expect(connect('t', true).call('runs.start', start)).rejects.toMatchObject(refused)
  await expect(connect(null, true).call('runs.start', start)).resolves.toMatchObject({
    runId: expect.any(String),
  })
  await expect(page.call('runs.start', start)).resolves.toMatchObject({ runId: expect.any(String) })
  await page.call('documents.revoke', { workflowId: 'orders' as never })
  await expect(page.call('workflows.publish', start)).rejects.toMatchObject(refused)
  await expect(page.call('rehearsal.run', { document } as never)).rejects.not.toMatchObject(refused)
})

test('a sample comes trusted', async () => {
  const host = await openEngineHost({ dataDir: temporaryFolder(), role: 'test', mode: 'look' })
  onTestFinished(() => host.close())
  const [near, far] = createChannelPair()
  host.serve(far, { requireToken: null })
  const page = createClient(near, { token: null })
  const { document } = await page.call('samples.open', { name: 'orders' })
  const standing = await page.call('documents.standing', { document })
  expect(standing).toMatchObject({ status: 'trusted', reason: 'sample' })
  expect(standing.reach).not.toEqual([])
})
