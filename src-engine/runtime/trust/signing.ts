/** Ed25519 keys that vouch for definitions, and their signatures. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import type { DefinitionSignature } from '../../model/trust.ts'
import { publicKeyPattern, signedText } from '../../model/trust.ts'

const prefix = 'ed25519:'

/** A new pair: the private half as PEM, the public half as runners list it. */
export function createSigningKey(): { readonly privateKey: string; readonly publicKey: string } {
  const pair = generateKeyPairSync('ed25519')
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}

/** The public half of a private key. Throws `signing_key_damaged`. */
export function publicKeyOf(privateKey: string): string {
  const { x } = createPublicKey(privateKeyOf(privateKey)).export({ format: 'jwk' })
  return `${prefix}${x ?? ''}`
}

/** Vouches for a definition. Throws `signing_key_damaged`. */
export function signDefinition(privateKey: string, hash: DefinitionHash): DefinitionSignature {
  const signature = sign(null, Buffer.from(signedText(hash)), privateKeyOf(privateKey))
  return { key: publicKeyOf(privateKey), signature: signature.toString('base64url') }
}

/** Whether the key that a signature names made it for this definition. */
export function isSignatureOf(hash: DefinitionHash, { key, signature }: DefinitionSignature): boolean {
  if (!publicKeyPattern.test(key)) return false
  try {
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key.slice(prefix.length) },
      format: 'jwk',
    })
    return verify(null, Buffer.from(signedText(hash)), publicKey, Buffer.from(signature, 'base64url'))
  } catch {
    // Whatever can't be read as a key or a signature vouches for nothing.
    return false
  }
}

function privateKeyOf(pem: string) {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below, without a word of the file.
  }
  throw new SagasmithError('signing_key_damaged')
}
