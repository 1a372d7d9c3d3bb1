/** Steps with whole files: in one piece, once, inside of what is allowed, and back again. */

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { taskMocksByKind } from '../../../src-engine/tasks/mocks.ts'
import { createTaskRuns } from '../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { rawZip } from '../../support/raw-zip.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const host = { start: () => Promise.reject(new Error('no process in this test')) as never }
const runs = createTaskRuns({
  sandbox: host,
  packages: { allowed: [], folder: '' },
  environment: {},
  lookup: async () => [],
  evaluate: async () => null,
  sqlite: host,
})

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-steps-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (...names: readonly string[]): string => join(folder, ...names)
const step = async (kind: string, raw: JsonObject, parts: Partial<TaskContext> = {}) => {
  const parameters = taskSpecsByKind.get(kind)?.parameters.parse(raw)
  const outcome = await runs.get(kind)?.execute(parameters, taskContext({ baseDirectory: folder, ...parts }))
  if (outcome === undefined) throw new Error(`no kind ${kind}`)
  return outputOf(outcome) as JsonObject
}
const put = async (name: string, text: string) => {
  await mkdir(join(at(name), '..'), { recursive: true })
  await writeFile(at(name), text)
}
const text = (name: string): Promise<string> => readFile(at(name), 'utf8')
const names = async (name = ''): Promise<readonly string[]> => (await readdir(at(name))).sort()
const undo = (output: JsonObject) => step('undo-files', { changes: output['undo'] ?? null })

describe('list', () => {
  beforeEach(async () => {
    for (const name of ['a.csv', 'b.txt', 'deep/c.csv', 'deep/er/d.csv', '.hidden']) await put(name, name)
    await symlink('/etc', at('link'))
    await utimes(at('b.txt'), 1, 1)
  })

  test.for<[JsonObject, readonly string[]]>([
    [{}, ['a.csv', 'b.txt', 'link']],
    [{ pattern: '*.csv' }, ['a.csv']],
    [{ pattern: '**/*.csv' }, ['a.csv', 'deep/c.csv', 'deep/er/d.csv']],
    [{ pattern: '**', kinds: 'folders' }, ['deep', 'deep/er']],
    [{ hidden: true, pattern: '.*' }, ['.hidden']],
    [{ sort: 'oldest', pattern: '*.*' }, ['b.txt', 'a.csv']],
  ])('%o', async ([raw, expected]) => {
    const { files } = await step('list-files', { folder: '.', ...raw })
    expect((files as readonly JsonObject[]).map(({ name }) => name)).toEqual(expected)
  })

  test('tells size and time, and has a limit', async () => {
    const { files } = await step('list-files', { folder: '.', pattern: 'b.txt' })
    const one = { path: at('b.txt'), name: 'b.txt', kind: 'file', bytes: 5 }
    expect(files).toEqual([{ ...one, changedAt: '1970-01-01T00:00:01.000Z' }])
    const work = () => step('list-files', { folder: '.', pattern: '**', maxEntries: 2 })
    expect(await thrownBy(work)).toMatchObject({ code: 'task_output_too_large' })
    const missing = () => step('list-files', { folder: 'nowhere' })
    expect(await thrownBy(missing)).toMatchObject({ code: 'file_not_found' })
  })
})

describe('hash', () => {
  test('of a file, and against what it should be', async () => {
    await put('a', 'content')
    const hash = createHash('sha256').update('content').digest('hex')
    expect(await step('hash-file', { path: 'a', expected: `SHA256:${hash}` })).toEqual({
      ...{ path: at('a'), bytes: 7, algorithm: 'sha256', hash },
    })
    expect(await thrownBy(() => step('hash-file', { path: 'a', expected: 'other' }))).toMatchObject({
      code: 'task_failed',
      retryable: false,
      details: { hash },
    })
  })
})

describe('copy and move', () => {
  test('a copy, and back', async () => {
    await put('a', 'one')
    const output = await step('copy-file', { from: 'a', to: 'new/b' })
    expect(output).toMatchObject({ from: at('a'), to: at('new/b'), bytes: 3, skipped: false })
    expect(await names('new')).toEqual(['b'])
    expect(await undo(output)).toEqual({ undone: [at('new/b')] })
    expect(await names('new')).toEqual([])
    expect(await undo(output)).toEqual({ undone: [] })
  })

  test('a move, and back', async () => {
    await put('a', 'one')
    const output = await step('copy-file', { mode: 'move', from: 'a', to: 'b' })
    expect(await names()).toEqual(['b'])
    await undo(output)
    expect(await names()).toEqual(['a'])
  })

  test.for<[string, string]>([
    ['copy', 'file'],
    ['move', 'file'],
    ['copy', 'folder'],
    ['move', 'folder'],
  ])('what was replaced comes back: %s of a %s', async ([mode, what]) => {
    const inside = what === 'folder' ? '/x' : ''
    await put(`a${inside}`, 'new')
    await put(`b${inside}`, 'old')
    const output = await step('copy-file', { mode, from: 'a', to: 'b', existing: 'replace' })
    expect(await text(`b${inside}`)).toBe('new')
    await undo(output)
    expect(await text(`a${inside}`)).toBe('new')
    expect(await text(`b${inside}`)).toBe('old')
    expect(await names()).toEqual(['a', 'b'])
  })

  test('what is there stays, where that is wished', async () => {
    await put('a', 'new')
    await put('b', 'old')
    expect(await thrownBy(() => step('copy-file', { from: 'a', to: 'b' }))).toMatchObject({
      code: 'file_exists',
    })
    expect(await step('copy-file', { from: 'a', to: 'b', existing: 'skip' })).toMatchObject({ skipped: true })
    expect(await text('b')).toBe('old')
    expect(await names()).toEqual(['a', 'b'])
  })

  test('a repetition after a crash knows its own doing', async () => {
    await put('a', 'one')
    // The attempt before died after the move: its place was not tidied up.
    const parts = { idempotencyKey: 'key-crash' }
    const key = createHash('sha256')
      .update('key-crash')
      .update('\0')
      .update(at('b'))
      .digest('hex')
      .slice(0, 24)
    await mkdir(at('.sagasmith-kept', key), { recursive: true })
    await writeFile(at('b'), 'one')
    await rm(at('a'))
    expect(await step('copy-file', { mode: 'move', from: 'a', to: 'b' }, parts)).toMatchObject({
      to: at('b'),
    })
    expect(await names()).toEqual(['b'])
  })

  test('a file that was changed since is not removed', async () => {
    await put('a', 'one')
    const output = await step('copy-file', { from: 'a', to: 'b' })
    await writeFile(at('b'), 'somebody’s work')
    expect(await thrownBy(() => undo(output))).toMatchObject({ code: 'task_failed', retryable: false })
    expect(await text('b')).toBe('somebody’s work')
  })

  test('nothing is moved over what came meanwhile', async () => {
    await put('a', 'one')
    const output = await step('copy-file', { mode: 'move', from: 'a', to: 'b' })
    await put('a', 'another')
    expect(await thrownBy(() => undo(output))).toMatchObject({ code: 'file_exists' })
  })

  test.for<[string, JsonObject, Partial<TaskContext>]>([
    ['file_not_found', { from: 'missing', to: 'b' }, {}],
    ['task_input_invalid', { from: 'a', to: 'a' }, {}],
    ['task_input_invalid', { from: '.', to: 'a/b' }, {}],
    ['task_cancelled', { from: 'a', to: 'b' }, { signal: AbortSignal.abort() }],
  ])('%s: %o', async ([code, raw, parts]) => {
    await put('a', 'one')
    expect(await thrownBy(() => step('copy-file', raw, parts))).toMatchObject({ code })
    expect(await names()).toEqual(['a'])
  })
})

describe('delete', () => {
  test('a file comes back', async () => {
    await put('a', 'one')
    const output = await step('delete-file', { path: 'a' })
    expect(output).toMatchObject({ deleted: true })
    expect(await names()).toEqual(['.sagasmith-kept'])
    expect(await step('delete-file', { path: 'a' })).toMatchObject({ deleted: true })
    await undo(output)
    expect(await text('a')).toBe('one')
    expect(await names()).toEqual(['a'])
  })

  test('a folder only when folders are meant; a link, never what it leads to', async () => {
    await put('deep/a', 'one')
    await symlink(at('deep'), at('link'))
    expect(await thrownBy(() => step('delete-file', { path: 'deep' }))).toMatchObject({
      code: 'file_not_accessible',
    })
    await step('delete-file', { path: 'link', keep: false })
    expect(await names()).toEqual(['deep'])
    await step('delete-file', { path: 'deep', folders: true, keep: false })
    expect(await names()).toEqual([])
  })

  test('nothing there is as wished', async () => {
    expect(await step('delete-file', { path: 'a' })).toMatchObject({ deleted: false, undo: [] })
    for (const keep of [true, false]) {
      const work = () => step('delete-file', { path: 'a', missing: 'fail', keep })
      expect(await thrownBy(work)).toMatchObject({ code: 'file_not_found' })
    }
    expect(await names()).toEqual([])
  })

  test('what is kept goes after a week', async () => {
    await put('old', 'x')
    await put('new', 'x')
    await step('delete-file', { path: 'old' })
    const [name = ''] = await names('.sagasmith-kept')
    await utimes(at('.sagasmith-kept', name), 1, 1)
    await step('delete-file', { path: 'new' }, { idempotencyKey: 'key-2' })
    expect(await names('.sagasmith-kept')).toHaveLength(1)
  })

  test.for(['.', '..', '/', homedir()])('never %s', async (path) => {
    const work = () => step('delete-file', { path, folders: true, keep: false })
    expect(await thrownBy(work)).toMatchObject({ code: 'file_place_denied' })
  })
})

describe('places', () => {
  const approvedFolders = ['.']

  test.for<[string, JsonObject]>([
    ['read-file', { path: 'link/passwd' }],
    ['read-file', { path: '../x' }],
    ['write-file', { path: 'link/new', content: 'x' }],
    ['list-files', { folder: 'link' }],
    ['hash-file', { path: '/etc/passwd' }],
    ['copy-file', { from: '/etc/passwd', to: 'b' }],
    ['copy-file', { from: 'a', to: 'link/b' }],
    ['delete-file', { path: 'link/passwd' }],
    ['zip-files', { from: '/etc', to: 'b.zip' }],
    ['unzip-file', { from: 'a', to: 'link/b' }],
  ])('%s leaves not the folders that are named: %o', async ([kind, raw]) => {
    await put('a', 'one')
    await symlink('/etc', at('link'))
    expect(await thrownBy(() => step(kind, raw, { approvedFolders }))).toMatchObject({
      code: 'file_place_denied',
    })
  })

  test.for([
    '~/.ssh/authorized_keys',
    '~/.bashrc',
    '~/.config/autostart/x.desktop',
    'repo/.git/hooks/pre-commit',
    'repo/.git/config',
  ])('%s is never written', async (path) => {
    expect(await thrownBy(() => step('write-file', { path, content: 'x' }))).toMatchObject({
      code: 'file_place_denied',
    })
    await put('a', 'x')
    expect(await thrownBy(() => step('copy-file', { from: 'a', to: path }))).toMatchObject({
      code: 'file_place_denied',
    })
  })
})

describe('zip', () => {
  test('there and back', async () => {
    await put('in/a.txt', 'one')
    await put('in/deep/ü.txt', 'two'.repeat(10_000))
    await symlink('/etc/passwd', at('in/link'))
    const output = await step('zip-files', { from: 'in', to: 'out/in.zip' })
    expect(output).toMatchObject({ path: at('out/in.zip'), files: 2 })
    const opened = await step('unzip-file', { from: 'out/in.zip', to: 'back' })
    expect(opened).toMatchObject({ folder: at('back'), count: 2, files: ['a.txt', 'deep/ü.txt'] })
    expect(await text('back/deep/ü.txt')).toBe('two'.repeat(10_000))
    await undo(opened)
    await undo(output)
    expect(await names()).toEqual(['in', 'out'])
    expect(await names('out')).toEqual([])
  })

  test('replaces an archive, and gives it back', async () => {
    await put('a', 'one')
    await put('a.zip', 'old')
    expect(await thrownBy(() => step('zip-files', { from: 'a', to: 'a.zip' }))).toMatchObject({
      code: 'file_exists',
    })
    const output = await step('zip-files', { from: 'a', to: 'a.zip', existing: 'replace' })
    await undo(output)
    expect(await text('a.zip')).toBe('old')
  })

  test('has limits', async () => {
    await put('in/a', 'one')
    await put('in/b', 'two')
    for (const raw of [{ maxFiles: 1 }, { maxBytes: 3 }]) {
      const work = () => step('zip-files', { from: 'in', to: 'a.zip', ...raw })
      expect(await thrownBy(work)).toMatchObject({ code: 'task_output_too_large' })
    }
    expect(await names()).toEqual(['in'])
  })
})

describe('unzip refuses', () => {
  const link = 0o120777 << 16
  const device = 0o060666 << 16
  test.for<[string, Parameters<typeof rawZip>[0], JsonObject]>([
    ['a way out', [{ name: '../out', text: 'x' }], {}],
    ['a way out in the middle', [{ name: 'a/../../out', text: 'x' }], {}],
    ['an absolute name', [{ name: '/tmp/sagasmith-out', text: 'x' }], {}],
    ['backslashes', [{ name: '..\\out', text: 'x' }], {}],
    ['a drive', [{ name: 'C:/out', text: 'x' }], {}],
    ['an empty part', [{ name: 'a//b', text: 'x' }], {}],
    ['a character no path may have', [{ name: 'a\0b', text: 'x' }], {}],
    ['a link', [{ name: 'a', text: '/etc', attributes: link }], {}],
    ['a device', [{ name: 'a', text: '', attributes: device }], {}],
    [
      'one name twice',
      [
        { name: 'a', text: '1' },
        { name: 'A', text: '2' },
      ],
      {},
    ],
    [
      'too many files',
      [
        { name: 'a', text: '1' },
        { name: 'b', text: '2' },
      ],
      { maxFiles: 1 },
    ],
    ['too many bytes', [{ name: 'a', text: 'x'.repeat(100) }], { maxBytes: 50 }],
    ['a bomb', [{ name: 'a', text: '0'.repeat(20_000_000), deflates: true }], {}],
    ['a size that is a lie', [{ name: 'a', text: 'x'.repeat(1_000), size: 10, deflates: true }], {}],
    ['encryption', [{ name: 'a', text: 'x', flags: 1 }], {}],
  ])('%s', async ([, entries, raw]) => {
    await writeFile(at('a.zip'), rawZip(entries))
    expect(await thrownBy(() => step('unzip-file', { from: 'a.zip', to: 'out', ...raw }))).toMatchObject({
      code: 'archive_refused',
    })
    // Nothing is left, here or elsewhere.
    expect(await names()).toEqual(['a.zip'])
  })

  test('what is no archive, what is there already, what is cut off', async () => {
    await writeFile(at('a.zip'), rawZip([{ name: 'a', text: 'x' }]).subarray(0, 40))
    await put('there/x', '')
    const into = (to: string) => () => step('unzip-file', { from: 'a.zip', to })
    expect(await thrownBy(into('out'))).toMatchObject({ code: 'archive_refused' })
    expect(await thrownBy(into('there'))).toMatchObject({ code: 'file_exists' })
    expect(await names()).toEqual(['a.zip', 'there'])
  })
})

test('undo takes nothing but changes', async () => {
  const changes: readonly JsonValue[] = [
    null,
    'x',
    [{ kind: 'made', path: '/etc/passwd' }],
    [{ kind: 'run' }],
  ]
  for (const one of changes) {
    expect(await thrownBy(() => step('undo-files', { changes: one }))).toMatchObject({
      code: 'task_input_invalid',
    })
  }
})

test('mocks touch nothing', async () => {
  await put('a', 'one')
  const kinds: Record<string, JsonObject> = {
    'copy-file': { mode: 'move', from: 'a', to: 'b' },
    'delete-file': { path: 'a' },
    'zip-files': { from: 'a', to: 'b.zip' },
    'unzip-file': { from: 'a', to: 'b' },
    'undo-files': { changes: [] },
  }
  for (const [kind, raw] of Object.entries(kinds)) {
    const parameters = taskSpecsByKind.get(kind)?.parameters.parse(raw)
    const context = taskContext({ baseDirectory: folder })
    expect(taskMocksByKind.get(kind)?.(parameters, context)).toMatchObject({ kind: 'completed' })
    expect(context.lines).toHaveLength(1)
  }
  expect(await names()).toEqual(['a'])
})
