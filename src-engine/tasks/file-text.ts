/** Texts as bytes in an encoding, and back. */

import { SagasmithError } from '../model/errors.ts'
import type { FileEncoding } from '../model/file-fields.ts'

const nodeName = { 'utf-8': 'utf8', 'utf-16le': 'utf16le', latin1: 'latin1' } as const

/** The text of a file; a mark that only says how it is written is no part of it. */
export const textOfBytes = (bytes: Buffer, encoding: FileEncoding): string =>
  bytes.toString(nodeName[encoding]).replace(/^\uFEFF/, '')

/** The bytes of a text. Throws `task_input_invalid` for a letter that the encoding hasn't. */
export function bytesOfText(text: string, encoding: FileEncoding): Buffer {
  const strange = encoding === 'latin1' ? /[^\0-\xFF]/u.exec(text) : null
  if (strange !== null) {
    throw new SagasmithError('task_input_invalid', {
      message: `“${strange[0]}” can’t be written in Latin-1.`,
      hint: 'Write the file in UTF-8, or leave such letters out.',
      details: { field: 'encoding', letter: strange[0], at: strange.index },
    })
  }
  return Buffer.from(text, nodeName[encoding])
}
