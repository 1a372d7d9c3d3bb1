/** The mail about a question, to a server of our own: what it says, to whom it goes, and what is told when it can't. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nodeId, runId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { approvalMock } from '../../../src-engine/tasks/approval/mock.ts'
import { createApprovalRun } from '../../../src-engine/tasks/approval/run.ts'
import { approvalSpec } from '../../../src-engine/tasks/approval/spec.ts'
import type { TellingContext, ToldApproval } from '../../../src-engine/tasks/task.ts'
import { createAuthority } from '../../support/certificates.ts'
import type { MailServers } from '../../support/mail-server.ts'
import { createMailServers } from '../../support/mail-server.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const host = 'mail.example'
const authority = createAuthority()
const certified = authority.certify(host)
const task = createApprovalRun({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] })

let mail: MailServers
beforeEach(() => {
  mail = createMailServers(certified)
})
afterEach(() => mail.close())

const link = 'sagasmith://run/run_1?node=ask'
const question: ToldApproval = {
  occasion: 'asked',
  shown: { title: 'Pay 3 <b>now</b>?', message: 'To **Ada** & Bob.' },
  runId: runId('run_1'),
  nodeId: nodeId('ask'),
  workflowTitle: 'Orders',
  approvers: ['ada', 'bob'],
  expiresAt: Date.UTC(2026, 10, 27, 8),
  onExpiry: 'reject',
  link,
}

const parametersOf = (raw: JsonObject) =>
  approvalSpec.parameters.parse({
    ...{ title: 'Pay?', mails: true, mailTo: 'ada@example.com', mailFrom: 'Shop <shop@example.com>' },
    ...{ host, user: 'me', password: 'right', authority: authority.cert, ...raw },
  })

const tell = (
  raw: JsonObject,
  told: Partial<ToldApproval> = {},
  context: Partial<TellingContext> = {},
): Promise<readonly string[]> =>
  task.telling.tell(
    parametersOf(raw),
    { ...question, ...told },
    taskContext({ approvedHosts: [host], ...context }),
  )

/** What a reader sees of a part: quoted-printable undone. */
const readable = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

describe('the mail', () => {
  test('says what is asked, until when and by whom, and its link opens it', async () => {
    const port = await mail.start()
    expect(await tell({ port, mailTo: ['ada@example.com', 'bob@example.com'] })).toEqual([])
    const [{ from, to, secure, text } = { from: '', to: [], secure: false, text: '' }] = mail.arrived
    expect({ from, to, secure }).toEqual({
      from: 'shop@example.com',
      to: ['ada@example.com', 'bob@example.com'],
      secure: true,
    })
    const seen = readable(text)
    expect(seen).toContain('Subject: Pay 3 <b>now</b>?')
    expect(seen).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    for (const words of [
      'Pay 3 <b>now</b>?\r\n\r\nTo **Ada** & Bob.\r\n',
      'Workflow: Orders, step ask of run_1\r\n',
      'May decide: ada, bob\r\n',
      'Until: Fri, 27 Nov 2026 08:00:00 GMT, then it counts as rejected\r\n',
      `Open it: ${link}\r\n`,
      'In a terminal: sagasmith approvals show run_1 ask\r\n',
    ])
      expect(seen).toContain(words)
    // The page has the same, and nothing of the question is markup in it.
    expect(seen).toContain('<h2>Pay 3 &lt;b&gt;now&lt;/b&gt;?</h2>')
    expect(seen).toContain('To **Ada** &amp; Bob.')
    expect(seen).toContain(`<a href="${link}">Open it in Sagasmith</a>`)
    // Neither of the two says a way that answers.
    expect(seen.match(/sagasmith:\/\/[^\s"]+/g)).toEqual([link, link])
    expect(seen).not.toMatch(/approvals (approve|reject|push-back)/)
  })

  test('without a message, an end or names says so, or nothing', async () => {
    const port = await mail.start()
    await tell({ port }, { shown: { title: 'Pay?', message: ' ' }, approvers: [], expiresAt: null })
    const seen = readable(mail.arrived[0]?.text ?? '')
    expect(seen).toContain('Pay?\r\n\r\nWorkflow: Orders')
    expect(seen).toContain('Until: no end\r\n')
    expect(seen).not.toContain('May decide')
  })

  test('that is urgent says so in its subject, and goes to others beside', async () => {
    const port = await mail.start()
    const raw = { port, escalates: true, mailUrgentTo: 'boss@example.com, eve@example.com' }
    await tell(raw)
    await tell(raw, { occasion: 'escalated' })
    expect(mail.arrived.map(({ to }) => to)).toEqual([
      ['ada@example.com'],
      ['ada@example.com', 'boss@example.com', 'eve@example.com'],
    ])
    expect(mail.arrived.map(({ text }) => /^Subject: (Urgent: )?/m.exec(text)?.[0])).toEqual([
      'Subject: ',
      'Subject: Urgent: ',
    ])
    // Whoever is named for urgent ones hears nothing of a step that never becomes urgent.
    const parameters = parametersOf({ ...raw, escalates: false })
    expect(task.telling.whom(parameters, 'escalated')).toBe('ada@example.com')
  })

  test('has one message id for one key: a repeat is known as such', async () => {
    const port = await mail.start()
    for (const idempotencyKey of ['a:1:asked', 'a:1:asked', 'a:1:escalated'])
      await tell({ port }, {}, { idempotencyKey })
    const [first, again, other] = mail.arrived.map(({ text }) => /^Message-ID: (.*)\r$/m.exec(text)?.[1])
    expect(first).toMatch(/^<[0-9a-f]{32}@sagasmith\.invalid>$/)
    expect([again === first, other === first]).toEqual([true, false])
  })

  test('has one subject, whatever the question holds', async () => {
    const port = await mail.start()
    const title = `Pay?\r\nBcc: eve@example.com\n${'x'.repeat(300)}`
    await tell({ port }, { shown: { title, message: '' } })
    expect(mail.arrived[0]?.to).toEqual(['ada@example.com'])
    const headers = mail.arrived[0]?.text.split('\r\n\r\n')[0]
    expect(headers).toMatch(/^Subject: Pay\? Bcc: eve@example\.com/m)
    expect(headers).not.toMatch(/^Bcc:/im)
  })
})

describe('what can’t be sent is told', () => {
  test('a server that takes some of the people', async () => {
    const port = await mail.start({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('bob') ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null),
    })
    expect(await tell({ port, mailTo: 'ada@example.com, bob@example.com' })).toEqual(['bob@example.com'])
  })

  test.for([
    ['no server', { host: '' }, 'task_input_invalid', 'host'],
    ['no sender', { mailFrom: ' ' }, 'task_input_invalid', 'mailFrom'],
    ['nobody', { mailTo: [''] }, 'task_input_invalid', 'mailTo'],
  ] as const)('%s', async ([_name, raw, code, field]) => {
    expect(
      await thrownBy(() =>
        tell({ ...raw, mailTo: [...(('mailTo' in raw ? raw.mailTo : null) ?? ['a@b.c'])] }),
      ),
    ).toMatchObject({
      code,
      details: { field },
    })
  })

  test('a wrong password, a host that nobody approved, and an engine that stops', async () => {
    const port = await mail.start()
    expect(await thrownBy(() => tell({ port, password: 'wrong' }))).toMatchObject({ code: 'sign_in_refused' })
    expect(await thrownBy(() => tell({ port }, {}, { approvedHosts: [] }))).toMatchObject({
      code: 'http_address_denied',
    })
    const allowedHosts = ['elsewhere.example']
    expect(await thrownBy(() => tell({ port }, {}, { allowedHosts }))).toMatchObject({
      code: 'host_not_allowed',
    })
    const signal = AbortSignal.abort()
    expect(await thrownBy(() => tell({ port }, {}, { signal }))).toMatchObject({ code: 'task_cancelled' })
    expect(mail.arrived).toEqual([])
  })
})

test('a step asks with or without a mail, and names people only where it sends one', async () => {
  const asks = async (raw: JsonObject) => task.execute(parametersOf(raw), taskContext())
  expect(await asks({})).toMatchObject({ kind: 'asks', terms: { tells: true } })
  expect(JSON.stringify(await asks({ mails: false }))).not.toContain('tells')
})

test('on mocks nobody is asked, and no mail is sent', () => {
  const context = taskContext()
  approvalMock(parametersOf({}), context)
  expect(context.lines.at(-1)).toBe('task info Mocked: no mail was sent to ada@example.com.')
  const quiet = taskContext()
  approvalMock(parametersOf({ mails: false }), quiet)
  expect(quiet.lines).toHaveLength(1)
})
