/**
 * The rows of a page. What is open in HTML is only known from its beginning (tags may be left out), and a selector may
 * look anywhere: the page is read as a whole by every batch, and has a size from which on it isn't.
 */

import type { FileHandle } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { Batch, BatchWanted } from './batch.ts'
import type { HtmlBatch, HtmlRowsWanted } from './html-batch.ts'

/** Bytes of a page that is read. */
const pageBytesMax = 10_000_000

/** Reads the next ones. Throws `payload_too_large` for a page that is too long. */
export async function nextHtmlRows(
  file: FileHandle,
  { from, rows, bytesMax, signal, read }: BatchWanted,
  what: Pick<HtmlRowsWanted, 'each' | 'fields' | 'hasNames'>,
): Promise<Batch> {
  const { size } = await file.stat()
  if (size > pageBytesMax) throw pageTooLarge(size)
  const whole = await file.readFile({ encoding: 'utf8', signal })
  const text = whole.replace(/^\uFEFF/, '')
  const wanted = { ...what, from: from.at, rows, bytesMax }
  // What `htmlBatch` gives, which reads it.
  const found = (await read({ kind: 'html-rows', text, wanted })) as HtmlBatch
  const { rows: taken, next } = found
  return { rows: taken, next: next === null ? null : { at: next, line: 1, header: '', open: [] } }
}

function pageTooLarge(bytes: number): SagasmithError {
  return new SagasmithError('payload_too_large', {
    message: `The page has ${bytes} bytes; pages of up to ${pageBytesMax} are read, since each is read as a whole.`,
    hint: 'Split it, or have its rows as XML, CSV or JSON Lines, which may be of any size.',
    details: { bytes, bytesMax: pageBytesMax },
  })
}
