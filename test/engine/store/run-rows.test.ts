/** The stored text of a run: short for what is usual, whole for what isn't, and readable as it once was. */

import { describe, expect, it } from 'vitest'
import { definitionHash, invocationId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import { newRun } from '../../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { decodeRun, encodeRun } from '../../../src-engine/store/sqlite/rows.ts'

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
}

const rowOf = (run: RunRecord, body: string) => {
  return {
    key: 1,
    id: run.id,
    status: run.status,
    version: run.version,
    deadline_at: run.deadlineAt,
    body,
  }
}

describe('the row of a run', () => {
  it.each([
    ['as it began', plain],
    ['with nothing usual about it', unusual],
  ])('gives back the run %s', (_name, run) => {
    expect(decodeRun(rowOf(run, encodeRun(run)))).toEqual(run)
  })

  it('leaves out what a new run has anyway', () => {
    expect(Object.keys(JSON.parse(encodeRun(plain)) as object).sort()).toEqual([
      'cause',
      'createdAt',
      'definitionHash',
      'input',
      'now',
      'seed',
      'workflowId',
      'workflowTitle',
    ])
  })

  it('reads a text in which everything was written out', () => {
    const { id: _id, status: _status, version: _version, deadlineAt: _deadlineAt, ...whole } = unusual
    expect(decodeRun(rowOf(unusual, JSON.stringify(whole)))).toEqual(unusual)
  })
})
