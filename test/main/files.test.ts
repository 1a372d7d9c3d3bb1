import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFiles } from '../../src-main/ipc/files.ts'
import { openSettings } from '../../src-main/ipc/settings.ts'
import { createManualClock } from './manual-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = temporaryFolder()

function setUp() {
  const folder = mkdtempSync(join(root, 'files-'))
  const settings = openSettings({ path: join(folder, 'settings.json'), onBroken: () => undefined })
  const clock = createManualClock()
  const workspace = join(folder, 'workflows')
  mkdirSync(workspace)
  const files = createFiles({ settings, clock, workspace, onUsed: () => undefined })
  const path = join(folder, 'a.json')
  return { folder, workspace, settings, clock, files, path }
}

test('a file that nobody chose is not read, written or shown', async () => {
  const { files, path } = setUp()
  writeFileSync(path, '{}')
  await expect(files.read(path)).rejects.toMatchObject({ code: 'file_not_accessible' })
  await expect(files.save({ path, text: '[]', etag: null })).rejects.toMatchObject({
    code: 'file_not_accessible',
  })
  expect(() => files.permitted(path)).toThrow('was not chosen')
  expect(readFileSync(path, 'utf8')).toBe('{}')
})

test('what lies in the workspace is reached without being chosen: samples are copied there', async () => {
  const { files, workspace } = setUp()
  const path = join(workspace, 'sample.json')
  writeFileSync(path, '{"a":1}')
  const { etag, text } = await files.read(path)
  expect(text).toBe('{"a":1}')
  await files.save({ path, text: '{"a":2}', etag })
  expect(readFileSync(path, 'utf8')).toBe('{"a":2}')
  const fresh = join(workspace, 'new.sagasmith')
  await files.save({ path: fresh, text: '{}', etag: null })
  expect(readFileSync(fresh, 'utf8')).toBe('{}')
})

test('no way leads out of the workspace', async () => {
  const { files, workspace, folder, path } = setUp()
  writeFileSync(path, '{}')
  mkdirSync(join(folder, 'workflows-of-others'))
  symlinkSync(path, join(workspace, 'link.json'))
  symlinkSync(folder, join(workspace, 'up'))
  for (const way of [
    join(workspace, 'link.json'),
    join(workspace, 'up', 'a.json'),
    `${workspace}/../a.json`,
    join(folder, 'workflows-of-others', 'a.json'),
    join(workspace, 'script.sh'),
    workspace,
  ]) {
    await expect(files.read(way), way).rejects.toMatchObject({ code: 'file_not_accessible' })
    await expect(files.save({ path: way, text: '[]', etag: null }), way).rejects.toMatchObject({
      code: 'file_not_accessible',
    })
  }
  expect(readFileSync(path, 'utf8')).toBe('{}')
})

test('read, save and read again', async () => {
  const { files, path, folder } = setUp()
  writeFileSync(path, '{"a":1}')
  files.grant(path)
  const { etag, text } = await files.read(path)
  expect(text).toBe('{"a":1}')
  const saved = await files.save({ path, text: '{"a":2}', etag })
  expect(await files.read(path)).toEqual({ path, text: '{"a":2}', etag: saved.etag })
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a file that another program changed is not overwritten', async () => {
  const { files, path } = setUp()
  writeFileSync(path, 'mine')
  files.grant(path)
  const { etag } = await files.read(path)
  writeFileSync(path, 'theirs')
  await expect(files.save({ path, text: 'mine again', etag })).rejects.toMatchObject({
    code: 'document_changed_on_disk',
    details: { path, expectedEtag: etag },
  })
  expect(readFileSync(path, 'utf8')).toBe('theirs')
})

test('a new file does not replace one that appeared meanwhile', async () => {
  const { files, path } = setUp()
  files.grant(path)
  expect(await files.target(path)).toEqual({ path, etag: null })
  writeFileSync(path, 'somebody else')
  await expect(files.save({ path, text: 'x', etag: null })).rejects.toMatchObject({
    code: 'document_changed_on_disk',
  })
})

test('two saves at once: the second must know the first', async () => {
  const { files, path } = setUp()
  writeFileSync(path, 'start')
  files.grant(path)
  const { etag } = await files.read(path)
  const both = await Promise.allSettled([
    files.save({ path, text: 'first', etag }),
    files.save({ path, text: 'second', etag }),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(readFileSync(path, 'utf8')).toBe('first')
})

test('a save keeps a link a link and a file its permissions', async () => {
  const { files, path, folder } = setUp()
  writeFileSync(path, 'x')
  chmodSync(path, 0o600)
  const link = join(folder, 'link.json')
  symlinkSync(path, link)
  files.grant(link)
  const { etag } = await files.read(link)
  await files.save({ path: link, text: 'y', etag })
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('y')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('what is missing, binary or too large says so', async () => {
  const { files, folder } = setUp()
  const missing = files.grant(join(folder, 'missing.json'))
  await expect(files.read(missing)).rejects.toMatchObject({ code: 'file_not_found' })
  const binary = files.grant(join(folder, 'binary.json'))
  writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0x00]))
  await expect(files.read(binary)).rejects.toMatchObject({ code: 'document_unreadable' })
  const large = files.grant(join(folder, 'large.json'))
  writeFileSync(large, Buffer.alloc(20_000_001, 32))
  await expect(files.read(large)).rejects.toMatchObject({ code: 'document_too_large' })
})

test('the recent list is newest first, without repeats, and reaches into the next start', async () => {
  const { files, settings, clock, folder, workspace } = setUp()
  const paths = ['a', 'b', 'c'].map((name) => join(folder, `${name}.json`))
  for (const path of paths) {
    writeFileSync(path, '{}')
    files.grant(path)
    await files.read(path)
    clock.advance(1000)
  }
  await files.read(paths[0] ?? '')
  expect(files.recent().map(({ path }) => path)).toEqual([paths[0], paths[2], paths[1]])
  await settings.flushed()
  const again = openSettings({ path: join(folder, 'settings.json'), onBroken: () => undefined })
  const next = createFiles({ settings: again, clock, workspace, onUsed: () => undefined })
  expect((await next.read(paths[1] ?? '')).text).toBe('{}')
  await next.forget(paths[2] ?? '')
  expect(next.recent().map(({ path }) => path)).toEqual([paths[1], paths[0]])
})

test('a look gives what the file holds when it is something else, and is no use of the file', async () => {
  const { files, path, settings } = setUp()
  await expect(files.look(path, 'x')).rejects.toMatchObject({ code: 'file_not_accessible' })
  writeFileSync(path, '{"a":1}')
  files.grant(path)
  const first = await files.look(path, '0'.repeat(64))
  expect(first?.text).toBe('{"a":1}')
  expect(await files.look(path, first?.etag ?? '')).toBeNull()
  writeFileSync(path, '{"a":2}')
  expect((await files.look(path, first?.etag ?? ''))?.text).toBe('{"a":2}')
  expect(settings.recent()).toEqual([])
})
