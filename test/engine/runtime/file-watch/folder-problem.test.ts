/** What people are told where a watched folder can't be read: what is wrong with which folder, and what to do. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { folderProblemOf } from '../../../../src-engine/runtime/file-watch/folder-problem.ts'
import { scanFolder } from '../../../../src-engine/triggers/file-watch/scan-folder.ts'

const problemAt = async (folder: string) => {
  const thrown: unknown = await scanFolder({ folder, pattern: '*', recursive: false }).catch(
    (found: unknown) => found,
  )
  return folderProblemOf(thrown, 7)
}

test('a folder that isn’t there, and one that is a file, are named with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sagasmith-folder-'))
  const missing = join(folder, 'in')
  expect(await problemAt(missing)).toEqual({
    code: 'file_not_found',
    message: `There is no folder “${missing}” on this machine.`,
    hint: expect.stringContaining('Make it'),
    at: 7,
  })
  await writeFile(missing, 'a file')
  expect(await problemAt(missing)).toMatchObject({
    code: 'file_not_accessible',
    message: `“${missing}” is a file, or lies in one.`,
  })
  await rm(folder, { recursive: true })
})

test.for(['EACCES', 'EPERM'])('where the system refuses with %s, it says whom to let in', (code) => {
  const thrown = Object.assign(new Error('refused'), { code, path: '/in' })
  expect(folderProblemOf(thrown, 0)).toMatchObject({
    message: 'The engine may not look into “/in”.',
    hint: expect.stringContaining('Let its user read the folder'),
  })
})

test('an error of Sagasmith’s own keeps its words, and any other its message', () => {
  const own = new SagasmithError('folder_too_large', { message: 'Too many.' })
  expect(folderProblemOf(own, 0)).toMatchObject({ code: 'folder_too_large', message: 'Too many.' })
  const odd = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', path: '/in' })
  expect(folderProblemOf(odd, 0)).toMatchObject({ code: 'internal', message: 'EIO: i/o error' })
})
