/** Values that are not to stay go only once nobody looks into results of their run any more. */

import { expect, test } from 'vitest'
import type { Effect } from '../../../src-engine/model/effect.ts'
import { outboxRecordOf } from '../../../src-engine/model/effect.ts'
import { invocationId, runId } from '../../../src-engine/model/ids.ts'
import { forgetValues } from '../../../src-engine/runtime/outbox/forget-values.ts'
import { noRecords } from '../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const own = runId('run_1')

const scanOf = (of: typeof own): Effect => ({
  kind: 'output.scan',
  runId: of,
  invocationId: invocationId(`${of}/a`),
})

test.each([
  ['of another run', 'gone', scanOf(runId('run_2'))],
  ['of its own run', 'there', scanOf(own)],
] as const)('a look into a result %s: the value is %s', async (_, expected, effect) => {
  const records = noRecords(0)
  const store = createMemoryStore({ records: [records] })
  const hash = await store.putBlob(new TextEncoder().encode('"a value"'))
  // Far from due: it is to be tried again.
  const looked = outboxRecordOf('scan:1', effect, Number.MAX_SAFE_INTEGER - 1)
  records.outbox.set(looked.id, looked)
  const forgotten = { kind: 'values.forgotten', runId: own, generation: 0, hashes: [hash] } as const
  const asked = forgetValues({ store, partition: 0, log }, forgotten)
  if (expected === 'there') await expect(asked).rejects.toMatchObject({ code: 'lost_race' })
  else await asked
  const found = await store.getBlob(hash).then(
    () => 'there',
    () => 'gone',
  )
  expect(found).toBe(expected)
  await store.close()
})
