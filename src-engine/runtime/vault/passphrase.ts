/**
 * A vault's key from a passphrase, by scrypt: costly enough that guessing takes years even for somebody who
 * has the file. N = 2^17 with r = 8 needs 128 MB for each guess (OWASP's first choice for scrypt).
 */

import { randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'
import type { KeyProvider, WrappedKey } from './key-provider.ts'
import { keyBytes, seal, unseal } from './sealing.ts'

const costMin = 2 ** 17
/** A file may ask for more work than we do, but not for a machine's whole memory. */
const costMax = 2 ** 20
const blockSize = 8
const parallelism = 1
/** 128 · N · r bytes, and a little for the rest. */
const memoryOf = (cost: number): number => 128 * cost * blockSize + 2 ** 20
const saltBytes = 16
/** The shortest passphrase that a new vault takes. */
const passphraseCharsMin = 8

const wrappedKey = z.object({
  provider: z.literal('passphrase'),
  cost: z.int().min(costMin).max(costMax),
  salt: z.string().min(1),
  nonce: z.string().min(1),
  data: z.string().min(1),
})

/** A key from a passphrase in its one form: the same from the same passphrase, salt and cost. */
export type DeriveKey = (text: string, salt: Buffer, cost: number) => Promise<Buffer>

/**
 * The provider; `passphrase` gives it when it is needed, null while nobody has said it. Another `derive` than scrypt is
 * for who guesses nothing and waits for it often.
 */
export function createPassphraseProvider(
  passphrase: () => string | null,
  derive: DeriveKey = byScrypt,
): KeyProvider {
  // Compatibility forms of a character are the same key on every keyboard.
  const derivedKey: DeriveKey = (text, salt, cost) => derive(text.normalize('NFKC'), salt, cost)
  const given = (): string => {
    const text = passphrase()
    if (text === null || text === '') throw new SagasmithError('vault_locked')
    return text
  }
  return {
    kind: 'passphrase',
    async wrap(dataKey, about) {
      const text = given()
      checkPassphrase(text)
      const salt = randomBytes(saltBytes)
      const key = await derivedKey(text, salt, costMin)
      const sealed = seal(dataKey, key, about)
      return { provider: 'passphrase', cost: costMin, salt: salt.toString('base64'), ...sealed }
    },
    async unwrap(wrapped: WrappedKey, about) {
      const parsed = wrappedKey.safeParse(wrapped)
      if (!parsed.success) throw new SagasmithError('vault_damaged')
      const { cost, salt, nonce, data } = parsed.data
      const key = await derivedKey(given(), Buffer.from(salt, 'base64'), cost)
      const dataKey = unseal({ nonce, data }, key, about)
      if (dataKey === null) throw new SagasmithError('vault_wrong_key')
      return { dataKey, isStale: false }
    },
  }
}

function byScrypt(text: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallelism, maxmem: memoryOf(cost) }
  return new Promise((resolve, reject) => {
    scrypt(text, salt, keyBytes, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** Throws `bad_request` for a passphrase that protects nothing. */
export function checkPassphrase(text: string): void {
  if (Array.from(text).length >= passphraseCharsMin) return
  throw new SagasmithError('bad_request', {
    message: `The passphrase of a vault has at least ${passphraseCharsMin} characters.`,
    hint: 'Choose a longer one, such as four words of no sentence.',
  })
}
