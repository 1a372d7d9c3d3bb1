/** Signatures of definitions: who made them, for what, and what doesn't count as one. */

import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { definitionHash } from '../../../../src-engine/model/ids.ts'
import {
  publicKeyPattern,
  readSignatures,
  signaturesRegister,
  signedDefinition,
} from '../../../../src-engine/model/trust.ts'
import {
  createSigningKey,
  isSignatureOf,
  publicKeyOf,
  signDefinition,
} from '../../../../src-engine/runtime/trust/signing.ts'

const hash = definitionHash(`w1_${'a'.repeat(64)}`)
const other = definitionHash(`w1_${'b'.repeat(64)}`)

test('a signature holds for its definition and its key alone [C3]', () => {
  const [own, stranger] = [createSigningKey(), createSigningKey()]
  const signature = signDefinition(own.privateKey, hash)
  expect(signature.key).toBe(own.publicKey)
  expect(publicKeyOf(own.privateKey)).toMatch(publicKeyPattern)
  expect(isSignatureOf(hash, signature)).toBe(true)
  expect(isSignatureOf(other, signature)).toBe(false)
  expect(isSignatureOf(hash, { ...signature, key: stranger.publicKey })).toBe(false)
  expect(isSignatureOf(hash, { ...signature, key: 'ed25519:x' })).toBe(false)
  expect(isSignatureOf(hash, { ...signature, signature: signature.signature.slice(1) })).toBe(false)
})

test('a signature of the bare hash, made for something else, is none [C3]', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const signature = sign(null, Buffer.from(hash), privateKey).toString('base64url')
  expect(isSignatureOf(hash, { key: publicKeyOf(pem), signature })).toBe(false)
})

test('what is no key signs nothing', () => {
  const { privateKey } = generateKeyPairSync('x25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const text of ['', 'no key', pem]) {
    expect(() => signDefinition(text, hash)).toThrow(
      expect.objectContaining({ code: 'signing_key_damaged' }) as Error,
    )
  }
})

test('of what stands in a register only signatures are read', () => {
  const signature = signDefinition(createSigningKey().privateKey, hash)
  expect(readSignatures(undefined)).toEqual([])
  expect(readSignatures({ key: 'x' })).toEqual([])
  expect(readSignatures([1, { ...signature }, { key: signature.key, signature: 'short' }])).toEqual([
    signature,
  ])
  expect(signedDefinition(signaturesRegister(hash))).toBe(hash)
  expect(signedDefinition('signatures/w1_short')).toBeNull()
  expect(signedDefinition('tenants')).toBeNull()
})
