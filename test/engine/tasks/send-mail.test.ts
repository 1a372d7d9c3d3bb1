/** Mail to a server of our own: what arrives there, what is encrypted, and what is known when something is lost. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { sendMailMock } from '../../../src-engine/tasks/send-mail/mock.ts'
import { createSendMailRun } from '../../../src-engine/tasks/send-mail/run.ts'
import { sendMailSpec } from '../../../src-engine/tasks/send-mail/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { createAuthority } from '../../support/certificates.ts'
import type { MailServers } from '../../support/mail-server.ts'
import { createMailServers } from '../../support/mail-server.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const host = 'mail.example'
const authority = createAuthority()
const certified = authority.certify(host)
const task = createSendMailRun({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] })

let mail: MailServers
let folder = ''
beforeEach(async () => {
  mail = createMailServers(certified)
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-mail-'))
})
afterEach(async () => {
  await mail.close()
  await rm(folder, { recursive: true, force: true })
})

const send = async (port: number, raw: JsonObject = {}, parts: Partial<TaskContext> = {}) =>
  outputOf(
    await task.execute(
      sendMailSpec.parameters.parse({
        ...{ host, port, user: 'me', password: 'right', authority: authority.cert },
        ...{ from: 'Shop <shop@example.com>', to: 'ada@example.com', subject: 'Grüße', text: 'Hello' },
        ...raw,
      }),
      taskContext({ approvedHosts: [host], baseDirectory: folder, ...parts }),
    ),
  )

test('text, HTML and attachments arrive, encrypted', async () => {
  const port = await mail.start()
  await writeFile(join(folder, 'a.csv'), 'id\n1\n')
  const attachments = [
    { name: 'a.csv', file: 'a.csv' },
    { name: 'b.bin', content: 'AP8=', base64: true },
  ]
  const people = {
    to: ['ada@example.com', 'Bob <bob@example.com>'],
    cc: 'c@example.com',
    bcc: 'd@example.com',
  }
  const output = await send(port, { ...people, html: '<b>Hello</b>', attachments })
  expect(output).toMatchObject({
    accepted: ['ada@example.com', 'bob@example.com', 'c@example.com', 'd@example.com'],
    rejected: [],
    messageId: expect.stringMatching(/^<[0-9a-f]{32}@sagasmith\.invalid>$/) as string,
  })
  const [first] = mail.arrived
  expect(first).toMatchObject({ from: 'shop@example.com', secure: true })
  expect(first?.text).toContain('=?UTF-8?')
  expect(first?.text).toContain(Buffer.from('id\n1\n').toString('base64'))
  expect(first?.text).toContain('<b>Hello</b>')
  expect(first?.text).not.toContain('d@example.com')
})

test('TLS from the start; and no encryption where that is said', async () => {
  await send(await mail.start({ secure: true }), { security: 'tls' })
  await send(await mail.start({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true }), {
    security: 'none',
  })
  expect(mail.arrived.map(({ secure }) => secure)).toEqual([true, false])
})

test('the same message twice has one id, another has another', async () => {
  const port = await mail.start()
  const first = await send(port)
  expect(await send(port)).toMatchObject({ messageId: (first as JsonObject)['messageId'] })
  const other = (await send(port, {}, { idempotencyKey: 'key-2' })) as JsonObject
  expect(other['messageId']).not.toBe((first as JsonObject)['messageId'])
})

test('with a key of its own a mail has the same id in every run, and says nothing of the key', async () => {
  const port = await mail.start()
  const idOf = async (raw: JsonObject, idempotencyKey: string) =>
    ((await send(port, raw, { idempotencyKey })) as JsonObject)['messageId']
  const first = await idOf({ dedupeKey: 'invoice-7' }, 'key-1')
  expect(await idOf({ dedupeKey: ' invoice-7 ' }, 'key-2')).toBe(first)
  expect(await idOf({ dedupeKey: 'invoice-8' }, 'key-2')).not.toBe(first)
  expect(await idOf({ dedupeKey: 'invoice-7', from: 'else@example.com' }, 'key-1')).not.toBe(first)
  expect(await idOf({ dedupeKey: ' ' }, 'key-1')).toBe(await idOf({}, 'key-1'))
  expect(mail.arrived.map(({ text }) => text).join('')).not.toContain('invoice-7')
})

test('a line break in a field begins no header and no command', async () => {
  const port = await mail.start()
  await send(port, { subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody', to: 'ada@example.com' })
  expect(mail.arrived[0]?.to).toEqual(['ada@example.com'])
  expect(mail.arrived[0]?.text).not.toMatch(/^Bcc:/im)
})

test('some are not taken: told, and the others get it', async () => {
  const port = await mail.start({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('no') ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null),
  })
  expect(await send(port, { to: 'ada@example.com, no@example.com' })).toMatchObject({
    accepted: ['ada@example.com'],
    rejected: ['no@example.com'],
  })
})

describe('goes wrong', () => {
  const refusing = (responseCode: number): SMTPServerOptions => ({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('not now'), { responseCode })),
  })

  test('a wrong password', async () => {
    const work = async () => send(await mail.start(), { password: 'wrong' })
    expect(await thrownBy(work)).toMatchObject({ code: 'sign_in_refused', retryable: false })
  })

  test.for([
    [451, true],
    [550, false],
  ] as const)('the server says %s', async ([status, retryable]) => {
    const thrown = await thrownBy(async () => send(await mail.start(refusing(status))))
    expect(thrown).toMatchObject({ code: 'mail_refused', retryable, details: { responseCode: status } })
    expect(thrown).not.toMatchObject({ details: { effect: 'unknown' } })
  })

  test('a server without encryption gets no password', async () => {
    const port = await mail.start({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    expect(await thrownBy(() => send(port))).toMatchObject({ details: { host } })
    expect(mail.arrived).toEqual([])
  })

  test('a server that can’t prove its name gets nothing', async () => {
    const port = await mail.start()
    expect(await thrownBy(() => send(port, { authority: '' }))).toMatchObject({ code: 'connection_failed' })
    expect(mail.arrived).toEqual([])
  })

  test('lost after the mail was on its way: nobody knows', async () => {
    const port = await mail.start({
      onData: (stream) => {
        stream.resume()
        stream.on('end', () => {
          mail.hangUp()
        })
      },
    })
    expect(await thrownBy(() => send(port))).toMatchObject({
      code: 'connection_failed',
      details: { effect: 'unknown' },
    })
  })

  test('called off while the server has the mail: nobody knows', async () => {
    const stop = new AbortController()
    const port = await mail.start({
      onData: (stream) => {
        stream.resume()
        stream.on('end', () => stop.abort())
      },
    })
    expect(await thrownBy(() => send(port, {}, { signal: stop.signal }))).toMatchObject({
      code: 'task_cancelled',
      details: { effect: 'unknown' },
    })
  })

  test('nobody there, nobody meant, not approved, too large, outside of the folders', async () => {
    expect(await thrownBy(() => send(9))).toMatchObject({ code: 'connection_failed', details: { host } })
    expect(await thrownBy(() => send(9, { to: ' ' }))).toMatchObject({ code: 'task_input_invalid' })
    expect(await thrownBy(() => send(9, {}, { approvedHosts: [] }))).toMatchObject({
      code: 'http_address_denied',
    })
    const attachments = [{ name: 'a', content: 'x'.repeat(100) }]
    expect(await thrownBy(() => send(9, { attachments, maxBytes: 10 }))).toMatchObject({
      code: 'task_output_too_large',
    })
    const outside = () =>
      send(9, { attachments: [{ name: 'a', file: '/etc/passwd' }] }, { approvedFolders: ['.'] })
    expect(await thrownBy(outside)).toMatchObject({ code: 'file_place_denied' })
  })
})

test('the mock sends none', () => {
  const parameters = sendMailSpec.parameters.parse({
    host,
    from: 'a@example.com',
    to: 'b@example.com, c@d.e',
  })
  expect(sendMailMock(parameters, taskContext())).toMatchObject({
    output: { accepted: ['b@example.com', 'c@d.e'] },
  })
})
