/** Where what was compiled of the engine is kept, and that it doesn't pile up. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compiledFolder } from '../../src-main/compiled-code.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A folder of a version with so many files. */
function kept(userData: string, version: string, files: number): string {
  const folder = join(userData, 'compiled', version, 'v24')
  mkdirSync(folder, { recursive: true })
  for (let file = 0; file < files; file += 1) writeFileSync(join(folder, String(file)), '')
  return folder
}

test('nothing is there before the first start, and nothing is made', () => {
  const userData = temporaryFolder()
  expect(compiledFolder(userData, '1.2.0')).toBe(join(userData, 'compiled', '1.2.0'))
  expect(existsSync(join(userData, 'compiled'))).toBe(false)
})

test('a new version begins anew, and the old one leaves nothing behind', () => {
  const userData = temporaryFolder()
  const before = kept(userData, '1.1.0', 3)
  const now = kept(userData, '1.2.0', 3)
  compiledFolder(userData, '1.2.0')
  expect([existsSync(before), existsSync(now)]).toEqual([false, true])
})

test('a version that is built again and again begins anew once there is too much of it', () => {
  const userData = temporaryFolder()
  const few = kept(userData, '1.2.0', 900)
  compiledFolder(userData, '1.2.0')
  expect(existsSync(few)).toBe(true)
  const many = kept(userData, '1.2.0', 1_100)
  compiledFolder(userData, '1.2.0')
  expect(existsSync(many)).toBe(false)
})
