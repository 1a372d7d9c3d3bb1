import { describe, expect, test } from 'vitest'
import { invocationId } from '../../src-engine/model/ids.ts'
import type { Dispatch } from '../../src-engine/model/invocation.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { pauseOf, runWaitWords, stepActionsOf, waitWords } from '../../src-renderer/status/wait-words.ts'
import { invocationRecord, runRecord } from './factories.ts'

const dispatch = (changes: Partial<Dispatch>): Dispatch => ({
  firstClaimedAt: null,
  schedulingAttempts: 0,
  lastFailedRunner: null,
  pauseRequestedAt: null,
  beatAt: null,
  ...changes,
})
const lookOfRecord = (record: ReturnType<typeof invocationRecord>) =>
  lookOf({ invocation: record, attempts: [], isSkipped: false, turns: null, strip: null, undo: null })

describe('why a step waits', () => {
  test('the engine’s own words come first', () => {
    const waitReason = { code: 'no_room', message: 'mail is full: step-7 holds it.' }
    const record = invocationRecord('a', { status: 'CONCURRENCY_CONTROLLED', waitReason })
    expect(waitWords(record)).toBe('mail is full: step-7 holds it.')
    expect(lookOfRecord(record)).toMatchObject({ style: { label: 'Held back' }, reason: waitReason.message })
  })

  test('a blocked permit, a signal, items and turns have words of their own', () => {
    const permits = { permits: [], resolved: true, blockedSince: 3, blockedBy: 'pool:mail' }
    expect(waitWords(invocationRecord('a', { permits }))).toContain('pool:mail')
    const signal = { kind: 'signal', name: 'paid', correlation: 'o-1', onTimeout: 'fail' } as const
    expect(waitWords(invocationRecord('a', { wait: signal }))).toBe('Waits for the signal “paid” for o-1.')
    const turn = { kind: 'turn', iteration: 2, value: { kind: 'inline', json: '1' } } as const
    expect(waitWords(invocationRecord('a', { wait: turn }))).toBe('Turn 3 is under way.')
    const rollback = { kind: 'rollback', of: invocationId('run-1/a'), place: 1, uncertain: false } as const
    expect(waitWords(invocationRecord('a', { wait: rollback }))).toBe(
      'Is there to undo its step, should the run be undone.',
    )
  })

  test('what has ended waits for nothing', () => {
    const waitReason = { code: 'timer', message: 'In a while.' }
    expect(waitWords(invocationRecord('a', { waitReason, finishedAt: 9 }))).toBeNull()
  })

  test('a step that a pause set aside says so, without the clock of its hold', () => {
    const waitReason = { code: 'paused', message: 'Paused: it goes on when somebody resumes it.' }
    const record = invocationRecord('a', { status: 'RETRY', waitReason, notBefore: 8_640_000_000_000_000 })
    expect(lookOfRecord(record)).toMatchObject({
      style: { label: 'Paused' },
      reason: 'until somebody resumes it',
      clock: { kind: 'none' },
    })
  })
})

describe('pausing a run', () => {
  test('is asked for, then in effect, then over', () => {
    expect(pauseOf(runRecord())).toBe('none')
    const asked = runRecord({ pauseRequestedAt: 4 })
    expect(pauseOf(asked)).toBe('asked')
    expect(runWaitWords(asked)).toMatch(/^Pausing/)
    expect(pauseOf(runRecord({ pauseRequestedAt: 4, status: 'PAUSED' }))).toBe('paused')
    expect(pauseOf(runRecord({ pauseRequestedAt: 4, status: 'CANCELLED', finishedAt: 9 }))).toBe('none')
  })

  test('a queued run names what it waits for', () => {
    const waitReason = { code: 'runs_full', message: 'Another run of it is under way.' }
    expect(runWaitWords(runRecord({ status: 'CREATED', waitReason }))).toBe(waitReason.message)
  })
})

describe('what can be asked of a step', () => {
  const run = runRecord()

  test('pause and skip while it is open, resume and skip once it is paused', () => {
    expect(stepActionsOf(invocationRecord('a', { status: 'RUNNING' }), run)).toEqual(['pause', 'skip'])
    const paused = invocationRecord('a', {
      status: 'PAUSED',
      dispatch: dispatch({ pauseRequestedAt: 5 }),
    })
    expect(stepActionsOf(paused, run)).toEqual(['resume', 'skip'])
  })

  test('what the pause of its run set aside is resumed with the run', () => {
    const waitReason = { code: 'paused', message: 'Paused.' }
    const held = invocationRecord('a', { waitReason })
    expect(stepActionsOf(held, runRecord({ pauseRequestedAt: 4, status: 'PAUSED' }))).toEqual(['skip'])
  })

  test('nothing once it ended, is being stopped, or waits for a person', () => {
    expect(stepActionsOf(invocationRecord('a', { finishedAt: 9 }), run)).toEqual([])
    expect(stepActionsOf(invocationRecord('a', { cancelRequestedAt: 9 }), run)).toEqual([])
    expect(stepActionsOf(invocationRecord('a', { status: 'APPROVAL_REQUIRED' }), run)).toEqual([])
  })
})
