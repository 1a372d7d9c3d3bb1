/**
 * Addresses of steps that wait for web calls. Each names its invocation and is signed with a key that follows
 * from the data directory's: the process that listens knows the public half, so it tells addresses that were
 * given out from those that weren't before it reads on, and can make none itself.
 */

import type { KeyObject } from 'node:crypto'
import { createHmac, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { InvocationId } from '../../model/ids.ts'
import { invocationId } from '../../model/ids.ts'

/** With what their paths begin. */
export const callbackRoot = 'callbacks'

/** What stands before the 32 bytes of a private key of Ed25519 in its DER form (RFC 8410). */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Nothing else that is signed with the same key would do as an address. */
const purpose = 'sagasmith callback 1\n'
const idCharsMax = 1_000

/** The parts of an address that name the step. */
export interface CallbackName {
  /** The invocation, as base64. */
  readonly name: string
  readonly signature: string
}

export interface CallbackKeys {
  /** For the process that listens, as base64 of its DER form. */
  readonly publicKey: string
  readonly pathOf: (id: InvocationId) => string
  /** The invocation that an address names; null when we didn't give it out. */
  readonly read: (name: CallbackName) => InvocationId | null
}

/** The keys that follow from a data directory's. */
export function callbackKeysOf(key: Uint8Array): CallbackKeys {
  const seed = createHmac('sha256', key).update(purpose).digest()
  const privateKey = createPrivateKey({
    key: Buffer.concat([privateKeyHead, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const reader = callbackReader(publicKey.toString('base64'))
  return {
    publicKey: publicKey.toString('base64'),
    pathOf: (id) => {
      const name = Buffer.from(id, 'utf8').toString('base64url')
      return `/${callbackRoot}/${name}/${sign(null, signed(name), privateKey).toString('base64url')}`
    },
    read: (given) => (reader(given) ? idOf(given.name) : null),
  }
}

/** Tells whether an address was given out by who has the other half of the key. */
export function callbackReader(publicKey: string): (name: CallbackName) => boolean {
  let key: KeyObject | null = null
  return ({ name, signature }) => {
    key ??= createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify(null, signed(name), key, Buffer.from(signature, 'base64url'))
  }
}

/** The parts of a path; null for another one. */
export function readCallbackPath(path: string): CallbackName | null {
  const [, name, signature] = /^\/callbacks\/([A-Za-z0-9_-]{4,1334})\/([A-Za-z0-9_-]{86})$/.exec(path) ?? []
  return name === undefined || signature === undefined ? null : { name, signature }
}

const signed = (name: string): Buffer => Buffer.from(purpose + name, 'utf8')

function idOf(name: string): InvocationId | null {
  const text = Buffer.from(name, 'base64url').toString('utf8')
  return text.length > idCharsMax ? null : invocationId(text)
}
