/** The key from which the secret parts of webhooks' addresses follow: a file that only its owner can read. */

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import { fileError, isSystemError, writeFileAtomically } from '../atomic-file.ts'

const keyBytes = 32
const ownerOnly = 0o600

/**
 * The key: what the setting says, as base64 of 32 bytes, else the file's, which is made when there is none.
 * Throws `webhook_key_invalid`.
 */
export async function webhookKeyOf(given: {
  readonly setting: string
  readonly file: string
}): Promise<Buffer> {
  if (given.setting !== '') return checked(given.setting, 'the setting webhook_key')
  for (;;) {
    try {
      return checked(await readFile(given.file, 'utf8'), given.file)
    } catch (cause) {
      if (!isSystemError(cause, 'ENOENT')) throw fileError(given.file, cause)
    }
    const text = `${randomBytes(keyBytes).toString('base64')}\n`
    // Of two processes that make one at a time, the second reads the first one's.
    await writeFileAtomically(given.file, text, { exclusive: true, mode: ownerOnly })
  }
}

function checked(text: string, where: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length >= keyBytes) return key
  throw new SagasmithError('webhook_key_invalid', {
    message: `The key of webhooks in ${where} is no key.`,
    details: { where },
  })
}
