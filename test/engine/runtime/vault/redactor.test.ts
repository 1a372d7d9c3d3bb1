/** Taking secrets out of what tasks say: every form, every place, and nothing that isn't one. */

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../../../src-engine/runtime/vault/redactor.ts'

const value = 'p@ss/wörd+"4711"&\\x'
const asField = (text: string): string => String(new URLSearchParams([['', text]])).slice(1)
const one = createRedactor([{ name: 'DB', value }])

describe('forms', () => {
  test.for<[string, string]>([
    ['as it is', value],
    ['in base64', Buffer.from(value).toString('base64')],
    ['in base64 for addresses', Buffer.from(value).toString('base64url')],
    ['in a Basic header', Buffer.from(`anna:${value}`).toString('base64')],
    ['in a Basic header of another length', Buffer.from(`ann:${value}`).toString('base64')],
    ['in longer base64', Buffer.from(`xx${value}yyyyyy`).toString('base64')],
    ['in hex', Buffer.from(value).toString('hex')],
    ['in upper-case hex', Buffer.from(value).toString('hex').toUpperCase()],
    ['in an address', encodeURIComponent(value)],
    [
      'in an address with small escapes',
      encodeURIComponent(value).replaceAll(/%../g, (e) => e.toLowerCase()),
    ],
    ['in a form', new URLSearchParams({ p: value }).toString()],
    ['in a Basic header of OAuth 2', Buffer.from(`anna:${asField(value)}`).toString('base64')],
    ['in JSON', JSON.stringify({ p: value })],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ p: value }))],
    ['in JSON of Python', JSON.stringify(value).replaceAll('ö', '\\u00f6')],
    ['in HTML', 'p@ss/wörd+&quot;4711&quot;&amp;\\x'],
  ])('%s', ([, text]) => {
    const said = one.text(`before ${text} after`)
    expect(said).toMatch(/^before .*\(secret DB\).* after$/)
    // Nothing recognisable of it is left.
    for (const part of ['4711', Buffer.from('wörd').toString('hex')]) expect(said).not.toContain(part)
    expect(one.isIn(text)).toBe(true)
  })

  test('every line of a key in PEM, whoever prints it line by line', () => {
    const pem = `-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n`
    const redactor = createRedactor([{ name: 'KEY', value: pem }])
    for (const line of ['MIIEvQIBADANBg', 'kqhkiG9w0BAQEF']) {
      expect(redactor.text(`> ${line}`)).toBe('> (secret KEY)')
    }
    expect(redactor.text(pem.replaceAll('\n', '\r\n'))).not.toContain('MII')
    expect(redactor.text(pem.trim())).toBe('(secret KEY)')
  })

  test('the password of a connection string alone', () => {
    const redactor = createRedactor([{ name: 'PG', value: 'postgres://me:hun%40ter2@db.example/x' }])
    expect(redactor.text('password hun@ter2 refused')).toBe('password (secret PG) refused')
    expect(redactor.text('at db.example')).toBe('at db.example')
  })

  test('the longer one where one is part of the other', () => {
    const redactor = createRedactor([
      { name: 'SHORT', value: 'abcd' },
      { name: 'LONG', value: 'xxabcdxx' },
    ])
    expect(redactor.text('xxabcdxx abcd')).toBe('(secret LONG) (secret SHORT)')
  })
})

describe('places', () => {
  test('texts, names of fields and numbers of a value, at any depth', () => {
    const redactor = createRedactor([{ name: 'PIN', value: '471182' }])
    const said = redactor.json({ a: [{ pin: 471182, k471182: 'x 471182' }], b: 12, c: null, d: true })
    expect(said).toEqual({
      a: [{ pin: '(secret PIN)', 'k(secret PIN)': 'x (secret PIN)' }],
      b: 12,
      c: null,
      d: true,
    })
  })

  test('nothing changes where there is none', () => {
    const value = { text: 'Nothing of it here: password, token, 4.5', list: [1, 2] }
    expect(one.json(value)).toEqual(value)
    expect(createRedactor([]).text('all of it')).toBe('all of it')
  })

  test('any secret, in any form, in any text around it is found', () => {
    const encodings = ['utf8', 'base64', 'hex', 'base64url'] as const
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }),
        fc.string({ maxLength: 10 }),
        fc.constantFrom(...encodings),
        (secret, around, encoding) => {
          // Blank texts are no secrets of anybody.
          fc.pre(secret.trim().length >= 8)
          const redactor = createRedactor([{ name: 'S', value: secret }])
          const text = Buffer.from(secret.toWellFormed(), 'utf8').toString(encoding)
          expect(redactor.text(`${around}${text}${around}`)).not.toContain(text)
        },
      ),
      { seed: 4711, numRuns: 500 },
    )
  })

  test('a large secret and a large text take no time worth mentioning', () => {
    const large = createHash('sha512').update('x').digest('hex').repeat(200)
    const redactor = createRedactor([{ name: 'L', value: large }])
    expect(redactor.text(`${'a'.repeat(2_000_000)}${large}`).endsWith('(secret L)')).toBe(true)
  })
})
