/** Works on objects of a store, by signed requests to a checked place. */

import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import { parsedXml } from '../data/xml.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace } from '../file-place.ts'
import { unfinishedPath } from '../files/kept.ts'
import type { GuardedRequest, GuardedResponse } from '../guarded-request.ts'
import { refusedAnswer, responseText, withResponse } from '../guarded-request.ts'
import { bodyBytes } from '../http-request/incoming.ts'
import { parseJson, plainText } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { fileError } from '../workflow-path.ts'
import { objectAddress } from './address.ts'
import type { Signer } from './signature.ts'
import { presignedUrl, sha256, signedHeaders, signedText } from './signature.ts'
import type { S3Parameters } from './spec.ts'

/** The object store with what it needs from outside. */
export function createS3Run({ lookup }: Pick<TaskPorts, 'lookup'>): TaskRun<S3Parameters> {
  return {
    async execute(parameters, context) {
      const { timeoutMs } = parameters
      const output = await withinDeadline({ timeoutMs }, context, (signal) =>
        works[parameters.mode]({ parameters, context, lookup, signal }),
      )
      const { mode, bucket, key, prefix } = parameters
      const text = `${mode} ${bucket}/${mode === 'list' ? prefix : key}`
      context.log({ level: 'info', stream: 'task', text })
      return completed(output)
    },
  }
}

interface Call {
  readonly parameters: S3Parameters
  readonly context: TaskContext
  readonly lookup: TaskPorts['lookup']
  readonly signal: AbortSignal
}

const works: Readonly<Record<S3Parameters['mode'], (call: Call) => Promise<JsonObject>>> = {
  get,
  put,
  list,
  delete: remove,
  presign,
}

const signerOf = ({ parameters, context }: Call): Signer => ({ ...parameters, at: context.clock.now() })

/** Asks the store; what is no success is thrown, but for the statuses that are named. */
function asked<T>(
  call: Call,
  request: Omit<GuardedRequest, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  read: (response: GuardedResponse) => Promise<T>,
): Promise<T> {
  const { method, body, headers = {} } = request
  const url = signableAddress(request.url)
  const signed = signedHeaders({ method, url, headers, bodyHash: sha256(body ?? '') }, signerOf(call))
  return withResponse({ method, url, body, headers: signed }, call, async (response) => {
    if (response.status >= 200 && response.status < 300) return read(response)
    throw await storeError(response, call)
  })
}

/** The query as it is signed: a space is %20 there, never a plus. */
function signableAddress(given: URL): URL {
  const url = new URL(given)
  url.search = [...url.searchParams]
    .map(([name, value]) => `${signedText(name)}=${signedText(value)}`)
    .join('&')
  return url
}

async function storeError(response: GuardedResponse, { parameters, context }: Call): Promise<SagasmithError> {
  const { bucket, key } = parameters
  if (response.status === 404) {
    return new SagasmithError('object_not_found', {
      message: `There is no “${bucket}/${key}”.`,
      details: { bucket, key },
    })
  }
  if (response.status === 412) {
    return new SagasmithError('file_exists', {
      message: `“${bucket}/${key}” is there already.`,
      details: { bucket, key },
    })
  }
  return refusedAnswer(response, 'The object store', context)
}

async function get(call: Call): Promise<JsonObject> {
  const { parameters, context } = call
  const { key, file, maxBytes } = parameters
  const url = objectAddress(parameters, key)
  if (file.trim() !== '') {
    const path = await filePlace(file, context, 'write')
    return asked(call, { method: 'GET', url, body: null }, async (response) => ({
      ...(await savedFile(response, path, call)),
      ...toldOf(response),
    }))
  }
  const bytesMax = Math.min(maxBytes, taskOutputBytesMax)
  return asked(call, { method: 'GET', url, body: null }, async (response) => {
    const bytes = await bodyBytes(response.body, {}, bytesMax)
    return { key, bytes: bytes.length, content: contentOf(bytes, parameters), ...toldOf(response) }
  })
}

const toldOf = ({ headers }: GuardedResponse) => ({
  contentType: headers['content-type'] ?? '',
  etag: (headers['etag'] ?? '').replaceAll('"', ''),
})

function contentOf(bytes: Buffer, { as, key }: S3Parameters): JsonValue {
  if (as === 'base64') return bytes.toString('base64')
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (as === 'text') return text
  const value = parseJson(text)
  if (value.ok) return value.value
  throw new SagasmithError('data_invalid', { message: `“${key}” is not JSON.`, details: { key } })
}

/** The file is complete before it takes its place. */
async function savedFile(
  response: GuardedResponse,
  path: string,
  { parameters, context, signal }: Call,
): Promise<JsonObject> {
  const unfinished = unfinishedPath(path, context.idempotencyKey)
  let bytes = 0
  async function* counted() {
    for await (const chunk of response.body) {
      bytes += chunk.length
      if (bytes > parameters.maxBytes) throw tooLarge(parameters.maxBytes)
      yield chunk
    }
  }
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(unfinished, { force: true })
    await pipeline(Readable.from(counted()), createWriteStream(unfinished, { flags: 'wx', flush: true }), {
      signal,
    })
    await rename(unfinished, path)
    return { key: parameters.key, bytes, path }
  } catch (thrown) {
    throw fileError(thrown, parameters.file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function put(call: Call): Promise<JsonObject> {
  const { parameters } = call
  const { key, contentType, existing } = parameters
  const body = await bodyToPut(call)
  const headers = {
    ...(contentType.trim() === '' ? {} : { 'content-type': contentType.trim() }),
    ...(existing === 'fail' ? { 'if-none-match': '*' } : {}),
  }
  const url = objectAddress(parameters, key)
  return asked(call, { method: 'PUT', url, body, headers }, async (response) => {
    await responseText(response, 100_000)
    return { key, bytes: body.length, etag: toldOf(response).etag }
  })
}

async function bodyToPut({ parameters, context }: Call): Promise<Buffer> {
  const { file, content, maxBytes } = parameters
  if (file.trim() === '') {
    const bytes = Buffer.from(plainText(content))
    if (bytes.length > maxBytes) throw tooLarge(maxBytes)
    return bytes
  }
  const path = await filePlace(file, context, 'read')
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw tooLarge(maxBytes)
    return await readFile(path)
  } catch (thrown) {
    throw fileError(thrown, file)
  }
}

/** A key that isn't there is as deleted as one that was. */
async function remove(call: Call): Promise<JsonObject> {
  const { parameters } = call
  const url = objectAddress(parameters, parameters.key)
  return asked(call, { method: 'DELETE', url, body: null }, async (response) => {
    await responseText(response, 100_000)
    return { key: parameters.key, deleted: true }
  })
}

async function list(call: Call): Promise<JsonObject> {
  const { prefix, maxKeys } = call.parameters
  const objects: JsonObject[] = []
  let token = ''
  for (;;) {
    const url = objectAddress(call.parameters, '')
    url.searchParams.set('list-type', '2')
    url.searchParams.set('max-keys', String(Math.min(1_000, maxKeys - objects.length)))
    if (prefix !== '') url.searchParams.set('prefix', prefix)
    if (token !== '') url.searchParams.set('continuation-token', token)
    const page = await asked(call, { method: 'GET', url, body: null }, (response) =>
      responseText(response, taskOutputBytesMax),
    )
    const found = await listedPage(page)
    objects.push(...found.objects)
    token = found.next
    if (token === '' || objects.length >= maxKeys || found.objects.length === 0) break
  }
  return { objects, count: objects.length, isCut: token !== '' }
}

async function listedPage(text: string) {
  const value = await parsedXml(text, ['Contents'])
  const page = isJsonObject(value) && isJsonObject(value['ListBucketResult']) ? value['ListBucketResult'] : {}
  const found: readonly JsonValue[] = Array.isArray(page['Contents']) ? page['Contents'] : []
  const objects = found.filter(isJsonObject).map((one) => ({
    key: one['Key'] ?? '',
    bytes: Number(one['Size'] ?? 0),
    changedAt: one['LastModified'] ?? '',
    etag: plainText(one['ETag'] ?? '').replaceAll('"', ''),
  }))
  return { objects, next: plainText(page['NextContinuationToken'] ?? '') }
}

function presign(call: Call): Promise<JsonObject> {
  const { parameters } = call
  const { key, validMs } = parameters
  const signer = signerOf(call)
  const seconds = Math.ceil(validMs / 1_000)
  const url = presignedUrl({ method: 'GET', url: objectAddress(parameters, key) }, signer, seconds)
  if (call.context.secrets?.isIn(url.href.replace(/X-Amz-Signature=.*$/, '')) === true) {
    throw new SagasmithError('task_input_invalid', {
      message: 'A signed address holds the access key, and this one is in the vault: nobody could use it.',
      hint: 'Write the access key itself; only the secret key must stay secret.',
      details: { field: 'accessKey' },
    })
  }
  return Promise.resolve({
    key,
    url: url.href,
    validUntil: new Date(signer.at + seconds * 1_000).toISOString(),
  })
}

function tooLarge(bytesMax: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The object has more than ${bytesMax} bytes.`,
    hint: 'Raise the limit in the node’s settings; without a file, use one.',
    details: { bytesMax },
  })
}
