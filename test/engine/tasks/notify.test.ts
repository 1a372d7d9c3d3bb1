/** Notifications: what each service is sent, that nothing in a text addresses anybody, and the desktop's program. */

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { notifyingProgram } from '../../../src-engine/tasks/notify/desktop.ts'
import { notifyMock } from '../../../src-engine/tasks/notify/mock.ts'
import { createNotifyRun } from '../../../src-engine/tasks/notify/run.ts'
import { notifySpec } from '../../../src-engine/tasks/notify/spec.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

let server: Server
let address = ''
let folder = ''
const posts: {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: JsonObject
}[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-notify-'))
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject
      posts.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      response.writeHead(Number(/^\/(\d{3})$/.exec(request.url ?? '')?.[1] ?? 200))
      response.end('{"ok":false}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const notify = async (channel: JsonObject, raw: JsonObject = {}) => {
  const task = createNotifyRun({ lookup: async () => [], environment: { PATH: `${folder}:/usr/bin:/bin` } })
  const parameters = notifySpec.parameters.parse({ channel, message: 'It <!channel> failed & burns', ...raw })
  return outputOf(await task.execute(parameters, taskContext({ approvedHosts: ['127.0.0.1'] })))
}
const last = () => posts.at(-1)

test('Slack: marks are words', async () => {
  await notify({ kind: 'slack', address: `${address}/hook` }, { title: 'A <b>', link: 'https://example.com' })
  expect(last()).toMatchObject({
    path: '/hook',
    body: { text: '*A &lt;b&gt;*\nIt &lt;!channel&gt; failed &amp; burns\nhttps://example.com' },
  })
})

test('Teams: a card', async () => {
  await notify({ kind: 'teams', address: `${address}/hook` }, { title: 'T', link: 'https://example.com' })
  const content = {
    body: [{ text: 'T' }, { text: 'It <!channel> failed & burns' }],
    actions: [{ url: 'https://example.com' }],
  }
  expect(last()?.body).toMatchObject({ attachments: [{ content }] })
})

test('Discord: nobody is addressed, and it is not too long', async () => {
  await notify({ kind: 'discord', address: `${address}/hook` }, { message: `@everyone ${'x'.repeat(3_000)}` })
  expect(last()?.body['allowed_mentions']).toEqual({ parse: [] })
  expect(last()?.body['content']).toMatch(/^.{1999}…$/)
})

test('ntfy: with a token and a priority', async () => {
  const channel = { kind: 'ntfy', server: address, topic: 'orders', token: 'tk', priority: 'high' }
  expect(await notify(channel, { title: 'T' })).toEqual({ channel: 'ntfy' })
  expect(last()).toMatchObject({
    authorization: 'Bearer tk',
    body: { topic: 'orders', title: 'T', priority: 4, message: 'It <!channel> failed & burns' },
  })
})

test.for([
  [404, 'http_status', false],
  [429, 'http_status', true],
  [401, 'sign_in_refused', false],
] as const)('an answer of %s', async ([status, code, retryable]) => {
  const thrown = await thrownBy(() => notify({ kind: 'slack', address: `${address}/${status}` }))
  expect(thrown).toMatchObject({ code, retryable })
})

test('an address that is none is not repeated: it is a secret', async () => {
  const thrown = await thrownBy(() => notify({ kind: 'slack', address: 'hooks/T0/secret-4711' }))
  expect(thrown).toMatchObject({ code: 'task_input_invalid' })
  expect(String(thrown)).not.toContain('4711')
})

test.runIf(process.platform === 'linux')('this computer: texts are arguments, never code', async () => {
  const program = join(folder, 'notify-send')
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/shown"\n`)
  await chmod(program, 0o755)
  await notify({ kind: 'desktop' }, { title: '--help', message: '$(touch x); `id`' })
  expect(await readFile(join(folder, 'shown'), 'utf8')).toBe(
    '--app-name=Sagasmith\n--\n--help\n$(touch x); `id`\n',
  )
  await writeFile(program, '#!/bin/sh\nexit 3\n')
  expect(await thrownBy(() => notify({ kind: 'desktop' }))).toMatchObject({ code: 'command_not_found' })
})

test('each system has its program, and none gets the text as code', () => {
  const parameters = notifySpec.parameters.parse({ message: '"; evil' })
  const mac = notifyingProgram('darwin', parameters)
  expect(mac.args.slice(-2)).toEqual(['Sagasmith', '"; evil'])
  const windows = notifyingProgram('win32', parameters)
  expect(windows.args.join(' ')).not.toContain('evil')
  expect(windows.env).toEqual({ SAGASMITH_TITLE: 'Sagasmith', SAGASMITH_MESSAGE: '"; evil' })
})

test('the mock tells nobody', () => {
  const parameters = notifySpec.parameters.parse({ message: 'x' })
  expect(notifyMock(parameters, taskContext())).toMatchObject({ output: { channel: 'desktop' } })
})
