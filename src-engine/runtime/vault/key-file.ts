/**
 * A vault's key from a file that only its owner can read. It is a file of its own, so that a copied or
 * committed vault.json opens nothing; who can read both as this user can read the secrets.
 */

import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'
import type { KeyProvider, WrappedKey } from './key-provider.ts'
import { keyBytes, newKey, seal, unseal } from './sealing.ts'

/** How the key file is read and made. */
export interface KeyFiles {
  /** Names the file, for messages. */
  readonly path: string
  /** The file's text; null when there is none. Throws `vault_key_exposed` when others may read it. */
  readonly read: () => Promise<string | null>
  /** Makes it, for its owner alone; false when there was one already. */
  readonly create: (text: string) => Promise<boolean>
}

const header = 'sagasmith-vault-key-1:'
const wrappedKey = z.object({
  provider: z.literal('key-file'),
  nonce: z.string().min(1),
  data: z.string().min(1),
})

/** The provider; the file is made with the first secret. */
export function createKeyFileProvider(files: KeyFiles): KeyProvider {
  return {
    kind: 'key-file',
    async wrap(dataKey, about) {
      const existing = await files.read()
      const key = existing === null ? await made(files) : keyOf(existing, files.path)
      return { provider: 'key-file', ...seal(dataKey, key, about) }
    },
    async unwrap(wrapped: WrappedKey, about) {
      const parsed = wrappedKey.safeParse(wrapped)
      if (!parsed.success) throw new SagasmithError('vault_damaged')
      const text = await files.read()
      if (text === null) throw missing(files.path)
      const dataKey = unseal(parsed.data, keyOf(text, files.path), about)
      if (dataKey === null) throw new SagasmithError('vault_wrong_key', { details: { path: files.path } })
      return { dataKey, isStale: false }
    },
  }
}

async function made(files: KeyFiles): Promise<Buffer> {
  const key = newKey()
  if (await files.create(`${header}${key.toString('base64')}\n`)) return key
  // Somebody else made it in the meantime: theirs counts.
  const text = await files.read()
  if (text === null) throw missing(files.path)
  return keyOf(text, files.path)
}

function keyOf(text: string, path: string): Buffer {
  const trimmed = text.trim()
  const key = trimmed.startsWith(header) ? Buffer.from(trimmed.slice(header.length), 'base64') : null
  if (key?.length === keyBytes) return key
  throw new SagasmithError('vault_wrong_key', {
    message: `${path} is not a key file of a vault.`,
    details: { path },
  })
}

const missing = (path: string): SagasmithError =>
  new SagasmithError('vault_key_missing', {
    message: `The key file of the vault, ${path}, is not there.`,
    details: { path },
  })
