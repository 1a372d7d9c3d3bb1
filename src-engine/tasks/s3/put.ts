/** Puts an object: in one request, or a large file part by part. */

import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { JsonObject } from '../../model/json.ts'
import { filePlace } from '../file-place.ts'
import { responseText } from '../guarded-request.ts'
import { plainText } from '../json-text.ts'
import { fileError } from '../workflow-path.ts'
import { objectAddress } from './address.ts'
import type { StoreCall } from './ask-store.ts'
import { askStore, toldOf, tooLarge } from './ask-store.ts'
import { putParts } from './put-parts.ts'

/** An answer to a put: nothing worth reading stands in it. */
const answerBytesMax = 100_000

/** The content, or the file. */
export async function putObject(call: StoreCall): Promise<JsonObject> {
  const { file, content, maxBytes } = call.parameters
  if (file.trim() !== '') return putFile(call)
  const bytes = Buffer.from(plainText(content))
  if (bytes.length > maxBytes) throw tooLarge(maxBytes)
  return putWhole(call, bytes)
}

async function putFile(call: StoreCall): Promise<JsonObject> {
  const { file, maxBytes, partBytes } = call.parameters
  const path = await filePlace(file, call.context, 'read')
  let handle: FileHandle | null = null
  try {
    handle = await open(path, 'r')
    const { size } = await handle.stat()
    if (size > maxBytes) throw tooLarge(maxBytes)
    if (size > partBytes) return await putParts(call, handle)
    return await putWhole(call, await handle.readFile())
  } catch (thrown) {
    throw fileError(thrown, file)
  } finally {
    await handle?.close()
  }
}

async function putWhole(call: StoreCall, body: Buffer): Promise<JsonObject> {
  const { key, contentType, existing } = call.parameters
  const headers = {
    ...(contentType.trim() === '' ? {} : { 'content-type': contentType.trim() }),
    ...(existing === 'fail' ? { 'if-none-match': '*' } : {}),
  }
  const url = objectAddress(call.parameters, key)
  return askStore(call, { method: 'PUT', url, body, headers }, async (response) => {
    await responseText(response, answerBytesMax)
    return { key, bytes: body.length, etag: toldOf(response).etag }
  })
}
