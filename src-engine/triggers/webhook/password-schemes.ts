/** Callers who show a password: as a bearer token or by HTTP's basic scheme. */

import type { Proof } from './proof.ts'
import { disbelieved } from './proof.ts'
import { equalInConstantTime } from './secure-compare.ts'
import type { WebCall } from './web-call.ts'
import { headerOf } from './web-call.ts'

const believed: Proof = { kind: 'believed', messageId: null, tryId: null }

/** `authorization: Bearer …`. */
export function bearerProof(call: WebCall, keys: readonly string[]): Proof {
  const token = /^bearer +(\S+) *$/i.exec(headerOf(call, 'authorization'))?.[1]
  if (token === undefined) return disbelieved('missing')
  return keys.filter((key) => equalInConstantTime(key, token)).length > 0 ? believed : disbelieved('wrong')
}

/** `authorization: Basic …`, the user name and one of the passwords. */
export function basicProof(call: WebCall, username: string, keys: readonly string[]): Proof {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(headerOf(call, 'authorization'))?.[1]
  if (encoded === undefined) return disbelieved('missing')
  const given = Buffer.from(encoded, 'base64').toString('utf8')
  if (!given.includes(':')) return disbelieved('malformed')
  const fitting = keys.filter((key) => equalInConstantTime(`${username}:${key}`, given))
  return fitting.length > 0 ? believed : disbelieved('wrong')
}
