/** Workflow files, drafts and samples: nothing is lost, nothing outside is touched. */

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createDrafts } from '../../../src-engine/shell/drafts.ts'
import { createLibrary } from '../../../src-engine/shell/library.ts'
import { findResource } from '../../../src-engine/shell/resources.ts'
import { createSamples } from '../../../src-engine/shell/samples.ts'
import { validateJson } from '../../../src-engine/shell/validate-json.ts'
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
  return { folder, workspace, library: createLibrary({ workspace, validate: validateJson }) }
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
