/** A file that was made before registers came due. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeId } from '../../../src-engine/model/ids.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'
import { dataFileName, openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { accept } from '../../conformance/scene.ts'
import { aCheckpoint, start } from '../../conformance/story.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-due-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('registers of form 9 are as they were, and may come due from then on [S49]', async () => {
  const raw = new Database(join(directory, dataFileName))
  for (const { sql, version } of migrations) if (version <= 9) raw.exec(sql)
  raw.pragma('user_version = 9')
  raw.exec(`insert into register (key, version, value) values ('old', 3, '{"a":1}')`)
  raw.close()
  const clock = { now: () => start, after: () => () => undefined }
  const store = await openSqliteStore({ directory, storeId: storeId('s'), clock })
  const due = () => store.load(0, 'dueRegisters', { upTo: start, limit: 9 })
  expect(await store.load(0, 'register', { key: 'old' })).toEqual({ key: 'old', value: { a: 1 }, version: 3 })
  expect(await due()).toEqual({ due: [], nextAt: null })
  const comesDue = aCheckpoint({
    expect: { registers: [{ key: 'old', version: 3 }] },
    writes: { registers: [{ key: 'old', value: 1, dueAt: start }] },
  })
  await accept(store, comesDue)
  expect(await due()).toEqual({ due: [{ key: 'old', value: 1, version: 4, dueAt: start }], nextAt: null })
  await store.close()
})
