/** Reading and writing files: relative to the workflow, up to a limit, and whole or not at all. */

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { openKept } from '../../../src-engine/tasks/files/kept.ts'
import { undoFilesRun } from '../../../src-engine/tasks/files/undo.ts'
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

describe('in another encoding', () => {
  test.for<[string, number[]]>([
    ['utf-8', [0xc3, 0xa4, 0x21]],
    ['utf-16le', [0xe4, 0, 0x21, 0]],
    ['latin1', [0xe4, 0x21]],
  ])('%s goes there and back', async ([encoding, bytes]) => {
    await write({ path: 'a', content: 'ä!', encoding })
    expect([...(await readFile(join(folder, 'a')))]).toEqual(bytes)
    expect(await read({ path: 'a', encoding })).toMatchObject({ content: 'ä!' })
  })

  test('a mark says so at the beginning of a new file, and is no part of the text', async () => {
    const raw = { path: 'a', encoding: 'utf-16le', byteOrderMark: true, mode: 'append' }
    await write({ ...raw, content: 'x' })
    await write({ ...raw, content: 'y' })
    expect([...(await readFile(join(folder, 'a')))]).toEqual([0xff, 0xfe, 0x78, 0, 0x79, 0])
    expect(await read({ path: 'a', encoding: 'utf-16le' })).toMatchObject({ content: 'xy' })
  })

  test('a letter that it hasn’t is refused before anything is written', async () => {
    const failed = await thrownBy(() => write({ path: 'a', content: 'a€', encoding: 'latin1' }))
    expect(failed).toMatchObject({ code: 'task_input_invalid', details: { letter: '€', at: 1 } })
    expect(await readdir(folder)).toEqual([])
  })
})

describe('what is there already', () => {
  test('may be left, or fail the step', async () => {
    await writeFile(join(folder, 'a'), 'old')
    expect(await write({ path: 'a', content: 'new', mode: 'skip' })).toMatchObject({
      ...{ skipped: true, undo: [] },
    })
    expect(await thrownBy(() => write({ path: 'a', content: 'new', mode: 'fail' }))).toMatchObject({
      code: 'file_exists',
    })
    expect(await text('a')).toBe('old')
    expect(await readdir(folder)).toEqual(['a'])
    await write({ path: 'b', content: 'new', mode: 'fail' })
    expect(await text('b')).toBe('new')
  })

  test('is known as its own by a repetition', async () => {
    const raw = { path: 'a', content: 'new', mode: 'fail' }
    // The attempt before has died: it opened its place, wrote the file, and could not say so.
    await write(raw)
    await openKept(join(folder, 'a'), 'key-1', context().clock)
    expect(await write(raw)).toMatchObject({ bytes: 3, undo: [{ kind: 'made' }] })
    await openKept(join(folder, 'a'), 'key-1', context().clock)
    expect(await thrownBy(() => write({ ...raw, content: 'other' }))).toMatchObject({ code: 'file_exists' })
  })
})

describe('a written file is taken back', () => {
  const undo = async (output: unknown) => {
    const { undo: changes } = output as { readonly undo: unknown }
    return outputOf(await undoFilesRun.execute({ changes }, context()))
  }

  test('a new one goes, a replaced one returns, and what was added goes', async () => {
    const made = await write({ path: 'new', content: 'x' })
    expect(await undo(made)).toEqual({ undone: [join(folder, 'new')] })
    await writeFile(join(folder, 'a'), 'old')
    const replaced = await write({ path: 'a', content: 'newer' })
    const added = await write({ path: 'a', content: '+more', mode: 'append' }, { idempotencyKey: 'key-2' })
    expect(await text('a')).toBe('newer+more')
    await undo(added)
    expect(await text('a')).toBe('newer')
    await undo(replaced)
    expect(await text('a')).toBe('old')
    expect(await readdir(folder)).toEqual(['a'])
  })

  test('not over somebody else’s change, and not where nothing was kept', async () => {
    const made = await write({ path: 'new', content: 'x' })
    await writeFile(join(folder, 'new'), 'changed by hand')
    expect(await thrownBy(() => undo(made))).toMatchObject({ code: 'task_failed' })
    const replaced = await write({ path: 'new', content: 'y', keep: false })
    expect(replaced).toMatchObject({ undo: [] })
    expect(await readdir(folder)).toEqual(['new'])
  })

  test('is what the designer offers for it', () => {
    expect(writeFileSpec.undoneBy()).toMatchObject({ kind: 'undo-files' })
  })
})
