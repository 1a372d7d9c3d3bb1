/** Whose journals a process goes on with: those of its machine whose processes are gone. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { opId, storeId } from '../../../../../src-engine/model/ids.ts'
import { createJournalFile } from '../../../../../src-engine/store/redis/journal/journal-file.ts'
import { OpJournal } from '../../../../../src-engine/store/redis/journal/op-journal.ts'
import { countLeftJournals, readOrphans } from '../../../../../src-engine/store/redis/journal/orphans.ts'
import { layoutFormat } from '../../../../../src-engine/store/redis/layout.ts'
import { emptyUnit } from '../../../../../src-engine/store/redis/unit.ts'

/** No system gives so large a number. */
const gonePid = 2 ** 30

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-orphans-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** What somebody left who noted one operation. */
function leave(writerId: string, { host = hostname(), pid = gonePid } = {}): void {
  const header = { journal: 1, form: layoutFormat, storeId: 's', writerId, host, pid } as const
  const file = createJournalFile({ directory, header, onTrouble: () => undefined })
  const journal = new OpJournal(file)
  journal.note(0, { opId: opId(`by ${writerId}`), unit: emptyUnit, place: { epoch: 1, seq: 1 }, at: 0 })
  journal.flush()
}

test('one of this machine that is gone is taken over; others’ stay', () => {
  leave('gone')
  leave('elsewhere', { host: 'another-machine' })
  leave('living', { pid: process.ppid })
  const { noted, foreign, forget } = readOrphans(directory, storeId('s'))
  expect(noted.map((one) => one.opId)).toEqual(['by gone'])
  expect(foreign).toEqual([])
  expect(countLeftJournals(directory, storeId('s'))).toBe(1)
  forget()
  expect(readdirSync(directory)).toHaveLength(2)
})
