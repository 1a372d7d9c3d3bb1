/** Undo steps on disk: lines that are added, and what a damaged file still gives. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { undoLogsMax } from '../../../src-engine/model/limits.ts'
import { createUndoLogs } from '../../../src-engine/shell/undo-logs.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function place() {
  const root = mkdtempSync(join(tmpdir(), 'sagasmith-undo-'))
  folders.push(root)
  const folder = join(root, 'undo')
  return { folder, file: join(folder, 'd1.undo'), logs: createUndoLogs(folder) }
}

test('lines are added behind those that are there, also by an engine that starts anew', async () => {
  const { folder, logs } = place()
  expect(await logs.read('d1')).toEqual([])
  expect(await logs.append({ id: 'd1', after: 0, lines: ['a', 'b'] })).toBe(2)
  expect(await createUndoLogs(folder).append({ id: 'd1', after: 2, lines: ['c'] })).toBe(3)
  expect(await logs.read('d1')).toEqual(['a', 'b', 'c'])
})

test('who counts otherwise writes nothing, and is told how many there are', async () => {
  const { logs } = place()
  await logs.append({ id: 'd1', after: 0, lines: ['a'] })
  expect(await logs.append({ id: 'd1', after: 5, lines: ['x'] })).toBe(1)
  expect(await logs.append({ id: 'none', after: 5, lines: ['x'] })).toBe(0)
  expect(await logs.append({ id: 'd1', after: 0, lines: ['new'] })).toBe(1)
  expect(await logs.read('d1')).toEqual(['new'])
})

test('a damaged line is known as one, and the others are not touched by it', async () => {
  const { file, logs } = place()
  await logs.append({ id: 'd1', after: 0, lines: ['first', 'second', 'third'] })
  writeFileSync(file, readFileSync(file, 'utf8').replace('second', 'sEcond'))
  expect(await logs.read('d1')).toEqual(['first', null, 'third'])
})

test('behind a torn line nothing is added: the log begins anew', async () => {
  const { folder, file, logs } = place()
  await logs.append({ id: 'd1', after: 0, lines: ['first', 'second'] })
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -3))
  expect(await logs.read('d1')).toEqual(['first', null])
  expect(await createUndoLogs(folder).append({ id: 'd1', after: 2, lines: ['x'] })).toBe(0)
  expect(await logs.read('d1')).toEqual(['first', null])
})

test('only so many logs are kept: the one that was written to longest ago goes first', async () => {
  const { folder, logs } = place()
  await logs.append({ id: 'old', after: 0, lines: ['a'] })
  utimesSync(join(folder, 'old.undo'), 1, 1)
  for (let count = 1; count < undoLogsMax; count += 1) writeFileSync(join(folder, `d${count}.undo`), '')
  await logs.append({ id: 'new', after: 0, lines: ['a'] })
  expect(readdirSync(folder)).toHaveLength(undoLogsMax)
  expect(await logs.read('old')).toEqual([])
})
