/** What Node has compiled doesn't pile up for ever. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boundCompileCache } from '../../bin/launcher/compile-cache.mjs'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'

test('a cache of few files stays, and one of too many begins anew', () => {
  const folder = join(temporaryFolder(), 'compile')
  const compiled = join(folder, 'v24/one')
  mkdirSync(join(folder, 'v24'), { recursive: true })
  writeFileSync(compiled, '')
  boundCompileCache(folder, 2)
  expect(existsSync(compiled)).toBe(true)
  writeFileSync(join(folder, 'v24/two'), '')
  boundCompileCache(folder, 2)
  expect(existsSync(folder)).toBe(false)
  boundCompileCache(folder, 2)
  expect(existsSync(folder)).toBe(false)
})
