import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directoryOfStore } from '../../../../src-engine/shell/commands/runner-store.ts'
import { temporaryFolder } from '../shell-fixtures.ts'

it('is the data directory unless another one is named', () => {
  expect(directoryOfStore(undefined, '/data')).toBe('/data')
})

it('is named by the directory, there or not, or by the data file in it', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'a'))
  expect(directoryOfStore(`sqlite:${folder}/a`, '/data')).toBe(join(folder, 'a'))
  expect(directoryOfStore(`sqlite:${folder}/new`, '/data')).toBe(join(folder, 'new'))
  expect(directoryOfStore(`sqlite:${folder}/a/sagasmith.db`, '/data')).toBe(join(folder, 'a'))
})

it.each([
  ['sqlite:', 'names no store'],
  ['postgres:x', 'names no store'],
])('%s is refused: %s', (given, words) => {
  expect(() => directoryOfStore(given, '/data')).toThrow(words)
})

it('a file that is another, or a data file that is not there, is a slip of the pen and makes nothing', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'other.db'), '')
  expect(() => directoryOfStore(`sqlite:${folder}/other.db`, '/data')).toThrow('is not a data file')
  expect(() => directoryOfStore(`sqlite:${folder}/none.db`, '/data')).toThrow('There is no data file')
})
