/** What the page of dead letters says and finds. */

import { describe, expect, it } from 'vitest'
import type { DeadLetter } from '../../src-engine/model/checkpoint.ts'
import type { EventBody } from '../../src-engine/model/event.ts'
import { invocationId, nodeId, runId, workflowId } from '../../src-engine/model/ids.ts'
import { touchesLetters } from '../../src-engine/protocol/notices.ts'
import { askOfKey, canAsk, whyNotOn } from '../../src-renderer/panels/engine-page/dead-letters/letter-asks.ts'
import {
  attemptWords,
  choicesOf,
  foundLetters,
  lastStatusStyle,
  neighbourOf,
  reasonHint,
  reasonWords,
  workflowWords,
} from '../../src-renderer/panels/engine-page/dead-letters/letter-words.ts'

const letter = (id: string, given: Partial<DeadLetter> = {}): DeadLetter => ({
  id,
  runId: runId('run_1'),
  invocationId: invocationId('inv_1'),
  workflowId: workflowId('wf_orders'),
  nodeId: nodeId('send'),
  reason: 'worker_lost',
  message: 'Its runner crashed.',
  lastStatus: 'RUNNING',
  at: 0,
  attempts: 3,
  input: null,
  body: { workflowTitle: 'Orders', crashCount: 2 },
  ...given,
})

describe('words of a dead letter', () => {
  it('says reason, state, attempts and workflow for people', () => {
    expect(reasonWords('worker_lost')).toBe('The step took its runner down again and again.')
    expect(reasonHint('worker_lost')).toContain('crashed')
    expect(lastStatusStyle(letter('a'))?.label).toBe('Running')
    expect(attemptWords(letter('a'))).toBe('3 attempts, 2 crashes')
    expect(attemptWords(letter('a', { attempts: 1, body: null }))).toBe('1 attempt')
    expect(workflowWords(letter('a'))).toBe('Orders')
    expect(workflowWords(letter('a', { body: null }))).toBe('wf_orders')
  })

  it('keeps what a newer engine says as it is', () => {
    expect(reasonWords('toString')).toBe('toString')
    // Reasons that are no errors of their own have words too.
    for (const reason of [
      'output_quarantined_async',
      'quarantine_failed',
      'dispatch_timeout',
      'no_workers',
    ]) {
      expect(reasonWords(reason)).not.toBe(reason)
      expect(reasonHint(reason)).not.toBeNull()
    }
    expect(reasonHint('moon_phase')).toBeNull()
    expect(lastStatusStyle(letter('a', { lastStatus: 'MELTED' }))).toBeNull()
  })
})

describe('finding dead letters', () => {
  const letters = [
    letter('a'),
    letter('b', { reason: 'task_failed', message: 'Out of stock' }),
    letter('c', { body: { workflowTitle: 'Invoices' }, nodeId: nodeId('print') }),
  ]
  const all = { text: '', reason: null, workflow: null }
  const idsOf = (filter: Parameters<typeof foundLetters>[1]) =>
    foundLetters(letters, filter).map(({ id }) => id)

  it('looks at every word, in title, step, message and reason', () => {
    expect(idsOf(all)).toEqual(['a', 'b', 'c'])
    expect(idsOf({ ...all, text: 'orders STOCK' })).toEqual(['b'])
    expect(idsOf({ ...all, text: 'print' })).toEqual(['c'])
    expect(idsOf({ ...all, text: 'again runner' })).toEqual(['a', 'c'])
  })

  it('keeps those of one reason and one workflow', () => {
    expect(idsOf({ ...all, reason: 'worker_lost' })).toEqual(['a', 'c'])
    expect(idsOf({ ...all, reason: 'worker_lost', workflow: 'Orders' })).toEqual(['a'])
  })

  it('offers each value once, the most frequent first', () => {
    expect(choicesOf(letters, ({ reason }) => reason)).toEqual([
      { value: 'worker_lost', count: 2 },
      { value: 'task_failed', count: 1 },
    ])
  })

  it('goes on with the next letter, at the end with the one before', () => {
    expect(neighbourOf(letters, 'a')).toBe('b')
    expect(neighbourOf(letters, 'c')).toBe('b')
    expect(neighbourOf([letter('a')], 'a')).toBeNull()
  })
})

describe('keys of dead letters', () => {
  it('are the first letters of what they do', () => {
    expect(askOfKey('r')).toBe('replay')
    expect(askOfKey('E')).toBe('edit')
    expect(askOfKey('t')).toBe('retry')
    expect(askOfKey('Enter')).toBe('openRun')
    expect(askOfKey('Delete')).toBe('discard')
    expect(askOfKey('x')).toBeNull()
  })

  it('do nothing that needs a run for a letter without one', () => {
    const alone = letter('a', { runId: null })
    expect(canAsk('replay', { letter: alone, runStatus: null })).toBe(false)
    expect(canAsk('discard', { letter: alone, runStatus: null })).toBe(true)
  })

  it.each([
    ['FAILED', true],
    ['TIMED_OUT', true],
    ['CANCELLED', true],
    ['DENIED', true],
    ['RUNNING', false],
    ['SUCCEEDED', false],
    ['COMPENSATING', false],
    ['COMPENSATED', false],
    ['COMPENSATION_FAILED', false],
    ['ABANDONED', false],
  ] as const)('have a run that is %s go on: %s', (runStatus, isOffered) => {
    const now = { letter: letter('a'), runStatus }
    expect(canAsk('retry', now)).toBe(isOffered)
    expect(whyNotOn(now) === null).toBe(isOffered)
  })

  it('offer nothing while nobody knows how the run is, and never what undoes a step', () => {
    expect(canAsk('retry', { letter: letter('a'), runStatus: null })).toBe(false)
    expect(whyNotOn({ letter: letter('a'), runStatus: null })).toBeNull()
    const undo = { letter: letter('a', { body: { role: 'compensation' } }), runStatus: 'FAILED' } as const
    expect(canAsk('retry', undo)).toBe(false)
    expect(canAsk('replay', undo)).toBe(true)
    expect(whyNotOn(undo)).toContain('tries to undo')
  })
})

describe('events that touch dead letters', () => {
  const touches = (body: EventBody, kind = 'task') =>
    touchesLetters({ body, cause: { kind, by: null, detail: null } })

  it('are ends without success, runs that go on, and what a person does about letters', () => {
    const ended = { type: 'invocation.changed', from: 'RUNNING', set: {}, attempt: null } as const
    expect(touches({ ...ended, to: 'FAILED' })).toBe(true)
    expect(touches({ ...ended, to: 'TIMEOUT' })).toBe(true)
    expect(touches({ ...ended, to: 'DENIED' })).toBe(true)
    expect(touches({ ...ended, to: 'OUTPUT_QUARANTINED' })).toBe(true)
    expect(touches({ ...ended, to: 'SUCCESS' })).toBe(false)
    // A release takes the letter away.
    expect(touches({ ...ended, from: 'OUTPUT_QUARANTINED', to: 'SUCCESS' })).toBe(true)
    const run = { type: 'run.changed', from: 'FAILED', to: 'RUNNING' } as const
    expect(touches({ ...run, set: { generation: 1 } })).toBe(true)
    expect(touches({ ...run, set: {} })).toBe(false)
    expect(touches({ ...run, set: {} }, 'dlq.discard')).toBe(true)
    expect(touches({ ...run, from: 'COMPENSATING', to: 'COMPENSATION_FAILED', set: {} })).toBe(true)
    // From then on nothing in the run can go on.
    expect(touches({ ...run, from: 'RUNNING', to: 'COMPENSATING', set: {} })).toBe(true)
    expect(touches({ ...run, from: 'COMPENSATION_FAILED', to: 'COMPENSATING', set: {} })).toBe(true)
  })
})
