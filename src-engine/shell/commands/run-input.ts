/** The input of a run from the command line: JSON text, `@file`, or `@-` for what is piped in. */

import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { findJsonFault } from '../../model/json-place.ts'
import { blobBytesMax } from '../../model/limits.ts'
import { fileError } from '../atomic-file.ts'

/** Reads the value of `--input`, or of the option that is named; an empty object when there is none. */
export async function readRunInput(given: string | undefined, option = 'input'): Promise<JsonValue> {
  if (given === undefined) return {}
  const source = given.startsWith('@') ? given.slice(1) : null
  const text = source === null ? given : await readSource(source)
  const bytes = Buffer.byteLength(text)
  if (bytes > blobBytesMax) throw tooLarge(source, bytes)
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    const fault = findJsonFault(text)
    const place = fault === null ? '' : ` at line ${fault.line}, column ${fault.column}: ${fault.reason}`
    throw new SagasmithError('bad_request', {
      message: `The ${option}${source === null ? '' : ` of ${source}`} is not valid JSON${place}.`,
      hint: `Give JSON such as --${option} '{"name": "value"}', or a file with --${option} @data.json.`,
      cause,
    })
  }
}

async function readSource(source: string): Promise<string> {
  if (source === '-') return readPiped()
  const path = resolve(source)
  try {
    const { size } = await stat(path)
    if (size > blobBytesMax) throw tooLarge(path, size)
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw fileError(path, cause)
  }
}

async function readPiped(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const buffer = Buffer.from(chunk as Uint8Array)
    bytes += buffer.length
    if (bytes > blobBytesMax) throw tooLarge('standard input', bytes)
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(source: string | null, bytes: number): SagasmithError {
  const megabytes = (bytes / 1_000_000).toFixed(1)
  return new SagasmithError('payload_too_large', {
    message: `The input${source === null ? '' : ` ${source}`} has ${megabytes} MB; an input may have ${blobBytesMax / 1_000_000} MB.`,
    hint: 'Pass the path of the file as input and let a “Read file” step read it.',
    details: { bytes, limit: blobBytesMax },
  })
}
