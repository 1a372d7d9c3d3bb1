/** Reading and writing files: relative to the workflow, up to a limit, and whole or not at all. */

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { readFileRun } from '../../../src-engine/tasks/read-file/run.ts'
import { readFileSpec } from '../../../src-engine/tasks/read-file/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { writeFileRun } from '../../../src-engine/tasks/write-file/run.ts'
import { writeFileSpec } from '../../../src-engine/tasks/write-file/spec.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const context = (parts: Partial<TaskContext> = {}) => taskContext({ baseDirectory: folder, ...parts })
const read = async (raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(await readFileRun.execute(readFileSpec.parameters.parse(raw), context(parts)))
const write = async (raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(await writeFileRun.execute(writeFileSpec.parameters.parse(raw), context(parts)))
const text = (name: string) => readFile(join(folder, name), 'utf8')

describe('read', () => {
  test.for<[string, string, unknown]>([
    ['text', '\uFEFFone\r\ntwo\n', 'one\r\ntwo\n'],
    ['lines', 'one\r\ntwo\n\nfour', ['one', 'two', '', 'four']],
    ['json', '{"a":[1]}', { a: [1] }],
    ['base64', 'hi', 'aGk='],
  ])('as %s', async ([format, content, expected]) => {
    await writeFile(join(folder, 'a'), content)
    expect(await read({ path: 'a', format })).toEqual({
      path: join(folder, 'a'),
      bytes: Buffer.byteLength(content),
      content: expected,
    })
  })

  test('an absolute path needs no place of the workflow', async () => {
    await writeFile(join(folder, 'a'), 'x')
    expect(await read({ path: join(folder, 'a') }, { baseDirectory: null })).toMatchObject({ content: 'x' })
  })

  test.for<[string, JsonObject, Partial<TaskContext>]>([
    ['file_not_found', { path: 'missing' }, {}],
    ['file_not_found', { path: 'a/inside' }, {}],
    ['file_not_accessible', { path: '.' }, {}],
    ['task_input_invalid', { path: 'a' }, { baseDirectory: null }],
    ['task_input_invalid', { path: 'a\0b' }, {}],
    ['task_output_too_large', { path: 'a', maxBytes: 3 }, {}],
    ['task_failed', { path: 'a', format: 'json' }, {}],
    ['task_cancelled', { path: 'a' }, { signal: AbortSignal.abort() }],
  ])('%s: %o', async ([code, raw, parts]) => {
    await writeFile(join(folder, 'a'), 'not json')
    expect(await thrownBy(() => read(raw, parts))).toMatchObject({ code })
  })

  test('a device that says it is empty is still limited', async () => {
    expect(await thrownBy(() => read({ path: '/dev/zero', maxBytes: 100 }))).toMatchObject({
      code: 'task_output_too_large',
    })
  })
})

describe('write', () => {
  test.for<[string, unknown, string]>([
    ['auto', 'as it is', 'as it is'],
    ['auto', { a: 1 }, '{\n  "a": 1\n}\n'],
    ['text', { a: 1 }, '{"a":1}'],
    ['json', 'x', '"x"\n'],
    ['jsonl', [{ a: 1 }, 2], '{"a":1}\n2\n'],
    ['base64', 'aGk=', 'hi'],
  ])('%s %o', async ([format, content, expected]) => {
    await write({ path: 'new/deep/a', format, content: content as JsonObject })
    expect(await text('new/deep/a')).toBe(expected)
    expect(await readdir(join(folder, 'new/deep'))).toEqual(['a'])
  })

  test('the old content is replaced, or added to', async () => {
    await writeFile(join(folder, 'a'), 'old long content')
    await write({ path: 'a', content: 'new' })
    expect(await text('a')).toBe('new')
    await write({ path: 'a', content: '+more', mode: 'append' })
    expect(await text('a')).toBe('new+more')
    await write({ path: 'b', content: 'first', mode: 'append' })
    expect(await text('b')).toBe('first')
  })

  test('a link stays a link, and what it points to is written', async () => {
    await writeFile(join(folder, 'target'), 'old')
    await symlink(join(folder, 'target'), join(folder, 'link'))
    await write({ path: 'link', content: 'new' })
    expect(await readlink(join(folder, 'link'))).toBe(join(folder, 'target'))
    expect(await text('target')).toBe('new')
  })

  test('a cancelled write leaves the old file, and no part of the new one', async () => {
    await writeFile(join(folder, 'a'), 'old')
    let looks = 0
    // Aborted once the content is on disk, right before it would take its place.
    const signal = new Proxy(AbortSignal.abort(), {
      get: (target, name) => (name === 'aborted' ? (looks += 1) > 1 : Reflect.get(target, name)),
    })
    const failure = await thrownBy(() => write({ path: 'a', content: 'x'.repeat(1_000_000) }, { signal }))
    expect(failure).toMatchObject({ code: 'task_cancelled' })
    expect(looks).toBe(2)
    expect(await readdir(folder)).toEqual(['a'])
    expect(await text('a')).toBe('old')
  })

  test('a repetition after a crash reuses the temporary file of the first try', async () => {
    const key = createHash('sha256').update('key-1').digest('hex').slice(0, 16)
    await writeFile(join(folder, `.a.${key}.tmp`), 'half')
    await write({ path: 'a', content: 'two' })
    expect(await readdir(folder)).toEqual(['a'])
    expect(await text('a')).toBe('two')
  })

  test.for<[string, JsonObject]>([
    ['file_not_accessible', { path: '.', content: 'x' }],
    ['file_not_accessible', { path: 'folder', content: 'x' }],
    ['task_input_invalid', { path: 'a', content: 'no base64!', format: 'base64' }],
    ['task_input_invalid', { path: 'a', content: 7, format: 'base64' }],
    ['file_not_accessible', { path: 'file/inside', content: 'x' }],
    ['file_not_accessible', { path: 'n'.repeat(300), content: 'x' }],
  ])('%s: %o', async ([code, raw]) => {
    await mkdir(join(folder, 'folder'))
    await writeFile(join(folder, 'file'), '')
    const failure = await thrownBy(() => write(raw))
    expect(failure).toMatchObject({ code })
    expect((await readdir(folder)).sort()).toEqual(['file', 'folder'])
  })
})
