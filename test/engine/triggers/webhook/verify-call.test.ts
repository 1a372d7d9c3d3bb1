import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { WebhookAuth } from '../../../../src-engine/triggers/webhook/spec.ts'
import { secretNamesOf, verifyCall } from '../../../../src-engine/triggers/webhook/verify-call.ts'
import type { WebCall } from '../../../../src-engine/triggers/webhook/web-call.ts'

const at = Date.UTC(2026, 4, 1, 12)
const seconds = at / 1_000
const named = { secret: 'key', previousSecret: '' }

const callOf = (
  body: string,
  headers: Readonly<Record<string, string>>,
  over: Partial<WebCall> = {},
): WebCall => ({
  method: 'POST',
  path: 'orders',
  query: '',
  headers,
  body: Buffer.from(body),
  remote: '127.0.0.1',
  at,
  ...over,
})

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', key).update(text).digest(encoding)

const plainHmac: WebhookAuth = {
  kind: 'hmac',
  ...named,
  header: 'X-Sum',
  algorithm: 'sha256',
  encoding: 'base64',
  prefix: 'hmac ',
  idHeader: 'X-Message',
}

/** A call that each scheme believes when the key is `right key`. */
const believed: readonly {
  readonly name: string
  readonly auth: WebhookAuth
  readonly call: (key: string, when?: number) => WebCall
  /** Whether the time is signed. */
  readonly isTimed: boolean
  readonly messageId: string | null
}[] = [
  {
    name: 'Standard Webhooks',
    auth: { kind: 'standard', ...named },
    call: (key, when = seconds) =>
      callOf('{"a":1}', {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(when),
        'webhook-signature': `v1a,AAAA v1,${hmac(key, `msg_1.${when}.{"a":1}`, 'base64')}`,
      }),
    isTimed: true,
    messageId: 'msg_1',
  },
  {
    name: 'GitHub',
    auth: { kind: 'github', ...named },
    call: (key) => callOf('Hello', { 'x-hub-signature-256': `sha256=${hmac(key, 'Hello')}` }),
    isTimed: false,
    messageId: hmac('right key', 'Hello'),
  },
  {
    name: 'Stripe',
    auth: { kind: 'stripe', ...named },
    call: (key, when = seconds) =>
      callOf('{"id":"evt_1"}', {
        'stripe-signature': `t=${when},v1=00,v1=${hmac(key, `${when}.{"id":"evt_1"}`)},v0=11`,
      }),
    isTimed: true,
    messageId: 'evt_1',
  },
  {
    name: 'Slack',
    auth: { kind: 'slack', ...named },
    call: (key, when = seconds) =>
      callOf('{"event_id":"Ev1"}', {
        'x-slack-request-timestamp': String(when),
        'x-slack-signature': `v0=${hmac(key, `v0:${when}:{"event_id":"Ev1"}`)}`,
      }),
    isTimed: true,
    messageId: 'Ev1',
  },
  {
    name: 'another signature',
    auth: plainHmac,
    call: (key) => callOf('x', { 'x-sum': `hmac ${hmac(key, 'x', 'base64')}`, 'x-message': 'm-1' }),
    isTimed: false,
    messageId: 'm-1',
  },
  {
    name: 'a bearer token',
    auth: { kind: 'bearer', ...named },
    call: (key) => callOf('x', { authorization: `Bearer ${key.replaceAll(' ', '-')}` }),
    isTimed: false,
    messageId: null,
  },
  {
    name: 'a password',
    auth: { kind: 'basic', ...named, username: 'shop' },
    call: (key) => callOf('x', { authorization: `Basic ${Buffer.from(`shop:${key}`).toString('base64')}` }),
    isTimed: false,
    messageId: null,
  },
]

/** Bearer tokens have no spaces. */
const keyFor = (auth: WebhookAuth, key: string): string =>
  auth.kind === 'bearer' ? key.replaceAll(' ', '-') : key

describe.each(believed)('$name', ({ auth, call, isTimed, messageId }) => {
  const right = keyFor(auth, 'right key')
  const wrong = keyFor(auth, 'wrong key')

  it('is believed with the right key, and tells its tries apart where it signs the time', () => {
    const proof = verifyCall(auth, call('right key'), [right])
    expect(proof).toMatchObject({ kind: 'believed', messageId })
    expect(proof.kind === 'believed' && proof.tryId !== null).toBe(isTimed)
  })

  it('is not believed with another key', () => {
    expect(verifyCall(auth, call('wrong key'), [right])).toEqual({ kind: 'disbelieved', reason: 'wrong' })
  })

  it('is believed with the key before while senders change over, and no longer', () => {
    expect(verifyCall(auth, call('wrong key'), [right, wrong]).kind).toBe('believed')
    expect(verifyCall(auth, call('wrong key'), [right]).kind).toBe('disbelieved')
  })

  it('is not believed when nothing is shown', () => {
    const bare = { ...call('right key'), headers: {} }
    expect(verifyCall(auth, bare, [right])).toEqual({ kind: 'disbelieved', reason: 'missing' })
  })

  it('is not believed while the secret is not there, or is empty', () => {
    expect(verifyCall(auth, call(''), [])).toEqual({ kind: 'disbelieved', reason: 'no_secret' })
    expect(verifyCall(auth, call(''), [''])).toEqual({ kind: 'disbelieved', reason: 'no_secret' })
  })
})

const signed = believed.filter(({ auth }) => !['bearer', 'basic'].includes(auth.kind))
it.each(signed)('$name: one changed byte of the body undoes the signature', ({ auth, call }) => {
  const { body, ...rest } = call('right key')
  const changed = Buffer.from(body)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(verifyCall(auth, { ...rest, body: changed }, ['right key']).kind).toBe('disbelieved')
})

const timed = believed.filter((one) => one.isTimed)
it.each(timed)('$name: signed more than five minutes from now is too late or too early', ({ auth, call }) => {
  const proofAt = (when: number) => verifyCall(auth, call('right key', when), ['right key'])
  expect(proofAt(seconds - 300).kind).toBe('believed')
  expect(proofAt(seconds + 300).kind).toBe('believed')
  expect(proofAt(seconds - 301)).toEqual({ kind: 'disbelieved', reason: 'out_of_time' })
  expect(proofAt(seconds + 301)).toEqual({ kind: 'disbelieved', reason: 'out_of_time' })
})

it.each(timed)('$name: a time that is no time is refused', ({ auth, call }) => {
  const odd = call('right key', Number.NaN)
  expect(verifyCall(auth, odd, ['right key'])).toEqual({ kind: 'disbelieved', reason: 'malformed' })
})

it.each(timed)('$name: each try has a mark of its own, and the message keeps its id', ({ auth, call }) => {
  const first = verifyCall(auth, call('right key'), ['right key'])
  const again = verifyCall(auth, call('right key', seconds + 60), ['right key'])
  if (first.kind !== 'believed' || again.kind !== 'believed') throw new Error('both are signed rightly')
  expect(again.messageId).toBe(first.messageId)
  expect(again.tryId).not.toBe(first.tryId)
})

it('reads a key of Standard Webhooks as its senders keep it', () => {
  const bytes = Buffer.from('0123456789abcdef0123456789abcdef')
  const call = callOf('{}', {
    'webhook-id': 'msg_2',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${hmac(bytes, `msg_2.${seconds}.{}`, 'base64')}`,
  })
  const auth: WebhookAuth = { kind: 'standard', ...named }
  expect(verifyCall(auth, call, [`whsec_${bytes.toString('base64')}`]).kind).toBe('believed')
  expect(verifyCall(auth, call, ['whsec_'])).toEqual({ kind: 'disbelieved', reason: 'no_secret' })
})

it('agrees with the examples that GitHub and Slack publish', () => {
  const github = callOf('Hello, World!', {
    'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  })
  expect(verifyCall({ kind: 'github', ...named }, github, ["It's a Secret to Everybody"]).kind).toBe(
    'believed',
  )
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&' +
    'channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&' +
    'response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&' +
    'trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const slack = callOf(
    body,
    {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    { at: 1_531_420_618_000 },
  )
  expect(verifyCall({ kind: 'slack', ...named }, slack, ['8f742231b10e8888abcd99yyyzzz85a5']).kind).toBe(
    'believed',
  )
})

it('looks secrets up by their names, and none for an address that is open to all', () => {
  expect(secretNamesOf({ kind: 'github', secret: 'new', previousSecret: 'old' })).toEqual(['new', 'old'])
  expect(secretNamesOf({ kind: 'github', secret: 'new', previousSecret: '' })).toEqual(['new'])
  expect(secretNamesOf({ kind: 'none' })).toEqual([])
  expect(verifyCall({ kind: 'none' }, callOf('', {}), []).kind).toBe('believed')
})
