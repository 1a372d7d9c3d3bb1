/** Bundles of programs that tests start: one for the same sources, and another once these change. */

import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { engineEntries } from '../../bin/engine-bundle.mjs'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { entryFile } from '../support/entry-file.ts'
import { commandLine, markOf } from '../support/program.ts'

test('a worker that comes later gets what another one has made', async () => {
  const first = await commandLine()
  // The same module once more, as that worker has it.
  const anew = '../support/program.ts?anew'
  const later = (await import(anew)) as { readonly commandLine: typeof commandLine }
  expect(later.commandLine).not.toBe(commandLine)
  expect(await later.commandLine()).toBe(first)
  expect(dirname(first)).toMatch(/out[\\/]test-cli-[0-9a-f]{12}$/)
})

test('a file that is changed, added or gone makes another mark', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  const file = join(folder, 'a/b/one.ts')
  writeFileSync(file, 'one')
  const marks = [markOf([folder])]
  expect(markOf([folder])).toBe(marks[0])
  writeFileSync(file, 'longer')
  marks.push(markOf([folder]))
  utimesSync(file, 1, 1)
  marks.push(markOf([folder]))
  writeFileSync(join(folder, 'a/two.ts'), '')
  marks.push(markOf([folder]))
  rmSync(file)
  marks.push(markOf([folder]), markOf([folder, join(folder, 'a/two.ts')]))
  expect(new Set(marks).size).toBe(marks.length)
})

test('what the engine starts as threads and processes of its own is bundled while tests run', async () => {
  const missing = Object.keys(engineEntries).filter((name) => !existsSync(entryFile({ bundled: name })))
  expect(missing).toEqual([])
  const asked = await import('../../src-engine/tasks/entry-file.ts')
  expect(asked.entryFile, 'a test that asks gets the engine’s own').not.toBe(entryFile)
})
