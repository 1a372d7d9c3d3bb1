/** A run that has begun and not changed since is told by its first row of events alone; all who ask get the same run. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import { storeId } from '../../../src-engine/model/ids.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { createNames } from '../../../src-engine/store/sqlite/names.ts'
import { encodeRun } from '../../../src-engine/store/sqlite/rows.ts'
import { dataFileName, openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { accept, theRun, verifyHistory } from '../../conformance/scene.ts'
import {
  aClaim,
  anInvocation,
  aRun,
  moving,
  movingRun,
  registering,
  start,
  starting,
} from '../../conformance/story.ts'

let directory = ''
let store: Store
const clock = { now: () => start, after: () => () => undefined }
const open = () => openSqliteStore({ directory, storeId: storeId('s'), clock })
/** With nothing in memory. */
async function reopen(): Promise<void> {
  await store.close()
  store = await open()
}
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-text-'))
  store = await open()
})
afterEach(async () => {
  await verifyHistory(store, true)
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Does something to the file that no store does. */
function inFile<Answer>(operation: (raw: Database.Database) => Answer): Answer {
  const raw = new Database(join(directory, dataFileName))
  try {
    return operation(raw)
  } finally {
    raw.close()
  }
}
const hasText = ({ id }: RunRecord): boolean =>
  inFile((raw) => raw.prepare<[string], string>('select body from run where id = ?').pluck().get(id)) !== ''

const wanted = aRun({
  name: 'r0',
  requestId: 'order-7',
  priority: 'HIGH',
  tags: ['a'],
  input: { kind: 'inline', json: '{"order":7}' },
  deadlineAt: start + 60_000,
})
const begun = (run: RunRecord): Checkpoint => starting(run, [anInvocation(run, 'a'), anInvocation(run, 'b')])
const filter = { statuses: null, workflowId: null, includeCore: false }
const page = { after: null, limit: 9 }

/** The run as everybody gets it who asks for one. */
async function asked(from: Store, { id, requestId }: RunRecord): Promise<readonly (RunRecord | null)[]> {
  const listed = await from.list(0, 'runs', { filter, page })
  return [
    await from.load(0, 'run', { runId: id }),
    await from.load(0, 'runByRequest', { requestId: requestId ?? '' }),
    listed.find((run) => run.id === id) ?? null,
  ]
}

test('a run that has begun has no text of its own, and is the same run to all who ask', async () => {
  const memory = createMemoryStore()
  await accept(memory, begun(wanted))
  await accept(store, begun(aRun()), begun(wanted))
  expect(hasText(wanted)).toBe(false)
  const expected = await theRun(memory, wanted.id)
  expect(expected).toMatchObject({ status: 'RUNNING', startedAt: start, requestId: 'order-7' })
  for (let round = 0; round < 2; round += 1, await reopen())
    for (const run of await asked(store, wanted)) expect(run).toEqual(expected)
})

test('claims of its steps give it whole, of the first and of the next, in memory and from the file', async () => {
  await accept(store, begun(wanted), begun(aRun()))
  const run = await theRun(store, wanted.id)
  const { claimed: first } = await store.claim(aClaim('w', { limit: 1 }))
  const { claimed: second } = await store.claim(aClaim('w', { limit: 1 }))
  await reopen()
  expect([...first, ...second].map((claimed) => claimed.run)).toEqual([run, run])
  expect(hasText(wanted)).toBe(false)
  const { claimed: third } = await store.claim(aClaim('w', { limit: 1 }))
  expect(third.map((claimed) => claimed.run)).toEqual([await theRun(store, aRun().id)])
})

test('what its steps do raises its version; its text comes with its first change', async () => {
  await accept(store, begun(wanted))
  const run = await theRun(store, wanted.id)
  await accept(store, registering(run, [anInvocation(run, 'c')]))
  const grown = { ...run, version: run.version + 1 }
  expect(hasText(run)).toBe(false)
  for (const found of await asked(store, wanted)) expect(found).toEqual(grown)
  const [step] = await store.load(0, 'invocations', { runId: run.id })
  if (step !== undefined) await accept(store, moving(step, ['CANCELLED']))
  await reopen()
  for (const found of await asked(store, wanted)) expect(found).toEqual(grown)
  await accept(store, movingRun(grown, 'CANCELLED'))
  expect(hasText(run)).toBe(true)
  const ended = { status: 'CANCELLED', finishedAt: start, version: grown.version + 1 }
  for (const found of await asked(store, wanted)) expect(found).toMatchObject({ ...ended, tags: ['a'] })
})

test('a run whose first row of events is long, or tells of others, has a text from the start', async () => {
  const steps = Array.from({ length: 20 }, (_, index) => anInvocation(wanted, `s${index}`))
  const [one, other] = [begun(aRun()), begun(aRun({ name: 'r3' }))]
  await accept(store, starting(wanted, steps))
  await accept(store, one)
  const run = await theRun(store, aRun().id)
  await accept(store, {
    ...other,
    expect: {
      ...other.expect,
      registers: [{ key: 'k', version: 0 }],
    },
    writes: { ...other.writes, registers: [{ key: 'k', value: 1 }] },
    events: [
      ...other.events,
      {
        runId: null,
        invocationId: null,
        cause: run.cause,
        body: { type: 'register.changed', key: 'k', value: 1 },
      },
    ],
  })
  expect([wanted, run, aRun({ name: 'r3' })].map(hasText)).toEqual([true, false, true])
  await reopen()
  expect(await theRun(store, wanted.id)).toMatchObject({ status: 'RUNNING', startedAt: start, tags: ['a'] })
})

test('runs of form 11, which have their texts, are as they were and end as they would have', async () => {
  await accept(store, begun(wanted), begun(aRun()))
  const run = await theRun(store, wanted.id)
  await store.close()
  inFile((raw) => {
    const body = raw.transaction(() => encodeRun({ ...run, tags: ['of form 11'] }, createNames(raw)))()
    raw.prepare('update run set body = ? where id = ?').run(body, run.id)
    raw.pragma('user_version = 11')
  })
  store = await open()
  expect(inFile((raw) => raw.pragma('user_version', { simple: true }))).toBe(12)
  for (const found of await asked(store, wanted)) expect(found).toEqual({ ...run, tags: ['of form 11'] })
  await accept(store, movingRun(run, 'CANCELLED'))
  expect(await theRun(store, run.id)).toMatchObject({ status: 'CANCELLED', tags: ['a'] })
})
