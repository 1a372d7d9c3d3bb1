/** What waits for people, in a data file of the form before there were indexes of it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { storeId } from '../../../src-engine/model/ids.ts'
import { dataFileName, openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { accept, verifyHistory } from '../../conformance/scene.ts'
import { anInvocation, aRun, moving, start, starting } from '../../conformance/story.ts'

test('what waited for a person in form 8 is listed in that of today, and comes due [S49]', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-parked-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const clock = { now: () => start, after: () => () => undefined }
  const open = () => openSqliteStore({ directory, storeId: storeId('s'), clock })
  const before = await open()
  const run = aRun()
  const [silent, urgent] = ['silent', 'urgent'].map((node) => anInvocation(run, node))
  if (silent === undefined || urgent === undefined) throw new Error('there are two')
  await accept(before, starting(run, [silent, urgent]))
  await accept(
    before,
    moving(silent, ['APPROVAL_REQUIRED']),
    moving(urgent, ['APPROVAL_REQUIRED'], { set: { notBefore: start + 10 } }),
  )
  await before.close()
  const raw = new Database(join(directory, dataFileName))
  // As form 8 left it: without the indexes of what is parked, and without what came after.
  raw.exec(`drop index work_parked; drop index work_parked_due;
    drop index work_line_end; drop index register_due; alter table register drop column due_at`)
  raw.pragma('user_version = 8')
  raw.close()
  const store = await open()
  const filter = { statuses: ['APPROVAL_REQUIRED'] as const, pool: null }
  const waiting = await store.list(0, 'work', { filter, page: { after: null, limit: 9 } })
  expect(waiting.map(({ nodeId }) => nodeId)).toEqual(['silent', 'urgent'])
  const due = (now: number) => store.listDue({ partition: 0, now, limit: 9 })
  expect(await due(start)).toEqual({ due: [], nextAt: start + 10 })
  expect((await due(start + 10)).due).toMatchObject([{ kind: 'wake', invocationId: urgent.id }])
  const asked = await store.load(0, 'invocation', { invocationId: silent.id })
  await accept(store, moving(asked ?? silent, ['SUCCESS']))
  await verifyHistory(store, true)
  await store.close()
})
