/** Files in requests: sent alone or as parts of a form, and written from what comes back. */

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { httpRequestMock } from '../../../src-engine/tasks/http-request/mock.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const task = createHttpRequestRun({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  evaluate: async () => null,
})
const large = Buffer.alloc(300_000, 'abc')
let server: Server
let base = ''
let folder = ''
let arrived: { readonly type: string; readonly body: Buffer }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrived.push({ type: String(request.headers['content-type']), body: Buffer.concat(chunks) })
      const { url } = request
      if (url === '/gone') response.writeHead(404).end('nothing here')
      else if (url === '/moved') response.writeHead(302, { location: '/large' }).end('see there')
      else if (url === '/again') response.writeHead(307, { location: '/' }).end()
      else if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
      else if (url === '/cut') {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half', () => response.destroy())
      } else response.end(url === '/large' ? large : String(request.headers['accept-encoding']))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://here.example:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  arrived = []
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-http-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function send(raw: JsonObject, parts: Partial<TaskContext> = {}): Promise<JsonObject> {
  const parameters = httpRequestSpec.parameters.parse({ url: `${base}/`, ...raw })
  const context = taskContext({ approvedHosts: ['here.example'], baseDirectory: folder, ...parts })
  return outputOf(await task.execute(parameters, context)) as JsonObject
}
const post = (body: JsonObject, parts: Partial<TaskContext> = {}, url = `${base}/`) =>
  send({ method: 'POST', url, body }, parts)

describe('sent', () => {
  test('a file, as it is', async () => {
    await writeFile(join(folder, 'a.bin'), Buffer.from([0, 255, 10]))
    await post({ kind: 'file', file: 'a.bin' })
    await post({ kind: 'file', file: 'a.bin', contentType: 'image/png' })
    expect(arrived.map(({ type, body }) => [type, [...body]])).toEqual([
      ['application/octet-stream', [0, 255, 10]],
      ['image/png', [0, 255, 10]],
    ])
  })

  test('fields and files of a form, which another program reads as they were meant', async () => {
    await writeFile(join(folder, 'b "x".csv'), 'a;b\r\n')
    const parts = [
      { name: 'title', value: 'Größe\r\n--x' },
      { name: 'count', value: 3 },
      { name: 'da"ta', file: 'b "x".csv', contentType: 'text/csv' },
    ]
    await post({ kind: 'multipart', parts })
    const [first] = arrived
    if (first === undefined) throw new Error('it arrived')
    const form = await new Response(new Uint8Array(first.body), {
      headers: { 'content-type': first.type },
    }).formData()
    expect([...form.keys()]).toEqual(['title', 'count', 'da"ta'])
    expect(form.get('title')).toBe('Größe\r\n--x')
    const file = form.get('da"ta')
    if (!(file instanceof File)) throw new Error('it is a file')
    expect([file.name, file.type, await file.text()]).toEqual(['b "x".csv', 'text/csv', 'a;b\r\n'])
    // The same in every attempt.
    await post({ kind: 'multipart', parts })
    expect(arrived[1]).toEqual(first)
  })

  test('a name can’t begin another part, and a content type no other header', async () => {
    const name = 'a"\r\nX-Evil: 1\r\n\r\nb'
    await post({ kind: 'multipart', parts: [{ name, value: 'x' }] })
    const text = String(arrived[0]?.body)
    expect(text).not.toContain('\r\nX-Evil')
    expect(text).toContain('name="a%22%0D%0AX-Evil: 1%0D%0A%0D%0Ab"')
    const parts = [{ name: 'a', value: 'x', contentType: 'text/plain\r\nX-Evil: 1' }]
    expect(await thrownBy(() => post({ kind: 'multipart', parts }))).toMatchObject({
      code: 'task_input_invalid',
    })
  })

  test('a redirect that repeats the request repeats its files', async () => {
    await writeFile(join(folder, 'a.txt'), 'hello')
    await post({ kind: 'file', file: 'a.txt' }, {}, `${base}/again`)
    expect(arrived.map(({ body }) => String(body))).toEqual(['hello', 'hello'])
  })

  test.for<[string, JsonObject, string]>([
    ['what is not there', { kind: 'file', file: 'none' }, 'file_not_found'],
    ['a folder', { kind: 'file', file: 'sub' }, 'file_not_accessible'],
    ['outside of the approved folders', { kind: 'file', file: '/etc/hostname' }, 'file_place_denied'],
    [
      'outside of them as a part',
      { kind: 'multipart', parts: [{ name: 'a', file: '/etc/hostname' }] },
      'file_place_denied',
    ],
    ['more than a body may have', { kind: 'text', text: 'x'.repeat(50_000_001) }, 'task_output_too_large'],
  ])('%s is refused before anything is sent', async ([, body, code]) => {
    await mkdir(join(folder, 'sub'))
    expect(await thrownBy(() => post(body, { approvedFolders: ['.'] }))).toMatchObject({ code })
    expect(arrived).toEqual([])
  })
})

describe('written', () => {
  const save = (path: string, raw: JsonObject = {}, parts: Partial<TaskContext> = {}) =>
    send({ url: `${base}${path}`, response: 'file', file: 'out/got.bin', ...raw }, parts)

  test('in one piece, with what it is known by', async () => {
    const output = await save('/moved')
    const path = join(folder, 'out', 'got.bin')
    const sha256 = createHash('sha256').update(large).digest('hex')
    expect(output).toMatchObject({
      status: 200,
      body: { path, bytes: 300_000, sha256 },
      url: `${base}/large`,
    })
    expect(await readFile(path)).toEqual(large)
    expect(await readdir(join(folder, 'out'))).toEqual(['got.bin'])
    await save('/')
    expect(await readFile(path, 'utf8')).toBe('identity')
  })

  test.for<[string, JsonObject, string]>([
    ['/large', { maxFileBytes: 299_999 }, 'http_too_large'],
    ['/gone', {}, 'http_status'],
    ['/cut', {}, 'http_unreachable'],
    ['/packed', {}, 'task_failed'],
  ])('%s %o: %s, and the file is as it was', async ([path, raw, code]) => {
    await mkdir(join(folder, 'out'))
    await writeFile(join(folder, 'out', 'got.bin'), 'old')
    expect(await thrownBy(() => save(path, raw))).toMatchObject({ code })
    expect(await readdir(join(folder, 'out'))).toEqual(['got.bin'])
    expect(await readFile(join(folder, 'out', 'got.bin'), 'utf8')).toBe('old')
  })

  test.for(['/tmp/elsewhere.bin', '../up.bin', '.git/hooks/pre-commit'])('to %s is refused', async (file) => {
    const thrown = await thrownBy(() => save('/large', { file }, { approvedFolders: ['.'] }))
    expect(thrown).toMatchObject({ code: 'file_place_denied' })
  })

  test('on mocks nothing is, and its place is told all the same', () => {
    const raw = { url: `${base}/`, response: 'file', file: 'got.bin' }
    const body = { path: 'got.bin', bytes: 0, sha256: '' }
    expect(httpRequestMock(httpRequestSpec.parameters.parse(raw), taskContext())).toMatchObject({
      output: { status: 200, body },
    })
  })

  test('nothing is written of an error, and its words are told', async () => {
    expect(await thrownBy(() => save('/gone'))).toMatchObject({ details: { body: 'nothing here' } })
  })

  test('without a name, or page after page, it is no request', () => {
    const url = 'http://a.example/'
    for (const raw of [{}, { file: 'a', pages: { kind: 'link' } }])
      expect(httpRequestSpec.parameters.safeParse({ url, response: 'file', ...raw }).success).toBe(false)
  })
})
