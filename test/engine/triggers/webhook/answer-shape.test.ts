import { expect, it } from 'vitest'
import { answerOfOutput } from '../../../../src-engine/triggers/webhook/answer-shape.ts'

const jsonType = { 'content-type': 'application/json; charset=utf-8' }

it.each([
  [{ a: 1 }, { status: 200, headers: jsonType, body: '{"a":1}' }],
  ['hello', { status: 200, headers: jsonType, body: '"hello"' }],
  [null, { status: 200, headers: jsonType, body: 'null' }],
  // More than an answer has: it is a value that happens to have a status.
  [
    { status: 404, order: 7 },
    { status: 200, headers: jsonType, body: '{"status":404,"order":7}' },
  ],
  [{ status: 'paid' }, { status: 200, headers: jsonType, body: '{"status":"paid"}' }],
  [{ status: 101 }, { status: 200, headers: jsonType, body: '{"status":101}' }],
])('takes any value as the body: %j', (output, answer) => {
  expect(answerOfOutput(output)).toEqual(answer)
})

it('takes an answer as it is', () => {
  expect(answerOfOutput({ status: 201, body: { id: 7 } })).toEqual({
    status: 201,
    headers: jsonType,
    body: '{"id":7}',
  })
  expect(answerOfOutput({ status: 204 })).toEqual({ status: 204, headers: {}, body: '' })
  expect(answerOfOutput({ status: 200, body: 'hi' })).toEqual({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: 'hi',
  })
  expect(answerOfOutput({ status: 302, headers: { Location: 'https://example.com' } })).toEqual({
    status: 302,
    headers: { location: 'https://example.com' },
    body: '',
  })
})

it('lets a workflow set no header that rules the line, the browser or the next header', () => {
  const headers = {
    'Content-Length': '5',
    Connection: 'keep-alive',
    'Set-Cookie': 'a=b',
    'X-Order': '7\r\nSet-Cookie: a=b',
    'X-Frame-Options': 'ALLOW',
    'X-Fine': 'yes',
    'X-Number': 3,
  }
  expect(answerOfOutput({ status: 200, headers, body: null }).headers).toEqual({ 'x-fine': 'yes' })
})
