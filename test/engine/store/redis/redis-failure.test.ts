import { expect, test } from 'vitest'
import { ConnectionLost, connectCode, verdictOf } from '../../../../src-engine/store/redis/redis-failure.ts'

const cutInHandshake = Object.assign(
  new Error('Client network socket disconnected before secure TLS connection was established'),
  { code: 'ECONNRESET' },
)

test('a server that dies in the handshake of TLS is asked again, as one that dies without TLS is', () => {
  const code = connectCode(cutInHandshake)
  expect(code).toBe('redis_tls_unanswered')
  expect(verdictOf(new ConnectionLost(code, false, cutInHandshake))).toEqual({ kind: 'later', code })
})

test('a server whose answer is no TLS, and a certificate that is not trusted, are refused', () => {
  const noTls = Object.assign(new Error('wrong version number'), { code: 'EPROTO' })
  for (const thrown of [noTls, new Error('self-signed certificate')]) {
    const code = connectCode(thrown)
    expect(code).toBe('redis_tls_failed')
    expect(verdictOf(new ConnectionLost(code, false, thrown))).toEqual({ kind: 'refused', code })
  }
})
