/** Workflow files, drafts and samples: nothing is lost, nothing outside is touched. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { draftsHeldMax } from '../../../src-engine/model/limits.ts'
import { fileError } from '../../../src-engine/shell/atomic-file.ts'
import { createDrafts } from '../../../src-engine/shell/drafts.ts'
import { createLibrary } from '../../../src-engine/shell/library.ts'
import { findResource } from '../../../src-engine/shell/resources.ts'
import { createSamples } from '../../../src-engine/shell/samples.ts'
import { fakeClock, temporaryFolder } from './shell-fixtures.ts'

const document: JsonObject = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'w',
  title: 'Mine',
  nodes: {},
  edges: {},
}

function setUp() {
  const folder = temporaryFolder()
  const workspace = join(folder, 'workflows')
  mkdirSync(workspace)
  return { folder, workspace, library: createLibrary({ workspace }) }
}

test('what was saved is read again, with the same etag', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'deep', 'mine.json')
  const saved = await library.save({ path, document, etag: null })
  const opened = await library.read(path)
  expect(opened).toMatchObject({ path, document, etag: saved.etag })
  expect(readdirSync(join(workspace, 'deep'))).toEqual(['mine.json'])
})

test('a new file never replaces one that is there', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'mine.json')
  writeFileSync(path, 'somebody else’s')
  await expect(library.save({ path, document, etag: null })).rejects.toMatchObject({
    code: 'document_changed_on_disk',
  })
  expect(readFileSync(path, 'utf8')).toBe('somebody else’s')
})

test('a file that another program changed or removed is not overwritten', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'mine.json')
  const { etag } = await library.save({ path, document, etag: null })
  writeFileSync(path, '{"changed": true}')
  await expect(library.save({ path, document, etag })).rejects.toMatchObject({
    code: 'document_changed_on_disk',
  })
  expect(readFileSync(path, 'utf8')).toBe('{"changed": true}')
})

test('a file that is read-only is not replaced, and one that is saved stays as private as it was', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'mine.json')
  const { etag } = await library.save({ path, document, etag: null })
  const before = readFileSync(path, 'utf8')
  const changed = { ...document, title: 'Changed' }
  chmodSync(path, 0o444)
  await expect(library.save({ path, document: changed, etag })).rejects.toMatchObject({
    code: 'file_not_accessible',
    message: `${path} is read-only.`,
  })
  expect(readFileSync(path, 'utf8')).toBe(before)
  for (const mode of [0o600, 0o666]) {
    chmodSync(path, mode)
    const now = await library.read(path)
    await library.save({ path, document: { ...changed, title: String(mode) }, etag: now.etag })
    expect(statSync(path).mode & 0o777).toBe(mode)
  }
})

test('a look gives what a file holds when it is something else', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'mine.json')
  const { etag } = await library.save({ path, document, etag: null })
  expect(await library.look(path, etag)).toBeNull()
  writeFileSync(path, JSON.stringify({ ...document, title: 'Another' }))
  expect(await library.look(path, etag)).toMatchObject({ document: { title: 'Another' } })
  writeFileSync(path, '{')
  await expect(library.look(path, etag)).rejects.toMatchObject({ code: 'document_unreadable' })
})

test('of two saves at once on the same content one is refused', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'mine.json')
  const { etag } = await library.save({ path, document, etag: null })
  const saves = ['A', 'B'].map((title) => library.save({ path, document: { ...document, title }, etag }))
  const results = await Promise.allSettled(saves)
  // Either may come first: each looks where its file is before it waits for its turn.
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const saved = results[0]?.status === 'fulfilled' ? 'A' : 'B'
  expect((await library.read(path)).document).toMatchObject({ title: saved })
})

test.for(['../outside.json', '/etc/passwd', 'notes.txt', 'link/outside.json'])(
  '%s is out of reach',
  async (path) => {
    const { folder, workspace, library } = setUp()
    writeFileSync(join(folder, 'outside.json'), JSON.stringify(document))
    symlinkSync(folder, join(workspace, 'link'))
    await expect(library.read(path)).rejects.toMatchObject({ code: 'file_not_accessible' })
    await expect(library.save({ path, document, etag: null })).rejects.toMatchObject({
      code: 'file_not_accessible',
    })
  },
)

test('a file that a person opened explicitly is in reach', async () => {
  const { folder, library } = setUp()
  const path = join(folder, 'outside.json')
  writeFileSync(path, JSON.stringify(document))
  library.grant(path)
  await expect(library.read(path)).resolves.toMatchObject({ document })
})

test('a link that a person opened stays one, and what it leads to is written', async () => {
  const { folder, library } = setUp()
  const [path, target] = [join(folder, 'link.json'), join(folder, 'elsewhere.json')]
  writeFileSync(target, JSON.stringify(document))
  symlinkSync(target, path)
  library.grant(path)
  const { etag } = await library.read(path)
  const saved = await library.save({ path, document: { ...document, title: 'Changed' }, etag })
  expect(saved.path).toBe(path)
  expect(lstatSync(path).isSymbolicLink()).toBe(true)
  expect(readFileSync(target, 'utf8')).toContain('Changed')
})

test('a truncated file is explained with its place and left alone', async () => {
  const { workspace, library } = setUp()
  const path = join(workspace, 'cut.json')
  const text = '{\n  "format": "sagasmith.workflow",\n  "nodes": {'
  writeFileSync(path, text)
  await expect(library.read(path)).rejects.toMatchObject({
    code: 'document_unreadable',
    message: expect.stringMatching(/cut\.json.*line 3, column \d+/),
  })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('the list has workflows, also broken ones, and no other JSON', async () => {
  const { workspace, library } = setUp()
  writeFileSync(join(workspace, 'good.json'), JSON.stringify(document))
  writeFileSync(join(workspace, 'broken.json'), '{"format": "sagasmith.workflow"')
  writeFileSync(join(workspace, 'data.json'), '[1, 2, 3]')
  const entries = await library.list()
  const openable = new Map(entries.map(({ title, problem }) => [title, problem === null]))
  expect(Object.fromEntries(openable)).toEqual({ Mine: true, broken: false })
})

test('drafts survive, newest first, and can be removed', async () => {
  const folder = temporaryFolder()
  const clock = fakeClock()
  const drafts = createDrafts(folder, clock)
  const draft = { title: 'T', path: null, etag: null, document }
  await drafts.save({ id: 'one', ...draft })
  clock.advance(5)
  await drafts.save({ id: 'two', ...draft })
  await drafts.save({ id: 'two', ...draft, title: 'U' })
  writeFileSync(join(folder, 'half.json'), '{"id": "ha')
  const reopened = createDrafts(folder, clock)
  expect((await reopened.list()).map(({ id, title }) => [id, title])).toEqual([
    ['two', 'U'],
    ['one', 'T'],
  ])
  await reopened.remove('two')
  expect((await reopened.list()).map(({ id }) => id)).toEqual(['one'])
})

describe('a draft that is changed', () => {
  const draft = { id: 'one', title: 'T', path: null, etag: null }
  const scene = async () => {
    const folder = temporaryFolder()
    const clock = fakeClock()
    const drafts = createDrafts(folder, clock)
    const { revision } = await drafts.save({ ...draft, document: { a: { x: 1, y: 2 }, b: [1] } })
    return { folder, clock, drafts, revision }
  }
  const put = (x: number) => ({ ...draft, title: 'U', changes: [{ path: ['a', 'x'], value: x }] })

  test('is on the disk as a whole, with what was said beside it', async () => {
    const { folder, clock, drafts, revision } = await scene()
    clock.advance(5)
    const changed = await drafts.change({ ...put(7), revision })
    const changes = [{ path: ['b'] }, { path: ['c'], value: null }]
    await drafts.change({ ...draft, changes, revision: changed?.revision ?? '' })
    const [kept] = await createDrafts(folder, clock).list()
    expect(kept).toEqual({ ...draft, document: { a: { x: 7, y: 2 }, c: null }, savedAt: clock.now() })
  })

  test('is left as it is when the changes were made in something else', async () => {
    const { folder, clock, drafts, revision } = await scene()
    const { revision: newer } = await drafts.save({ ...draft, document: { a: 1 } })
    expect(newer).not.toBe(revision)
    expect(await drafts.change({ ...put(7), revision })).toBeNull()
    // Nothing is where they lead, whatever they say.
    expect(await drafts.change({ ...put(7), revision: newer })).toBeNull()
    // An engine that was started anew has written nothing yet.
    expect(await createDrafts(folder, clock).change({ ...put(7), revision: newer })).toBeNull()
    await drafts.remove('one')
    expect(await drafts.change({ ...draft, changes: [], revision: newer })).toBeNull()
    expect(await drafts.list()).toEqual([])
  })

  test('is changed once from each revision, however close together', async () => {
    const { drafts, revision } = await scene()
    const answers = await Promise.all([1, 2].map((x) => drafts.change({ ...put(x), revision })))
    expect(answers.map((answer) => answer === null)).toEqual([false, true])
    expect((await drafts.list())[0]?.document).toEqual({ a: { x: 1, y: 2 }, b: [1] })
  })

  test('is sent whole again when it could not be written', async () => {
    const { folder, drafts, revision } = await scene()
    rmSync(folder, { recursive: true })
    await expect(drafts.change({ ...put(7), revision })).rejects.toMatchObject({ code: 'file_not_found' })
    mkdirSync(folder)
    expect(await drafts.change({ ...put(7), revision })).toBeNull()
  })

  test('of the drafts that are held the oldest is let go of, and only of the memory', async () => {
    const { drafts, revision } = await scene()
    for (let at = 0; at < draftsHeldMax; at += 1) await drafts.save({ ...draft, id: `d${at}`, document: {} })
    expect(await drafts.change({ ...put(7), revision })).toBeNull()
    expect(await drafts.list()).toHaveLength(draftsHeldMax + 1)
  })
})

test('a sample is copied with its data once, and edits of the copy stay', async () => {
  const workspace = temporaryFolder()
  const samples = createSamples(findResource('samples'), workspace)
  const [first] = await samples.list()
  const path = await samples.copy(first?.name ?? '')
  expect(existsSync(join(workspace, 'samples', first?.name ?? '', 'data'))).toBe(true)
  writeFileSync(path, 'edited')
  expect(await samples.copy(first?.name ?? '')).toBe(path)
  expect(readFileSync(path, 'utf8')).toBe('edited')
})

test('a disk that is full is told as one, not as a path that is wrong', () => {
  const full = fileError('/w/a.json', Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
  expect(full).toMatchObject({
    code: 'file_not_accessible',
    hint: expect.stringContaining('free some space'),
  })
  const denied = fileError('/w/a.json', Object.assign(new Error('no'), { code: 'EACCES' }))
  expect(denied.hint).not.toContain('full')
})
