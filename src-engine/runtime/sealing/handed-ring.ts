/** The keys of a workspace on their way to another machine: a text, sealed with a passphrase or in the open. */

import { z } from 'zod'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import { createPassphraseProvider } from '../vault/passphrase.ts'
import type { KeyRing } from './key-ring.ts'
import { keyRingText, readKeyRing } from './key-ring.ts'

const format = 'sagasmith.seal-keys'

const handedSchema = z.object({
  format: z.literal(format),
  version: z.literal(1),
  workspace: z.string().min(1),
  /** Base64 of the ring, or the ring wrapped by the passphrase's key. */
  ring: z.union([z.base64(), z.object({ provider: z.literal('passphrase') }).catchall(z.json())]),
})

/** The text of a file. Throws `bad_request` for a passphrase that protects nothing. */
export async function handedRingText(ring: KeyRing, passphrase: string | null): Promise<string> {
  const plain = Buffer.from(keyRingText(ring), 'utf8')
  const kept =
    passphrase === null
      ? plain.toString('base64')
      : await createPassphraseProvider(() => passphrase).wrap(plain, aboutRing(ring.store))
  return `${JSON.stringify({ format, version: 1, workspace: ring.store, ring: kept }, null, 2)}\n`
}

/** The ring in a file's text. Throws `seal_file_unreadable` for another text or another passphrase. */
export async function readHandedRing(text: string, passphrase: string | null): Promise<KeyRing> {
  const { workspace, ring: kept } = parsed(text)
  if (typeof kept === 'string') return readKeyRing(Buffer.from(kept, 'base64').toString('utf8'))
  try {
    const provider = createPassphraseProvider(() => passphrase)
    const { dataKey } = await provider.unwrap(kept, aboutRing(workspace))
    return readKeyRing(dataKey.toString('utf8'))
  } catch (thrown) {
    throw new SagasmithError('seal_file_unreadable', {
      message:
        recordOfThrown(thrown).code === 'vault_locked'
          ? 'The file opens with a passphrase.'
          : 'That passphrase doesn’t open the file, or the file was changed.',
      cause: thrown,
    })
  }
}

const aboutRing = (workspace: string): string => `sagasmith-seal-keys-1 ${workspace}`

function parsed(text: string): z.infer<typeof handedSchema> {
  try {
    return handedSchema.parse(JSON.parse(text))
  } catch {
    // What the parser says could quote a key.
    throw new SagasmithError('seal_file_unreadable', { message: 'That is no file with keys of a workspace.' })
  }
}
