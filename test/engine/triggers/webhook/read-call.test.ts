import { expect, it } from 'vitest'
import { readCall } from '../../../../src-engine/triggers/webhook/read-call.ts'
import type { WebCall } from '../../../../src-engine/triggers/webhook/web-call.ts'

const callOf = (body: string | Uint8Array, type: string | null, over: Partial<WebCall> = {}): WebCall => ({
  method: 'POST',
  path: 'orders',
  query: '',
  headers: type === null ? {} : { 'content-type': type },
  body: typeof body === 'string' ? Buffer.from(body) : body,
  remote: '127.0.0.1',
  at: 0,
  ...over,
})

const bodyOf = (body: string | Uint8Array, type: string | null): unknown => {
  const read = readCall(callOf(body, type))
  return read.kind === 'read' ? read.payload['body'] : read.text
}

it.each([
  { name: 'JSON', body: '{"a": [1]}', type: 'application/json; charset=utf-8', expected: { a: [1] } },
  { name: 'JSON of a kind', body: '{"a": 1}', type: 'application/cloudevents+json', expected: { a: 1 } },
  {
    name: 'a form',
    body: 'a=1&b=x%20y&a=2',
    type: 'application/x-www-form-urlencoded',
    expected: { a: ['1', '2'], b: 'x y' },
  },
  { name: 'text', body: 'hällo', type: 'text/plain', expected: 'hällo' },
  { name: 'nothing', body: '', type: 'application/json', expected: null },
  { name: 'no type', body: 'ab', type: null, expected: { contentType: '', base64: 'YWI=' } },
  {
    name: 'bytes',
    body: new Uint8Array([255, 0]),
    type: 'image/png',
    expected: { contentType: 'image/png', base64: '/wA=' },
  },
  {
    name: 'text that is none',
    body: new Uint8Array([255]),
    type: 'text/plain',
    expected: { contentType: 'text/plain', base64: '/w==' },
  },
])('reads a body by its type: $name', ({ body, type, expected }) => {
  expect(bodyOf(body, type)).toEqual(expected)
})

it('takes a form of files as bytes, whatever it says of files', () => {
  const parts = '--x\r\ncontent-disposition: form-data; name="f"; filename="/etc/passwd"\r\n\r\nhi\r\n--x--'
  expect(bodyOf(parts, 'multipart/form-data; boundary=x')).toEqual({
    contentType: 'multipart/form-data',
    base64: Buffer.from(parts).toString('base64'),
  })
})

it.each([
  ['what isn’t JSON', '{"a"', 'The body is no JSON.'],
  ['a reserved name', '{"a": {"__proto__": {"isAdmin": true}}}', 'The body has a reserved name.'],
  ['endless nesting', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'The body is nested too deeply.'],
  ['bytes that are no text', new Uint8Array([34, 255, 34]), 'The body is not UTF-8.'],
])('refuses %s as JSON', (_, body, text) => {
  expect(bodyOf(body, 'application/json')).toBe(text)
})

it('keeps back what callers prove themselves with, and hands on the rest', () => {
  const headers = {
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-hub-signature-256': 'sha256=00',
    'x-sum': 'abc',
    'x-github-event': 'push',
  }
  const read = readCall(callOf('', null, { headers, query: 'a=1&__proto__=2&b=&a=3' }), 'x-sum')
  expect(read).toEqual({
    kind: 'read',
    payload: {
      method: 'POST',
      path: 'orders',
      query: { a: ['1', '3'], b: '' },
      headers: { 'x-github-event': 'push' },
      body: null,
    },
  })
})
