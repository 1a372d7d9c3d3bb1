/** The stored text of a run: short for what is usual, whole for what isn't, and readable as it once was. */

import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { definitionHash, invocationId, nodeId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import { newRun } from '../../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { createNames } from '../../../src-engine/store/sqlite/names.ts'
import { decodeRun, encodeRun } from '../../../src-engine/store/sqlite/rows.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'

const plain = newRun({
  id: runId('run_1'),
  workflowId: workflowId('flow'),
  workflowTitle: 'Flow',
  definitionHash: definitionHash(`w1_${'0'.repeat(64)}`),
  input: { kind: 'inline', json: '{"a":1}' },
  seed: 'seed',
  now: 1_700_000_000_000,
})

const unusual: RunRecord = {
  ...plain,
  partition: 3,
  tenant: 'acme',
  requestId: 'order-7',
  parentRunId: runId('run_0'),
  parentInvocationId: invocationId('run_0/step'),
  generation: 2,
  status: 'FAILED',
  version: 9,
  priority: 'HIGH',
  tags: ['a'],
  baseDirectory: '/home/me',
  createdAt: plain.now - 5,
  startedAt: plain.now + 1,
  finishedAt: plain.now + 2,
  deadlineAt: plain.now + 3,
  cancelRequestedAt: plain.now + 4,
  pauseRequestedAt: plain.now + 5,
  output: { kind: 'inline', json: 'null' },
  error: { code: 'task_failed', message: 'No.', hint: 'Try again.', retryable: false, details: {} },
  origin: { kind: 'rerun', runId: runId('run_9'), nodeId: null },
  signals: [
    { messageId: 'm', name: 'go', correlation: null, payload: { kind: 'inline', json: '1' }, at: plain.now },
  ],
  waitReason: { code: 'timer', message: 'soon' },
  traceParent: '00-1-2-01',
  breakpoints: [{ nodeId: nodeId('a'), condition: 'input > 3' }],
}

/** Names of a file that has none yet. */
const names = (() => {
  const database = new Database(':memory:')
  for (const { sql } of migrations) database.exec(sql)
  return createNames(database)
})()

const rowOf = (run: RunRecord, body: string) => {
  const { id, status, version, deadlineAt } = run
  return { key: 1, id, status: names.keyOf(status), version, deadline_at: deadlineAt, body }
}

describe('the row of a run', () => {
  it.each([
    ['as it began', plain],
    ['with nothing usual about it', unusual],
  ])('gives back the run %s', (_name, run) => {
    expect(decodeRun(rowOf(run, encodeRun(run, names)), names)).toEqual(run)
  })

  it('leaves out what a new run has anyway, and names what very many runs have', () => {
    const usual = { ...plain, workflowId: workflowId('workflow'), workflowTitle: 'Work "flow"' }
    const text = encodeRun(usual, names)
    expect(text.length).toBeLessThan(80)
    expect(JSON.parse(names.lengthen(text))).toEqual([
      plain.now,
      241_692,
      'workflow',
      'Work "flow"',
      plain.definitionHash,
      'manual',
      '{"a":1}',
      0,
      'seed',
      0,
    ])
  })

  it('reads a text of before form 6, in which everything was written out', () => {
    const { id: _id, status: _status, version: _version, deadlineAt: _deadlineAt, ...whole } = unusual
    expect(decodeRun(rowOf(unusual, JSON.stringify(whole)), names)).toEqual(unusual)
  })
})

describe('names', () => {
  it('stand only where a whole string does, and come back as they were', () => {
    const json = JSON.stringify(['a workflow', '"workflow"', 'workflow', 'workflow'])
    const short = names.shorten(json, ['workflow', 'nowhere there', 'x'])
    expect(short).not.toBe(json)
    expect(names.lengthen(short)).toBe(json)
    expect(names.lengthen('["workflow"]')).toBe('["workflow"]')
  })

  it('keep their keys when what was in memory is forgotten', () => {
    const key = names.keyOf('workflow')
    names.forget()
    expect(names.textOf(key)).toBe('workflow')
    expect(names.keyOf('workflow')).toBe(key)
  })
})
