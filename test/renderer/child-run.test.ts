/** Which run a step started. */

import { describe, expect, it } from 'vitest'
import { childRunId, childRunOf } from '../../src-engine/model/child-run.ts'
import { errorRecord } from '../../src-engine/model/errors.ts'
import { runId } from '../../src-engine/model/ids.ts'
import { invocationRecord } from './factories.ts'

describe('the run that a step started', () => {
  it('is the one that it waits for', () => {
    const wait = { kind: 'run', runId: runId('run_sub_1') } as const
    expect(childRunOf(invocationRecord('a', { status: 'WAITING', wait }))).toBe('run_sub_1')
  })

  it('is the one that its failure names', () => {
    const error = errorRecord('sub_run_failed', { message: 'No.', details: { childRunId: 'run_sub_2' } })
    expect(childRunOf(invocationRecord('a', { status: 'FAILED', error }))).toBe('run_sub_2')
  })

  it('follows from the step and its try once that succeeded', () => {
    const record = invocationRecord('a', { status: 'SUCCESS', failureCount: 1, taskKind: 'sub-workflow' })
    expect(childRunOf(record)).toBe(childRunId(record.id, 1))
  })

  it('is none for other kinds, and for one that has not begun', () => {
    expect(childRunOf(invocationRecord('a', { status: 'SUCCESS', taskKind: 'noop' }))).toBeNull()
    expect(childRunOf(invocationRecord('a', { status: 'REGISTERED', taskKind: 'sub-workflow' }))).toBeNull()
  })
})
