/** Works on objects of a store, by signed requests to a checked place. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import { writeBody } from '../body-file.ts'
import { parsedXml } from '../data/xml.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace } from '../file-place.ts'
import type { GuardedResponse } from '../guarded-request.ts'
import { responseText } from '../guarded-request.ts'
import { bodyBytes } from '../http-request/incoming.ts'
import { parseJson, plainText } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { objectAddress } from './address.ts'
import type { StoreCall } from './ask-store.ts'
import { askStore, signerOf, toldOf, tooLarge } from './ask-store.ts'
import { putObject } from './put.ts'
import { presignedUrl } from './signature.ts'
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

const works: Readonly<Record<S3Parameters['mode'], (call: StoreCall) => Promise<JsonObject>>> = {
  get,
  put: putObject,
  list,
  delete: remove,
  presign,
}

async function get(call: StoreCall): Promise<JsonObject> {
  const { parameters, context } = call
  const { key, file, maxBytes } = parameters
  const url = objectAddress(parameters, key)
  if (file.trim() !== '') {
    const path = await filePlace(file, context, 'write')
    return askStore(call, { method: 'GET', url, body: null }, async (response) => ({
      ...(await savedFile(response, path, call)),
      ...toldOf(response),
    }))
  }
  const bytesMax = Math.min(maxBytes, taskOutputBytesMax)
  return askStore(call, { method: 'GET', url, body: null }, async (response) => {
    const bytes = await bodyBytes(response.body, {}, bytesMax)
    return { key, bytes: bytes.length, content: contentOf(bytes, parameters), ...toldOf(response) }
  })
}

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
  { parameters, context, signal }: StoreCall,
): Promise<JsonObject> {
  const { key, file, maxBytes } = parameters
  let bytes = 0
  const look = (chunk: Uint8Array): void => {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
  }
  await writeBody(response.body, { path, file, idempotencyKey: context.idempotencyKey, signal, look })
  return { key, bytes, path }
}

/** A key that isn't there is as deleted as one that was. */
async function remove(call: StoreCall): Promise<JsonObject> {
  const { parameters } = call
  const url = objectAddress(parameters, parameters.key)
  return askStore(call, { method: 'DELETE', url, body: null }, async (response) => {
    await responseText(response, 100_000)
    return { key: parameters.key, deleted: true }
  })
}

async function list(call: StoreCall): Promise<JsonObject> {
  const { prefix, maxKeys } = call.parameters
  const objects: JsonObject[] = []
  let token = ''
  for (;;) {
    const url = objectAddress(call.parameters, '')
    url.searchParams.set('list-type', '2')
    url.searchParams.set('max-keys', String(Math.min(1_000, maxKeys - objects.length)))
    if (prefix !== '') url.searchParams.set('prefix', prefix)
    if (token !== '') url.searchParams.set('continuation-token', token)
    const page = await askStore(call, { method: 'GET', url, body: null }, (response) =>
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

function presign(call: StoreCall): Promise<JsonObject> {
  const { parameters } = call
  const { key, validMs, signedFor } = parameters
  const signer = signerOf(call)
  const seconds = Math.ceil(validMs / 1_000)
  const method = signedFor === 'put' ? 'PUT' : 'GET'
  const url = presignedUrl({ method, url: objectAddress(parameters, key) }, signer, seconds)
  if (call.context.secrets?.isIn(url.href.replace(/X-Amz-Signature=.*$/, '')) === true) {
    throw new SagasmithError('task_input_invalid', {
      message: 'A signed address holds the access key, and this one is in the vault: nobody could use it.',
      hint: 'Write the access key itself; only the secret key must stay secret.',
      details: { field: 'accessKey' },
    })
  }
  return Promise.resolve({
    key,
    method,
    url: url.href,
    validUntil: new Date(signer.at + seconds * 1_000).toISOString(),
  })
}
