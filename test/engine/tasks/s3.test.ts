/** The object store: signatures by the vendor's own examples, and a store of our own that checks each request. */

import { truncateSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { s3Mock } from '../../../src-engine/tasks/s3/mock.ts'
import { createS3Run } from '../../../src-engine/tasks/s3/run.ts'
import { presignedUrl, sha256, signedHeaders } from '../../../src-engine/tasks/s3/signature.ts'
import { s3Spec } from '../../../src-engine/tasks/s3/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const example = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
  region: 'us-east-1',
  at: Date.parse('2013-05-24T00:00:00Z'),
}

test('signatures of the documented examples', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
  const headers = { range: 'bytes=0-9' }
  expect(
    signedHeaders({ method: 'GET', url, headers, bodyHash: sha256('') }, example)['authorization'],
  ).toContain('Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  const list = new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J')
  expect(
    signedHeaders({ method: 'GET', url: list, headers: {}, bodyHash: sha256('') }, example)['authorization'],
  ).toContain('Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
  expect(presignedUrl({ method: 'GET', url }, example, 86_400).href).toContain(
    'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

const keys = { accessKey: 'me', secretKey: 'for-tests-4711' }
const task = createS3Run({ lookup: async () => [] })
const objects = new Map<string, { readonly bytes: Buffer; readonly type: string }>()
let server: Server
let endpoint = ''
let folder = ''

/** What a request's own headers say that its signature must be. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const stamp = String(request.headers['x-amz-date'])
  const at = Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '') ?? []
  const signed = names
    .split(';')
    .filter((name) => !['host', 'x-amz-date', 'x-amz-content-sha256'].includes(name))
  const headers = Object.fromEntries(signed.map((name) => [name, String(request.headers[name])]))
  const url = new URL(request.url ?? '/', endpoint)
  const asked = { method: request.method ?? '', url, headers, bodyHash: sha256(body) }
  const expected = signedHeaders(asked, { ...keys, sessionToken: '', region: 'us-east-1', at })
  return expected['authorization'] === request.headers.authorization
}

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const url = new URL(request.url ?? '/', endpoint)
  const key = decodeURIComponent(url.pathname.replace(/^\/bucket\//, ''))
  const end = (status: number, text: string | Buffer = '', headers: Record<string, string> = {}) => {
    response.writeHead(status, headers)
    response.end(text)
  }
  if (!isSigned(request, body)) return end(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
  if (url.searchParams.has('list-type')) return end(200, listing(url))
  if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
    const { status, text = '', etag = '' } = partly(request, { url, key, body })
    return end(status, text, { etag })
  }
  const found = objects.get(key)
  if (request.method === 'PUT') {
    if (found !== undefined && request.headers['if-none-match'] === '*') return end(412)
    objects.set(key, { bytes: body, type: request.headers['content-type'] ?? '' })
    return end(200, '', { etag: '"abc"' })
  }
  if (request.method === 'DELETE') {
    objects.delete(key)
    return end(204)
  }
  if (found === undefined) return end(404, '<Error><Code>NoSuchKey</Code></Error>')
  if (key === 'cut') {
    response.writeHead(200, { 'content-length': found.bytes.length })
    response.write(found.bytes.subarray(0, 3), () => response.destroy())
    return undefined
  }
  return end(200, found.bytes, { 'content-type': found.type, etag: '"abc"' })
}

interface Upload {
  readonly key: string
  readonly type: string
  readonly parts: Map<number, Buffer>
}
const uploads = new Map<string, Upload>()
/** What becomes of the next requests about parts, before they are looked at: a status, or null for the usual. */
let troubles: (number | null)[] = []
/** The body of a success that is none. */
let falseSuccess = ''
let requests: string[] = []

/** The part of the protocol that is about parts. */
function partly(
  request: IncomingMessage,
  { url, key, body }: { readonly url: URL; readonly key: string; readonly body: Buffer },
): { readonly status: number; readonly text?: string; readonly etag?: string } {
  const number = Number(url.searchParams.get('partNumber') ?? 0)
  requests.push(number === 0 ? `${request.method}` : `${request.method} ${number}`)
  const trouble = request.method === 'DELETE' ? null : (troubles.shift() ?? null)
  if (trouble !== null) return { status: trouble }
  if (url.searchParams.has('uploads')) {
    uploads.set('up 1', { key, type: request.headers['content-type'] ?? '', parts: new Map() })
    return {
      status: 200,
      text: '<InitiateMultipartUploadResult><UploadId>up 1</UploadId></InitiateMultipartUploadResult>',
    }
  }
  const id = url.searchParams.get('uploadId') ?? ''
  const upload = uploads.get(id)
  if (upload === undefined || upload.key !== key) return { status: 404 }
  if (request.method === 'DELETE') {
    uploads.delete(id)
    return { status: 204 }
  }
  if (request.method === 'PUT') {
    upload.parts.set(number, body)
    return { status: 200, etag: `"${sha256(body).slice(0, 32)}"` }
  }
  if (objects.has(key) && request.headers['if-none-match'] === '*') return { status: 412 }
  if (falseSuccess !== '') return { status: 200, text: falseSuccess }
  const named = [...body.toString('utf8').matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"/g)]
  const wanted = named.map(([, n, etag]) => {
    const part = upload.parts.get(Number(n)) ?? Buffer.alloc(0)
    return sha256(part).startsWith(etag ?? 'none') ? part : Buffer.alloc(0)
  })
  objects.set(key, { bytes: Buffer.concat(wanted), type: upload.type })
  uploads.delete(id)
  return {
    status: 200,
    text: '<CompleteMultipartUploadResult><ETag>"whole-3"</ETag></CompleteMultipartUploadResult>',
  }
}

/** Two to a page. */
function listing(url: URL): string {
  const from = url.searchParams.get('continuation-token') ?? ''
  const prefix = url.searchParams.get('prefix') ?? ''
  const all = [...objects.keys()].toSorted().filter((key) => key.startsWith(prefix) && key > from)
  const page = all.slice(0, 2)
  const items = page
    .map((key) => `<Contents><Key>${key}</Key><Size>1</Size><ETag>"e"</ETag></Contents>`)
    .join('')
  const next = all.length > 2 ? `<NextContinuationToken>${page[1]}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult>${items}${next}</ListBucketResult>`
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-s3-'))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  objects.clear()
  uploads.clear()
  troubles = []
  falseSuccess = ''
  requests = []
})

const s3 = async (mode: string, raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(
    await task.execute(
      s3Spec.parameters.parse({ mode, bucket: 'bucket', endpoint, ...keys, ...raw }),
      taskContext({ approvedHosts: ['127.0.0.1'], baseDirectory: folder, ...parts }),
    ),
  )

test.for(['a.txt', 'deep/ü & (b) +c*!.txt', '1=2?3#4%5'])('put, get, delete %s', async (key) => {
  const content = { n: 1 }
  expect(await s3('put', { key, content, contentType: 'application/json' })).toEqual({
    key,
    bytes: 7,
    etag: 'abc',
  })
  expect([...objects.keys()]).toEqual([key])
  expect(await s3('get', { key, as: 'json' })).toMatchObject({ content, contentType: 'application/json' })
  expect(await s3('get', { key, as: 'base64' })).toMatchObject({ content: 'eyJuIjoxfQ==' })
  expect(await s3('delete', { key })).toEqual({ key, deleted: true })
  expect(await thrownBy(() => s3('get', { key }))).toMatchObject({ code: 'object_not_found' })
  expect(await s3('delete', { key })).toMatchObject({ deleted: true })
})

test('files, whole or not at all', async () => {
  await writeFile(join(folder, 'in'), 'from a file')
  await s3('put', { key: 'a', file: 'in' })
  expect(await s3('get', { key: 'a', file: 'out/b' })).toMatchObject({
    path: join(folder, 'out/b'),
    bytes: 11,
  })
  expect(await readFile(join(folder, 'out/b'), 'utf8')).toBe('from a file')
  const small = () => s3('get', { key: 'a', file: 'out/c', maxBytes: 5 })
  expect(await thrownBy(small)).toMatchObject({ code: 'task_output_too_large' })
  expect(await readdir(join(folder, 'out'))).toEqual(['b'])
  await s3('put', { key: 'cut', file: 'in' })
  // What the store did is no matter of the file.
  expect(await thrownBy(() => s3('get', { key: 'cut', file: 'out/d' }))).toMatchObject({
    code: 'connection_failed',
  })
  expect(await readdir(join(folder, 'out'))).toEqual(['b'])
  const outside = () => s3('put', { key: 'a', file: '/etc/passwd' }, { approvedFolders: ['.'] })
  expect(await thrownBy(outside)).toMatchObject({ code: 'file_place_denied' })
})

describe('a large file', () => {
  const part = 5_242_880
  const large = Buffer.alloc(2 * part + 7)
  for (let at = 0; at < large.length; at += 997) large[at] = at % 251
  /** Pauses are over at once. */
  const clock = { ...systemClock, after: soon }
  function soon(span: number, call: () => void): () => void {
    // A deadline is no pause.
    if (span > 5_000) return () => {}
    setImmediate(call)
    return () => {}
  }
  const send = (raw: JsonObject = {}, parts: Partial<TaskContext> = {}) =>
    s3(
      'put',
      { key: 'large', file: 'large', partBytes: part, maxBytes: 100_000_000, ...raw },
      { clock, ...parts },
    )
  beforeAll(() => writeFile(join(folder, 'large'), large))

  test('goes part by part, and is whole there', async () => {
    const context = taskContext({ approvedHosts: ['127.0.0.1'], baseDirectory: folder })
    const output = await send({ contentType: 'image/png' }, { log: context.log })
    expect(output).toEqual({ key: 'large', bytes: large.length, etag: 'whole-3', parts: 3 })
    expect(objects.get('large')?.bytes.equals(large)).toBe(true)
    expect(objects.get('large')?.type).toBe('image/png')
    expect(requests).toEqual(['POST', 'PUT 1', 'PUT 2', 'PUT 3', 'POST'])
    expect(context.lines).toContain('task info Part 2 of 3 is there.')
  })

  test('one that fits into a part goes in one piece', async () => {
    expect(await send({ partBytes: 20_000_000 })).toEqual({ key: 'large', bytes: large.length, etag: 'abc' })
    expect(requests).toEqual([])
  })

  test('a part that is lost on its way is sent again, and only that one', async () => {
    troubles = [null, null, 503, 500]
    expect(await send()).toMatchObject({ parts: 3 })
    expect(requests).toEqual(['POST', 'PUT 1', 'PUT 2', 'PUT 2', 'PUT 2', 'PUT 3', 'POST'])
    expect(objects.get('large')?.bytes.equals(large)).toBe(true)
  })

  test.for<[string, (number | null)[], string]>([
    ['a part fails again and again', [null, 503, 503, 503], 'http_status'],
    ['a part is refused', [null, 403], 'sign_in_refused'],
    ['the end fails', [null, null, null, null, 500], 'http_status'],
  ])('what was sent is taken back when %s', async ([, given, code]) => {
    troubles = given
    expect(await thrownBy(() => send())).toMatchObject({ code })
    expect(requests.at(-1)).toBe('DELETE')
    expect([uploads.size, objects.size]).toEqual([0, 0])
  })

  test('a success that tells of an error is none', async () => {
    falseSuccess = '<Error><Code>InternalError</Code><Message>try again</Message></Error>'
    expect(await thrownBy(() => send())).toMatchObject({
      code: 'task_failed',
      retryable: true,
      message: expect.stringContaining('try again') as string,
    })
    expect([uploads.size, objects.size]).toEqual([0, 0])
  })

  test('an object that is there stays, where that is wished', async () => {
    objects.set('large', { bytes: Buffer.from('old'), type: '' })
    expect(await thrownBy(() => send({ existing: 'fail' }))).toMatchObject({ code: 'file_exists' })
    expect(objects.get('large')?.bytes.toString()).toBe('old')
    expect(uploads.size).toBe(0)
  })

  test('cancelling takes back what was sent, too', async () => {
    const stop = new AbortController()
    const log: TaskContext['log'] = ({ text }) => {
      if (text.startsWith('Part 1')) stop.abort()
    }
    expect(await thrownBy(() => send({}, { signal: stop.signal, log }))).toMatchObject({
      code: 'task_cancelled',
    })
    expect(requests.at(-1)).toBe('DELETE')
    expect([uploads.size, objects.size]).toEqual([0, 0])
  })

  test('one that somebody writes to meanwhile is not half old and half new', async () => {
    const log: TaskContext['log'] = ({ text }) => {
      if (text.startsWith('Part 2')) truncateSync(join(folder, 'large'), part)
    }
    expect(await thrownBy(() => send({}, { log }))).toMatchObject({
      code: 'task_failed',
      message: expect.stringContaining('was changed') as string,
    })
    expect([uploads.size, objects.size]).toEqual([0, 0])
    await writeFile(join(folder, 'large'), large)
  })

  test('more than the step may move, and parts that no store takes', async () => {
    expect(await thrownBy(() => send({ maxBytes: 10_000_000 }))).toMatchObject({
      code: 'task_output_too_large',
    })
    const small = { mode: 'put', bucket: 'bucket', key: 'a', ...keys, partBytes: 1_000 }
    expect(s3Spec.parameters.safeParse(small).success).toBe(false)
  })
})

test('an object that is there stays, where that is wished', async () => {
  await s3('put', { key: 'a', content: 'one', existing: 'fail' })
  expect(await thrownBy(() => s3('put', { key: 'a', content: 'two', existing: 'fail' }))).toMatchObject({
    code: 'file_exists',
  })
  await s3('put', { key: 'a', content: 'two' })
  expect(await s3('get', { key: 'a' })).toMatchObject({ content: 'two' })
})

test('lists page by page, up to its limit', async () => {
  for (const key of ['p q/1', 'p q/2', 'p q/3', 'p q/4', 'p q/5', 'other'])
    objects.set(key, { bytes: Buffer.from('x'), type: '' })
  const all = await s3('list', { prefix: 'p q/' })
  expect(all).toMatchObject({ count: 5, isCut: false })
  expect((all as JsonObject)['objects']).toContainEqual({ key: 'p q/5', bytes: 1, changedAt: '', etag: 'e' })
  expect(await s3('list', { prefix: 'p q/', maxKeys: 2 })).toMatchObject({ count: 2, isCut: true })
  expect(await s3('list', { prefix: 'none' })).toMatchObject({ count: 0, objects: [] })
})

test('an address by which somebody may put an object is signed for that', async () => {
  const given = (await s3('presign', { key: 'up', signedFor: 'put' })) as { readonly url: string }
  const read = (await s3('presign', { key: 'up' })) as { readonly url: string }
  expect(given).toMatchObject({ method: 'PUT' })
  expect(read).toMatchObject({ method: 'GET' })
  const url = new URL(given.url)
  const stamp = url.searchParams.get('X-Amz-Date') ?? ''
  const at = Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const plain = new URL(url.pathname, url)
  const signer = { ...keys, sessionToken: '', region: 'us-east-1', at }
  expect(given.url).toBe(presignedUrl({ method: 'PUT', url: plain }, signer, 3_600).href)
  expect(given.url).not.toBe(presignedUrl({ method: 'GET', url: plain }, signer, 3_600).href)
})

test('a signed address, and none that nobody could use', async () => {
  const output = (await s3('presign', { key: 'a b', validMs: 60_000 })) as JsonObject
  expect(output['url']).toMatch(/\/bucket\/a%20b\?.*X-Amz-Expires=60&.*X-Amz-Signature=[0-9a-f]{64}$/)
  const secrets = {
    checkHost: () => {},
    add: () => {},
    isIn: (text: string) => text.includes('me%2F'),
    redact: String,
  }
  expect(await thrownBy(() => s3('presign', { key: 'a' }, { secrets }))).toMatchObject({
    code: 'task_input_invalid',
  })
})

test('a wrong key, a way out, a place that nobody approved, nobody there', async () => {
  const wrong = { key: 'a', secretKey: 'wrong' }
  expect(await thrownBy(() => s3('get', wrong))).toMatchObject({ code: 'sign_in_refused' })
  expect(await thrownBy(() => s3('get', { key: '../other/a' }))).toMatchObject({ code: 'task_input_invalid' })
  expect(await thrownBy(() => s3('get', { key: 'a' }, { approvedHosts: [] }))).toMatchObject({
    code: 'http_address_denied',
  })
  expect(await thrownBy(() => s3('get', { key: 'a', endpoint: 'http://127.0.0.1:9' }))).toMatchObject({
    code: 'connection_failed',
  })
  expect(s3Spec.parameters.safeParse({ mode: 'get', bucket: 'bucket', ...keys }).success).toBe(false)
})

test('the mock asks no store', () => {
  for (const mode of ['get', 'put', 'list', 'delete', 'presign']) {
    const parameters = s3Spec.parameters.parse({ mode, bucket: 'bucket', key: 'a', ...keys })
    expect(s3Mock(parameters, taskContext())).toMatchObject({ kind: 'completed' })
  }
})
