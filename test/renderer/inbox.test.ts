import { describe, expect, test } from 'vitest'
import { definitionHash, invocationId, nodeId, runId, workflowId } from '../../src-engine/model/ids.ts'
import type { ApprovalView, UncertainView } from '../../src-engine/protocol/approvals.ts'
import { freshOf, titleOfEntry, touchesInbox } from '../../src-engine/protocol/notices.ts'
import { decidedWords, mailWords, untilWords } from '../../src-renderer/approval/ApprovalFacts.tsx'
import { placeAfter } from '../../src-renderer/panels/engine-page/place-after.ts'
import { asksApproval, unapproved, undecided } from '../../src-renderer/state/decision.ts'
import { eventOf, invocationRecord } from './factories.ts'

const place = {
  runId: runId('run-1'),
  invocationId: invocationId('run-1/pay'),
  nodeId: nodeId('pay'),
  taskKind: 'approval',
  path: '',
  workflowId: workflowId('wf'),
  workflowTitle: 'Pay the supplier',
  nodeTitle: 'Pay',
  definitionHash: definitionHash('w1_0'),
  tenant: 'local',
  startedBy: null,
}

const approval: ApprovalView = {
  ...place,
  kind: 'approval',
  for: 'node',
  hash: 'h1',
  revision: 1,
  title: 'Pay 420?',
  message: '',
  details: null,
  form: null,
  approvers: [],
  otherPerson: false,
  answers: ['approve', 'reject'],
  requestedAt: 0,
  expiresAt: null,
  onExpiry: 'reject',
  escalateAt: null,
  escalatedAt: null,
  notices: [],
  policy: null,
  blocked: null,
  decided: null,
}

const doubt = { ...place, invocationId: invocationId('run-1/x'), kind: 'effect' } as unknown as UncertainView

describe('the inbox', () => {
  test('is asked for again when a step begins to wait, or waits no more', () => {
    const changed = (
      from: 'RUNNING' | 'APPROVAL_REQUIRED',
      to: 'APPROVAL_REQUIRED' | 'REROUTED' | 'SUCCESS',
    ) => touchesInbox(eventOf({ type: 'invocation.changed', from, to, set: {}, attempt: null }, 'pay'))
    expect(changed('RUNNING', 'APPROVAL_REQUIRED')).toBe(true)
    expect(changed('APPROVAL_REQUIRED', 'REROUTED')).toBe(true)
    expect(changed('RUNNING', 'SUCCESS')).toBe(false)
    const run = (to: 'PAUSED' | 'WAITING', set: { readonly finishedAt?: number }) =>
      touchesInbox(eventOf({ type: 'run.changed', from: 'RUNNING', to, set }))
    expect(run('PAUSED', {})).toBe(true)
    expect(run('WAITING', { finishedAt: 4 })).toBe(true)
    expect(run('WAITING', {})).toBe(false)
  })

  test('tells what is new: come, asked anew, or more urgent', () => {
    expect(freshOf([], [approval, doubt])).toEqual([approval, doubt])
    expect(freshOf([approval, doubt], [approval, doubt])).toEqual([])
    const anew = { ...approval, revision: 2 }
    const urgent = { ...approval, escalatedAt: 5 }
    expect(freshOf([approval], [anew])).toEqual([anew])
    expect(freshOf([approval], [urgent])).toEqual([urgent])
  })

  test('names an entry by its question, else by its step', () => {
    expect(titleOfEntry(approval)).toBe('Pay 420?')
    expect(titleOfEntry({ ...approval, title: '' })).toBe('Pay')
    expect(titleOfEntry(doubt)).toBe('Pay')
  })

  test('keys go through the list and stop at its ends', () => {
    expect([placeAfter('ArrowDown', 0, 2), placeAfter('ArrowDown', 1, 2)]).toEqual([1, 1])
    expect([placeAfter('ArrowUp', 1, 2), placeAfter('ArrowUp', 0, 2)]).toEqual([0, 0])
    expect([placeAfter('Home', 1, 2), placeAfter('End', 0, 2), placeAfter('x', 0, 2)]).toEqual([0, 1, null])
  })
})

describe('the words of an approval', () => {
  test('when it ends by itself, and as what', () => {
    expect(untilWords(approval, 0)).toBe('Waits until somebody decides')
    expect(untilWords({ expiresAt: 60_000, onExpiry: 'reject' }, 0)).toBe('Counts as rejected in 1 m 00 s')
    expect(untilWords({ expiresAt: 60_000, onExpiry: 'fail' }, 0)).toBe('Times out in 1 m 00 s')
    expect(untilWords({ expiresAt: 5, onExpiry: 'fail' }, 6)).toBe('Its time is over.')
    expect(untilWords({ expiresAt: 3 * 86_400_000, onExpiry: 'fail' }, 0)).toMatch(/^Times out on /)
  })

  test('whether a mail went out, and why it didn’t', () => {
    const notice = {
      occasion: 'asked',
      at: 0,
      to: 'ada@example.com',
      tries: 1,
      error: null,
      isOver: true,
    } as const
    expect(mailWords(notice)).toBe('Sent to ada@example.com')
    expect(mailWords({ ...notice, occasion: 'escalated' })).toBe('Sent again, as urgent, to ada@example.com')
    const error = { code: 'connection_failed', message: 'Nobody is there.', hint: 'Check the host.' }
    expect(mailWords({ ...notice, error, isOver: false })).toBe(
      'Not sent to ada@example.com: Nobody is there. It is tried again.',
    )
    expect(mailWords({ ...notice, error, to: '' })).toBe('Not sent: Nobody is there. Check the host.')
  })

  test('what was decided, by whom, with what they said', () => {
    expect(decidedWords({ outcome: 'approved', by: 'Anna', comment: null })).toBe('Approved by Anna')
    expect(decidedWords({ outcome: 'rejected', by: null, comment: 'too much' })).toBe(
      'Rejected by somebody at this computer: “too much”',
    )
    expect(decidedWords({ outcome: 'expired', by: null, comment: null })).toBe('Nobody decided in time')
  })
})

describe('steps that wait for a person', () => {
  const wait = { kind: 'approval', hash: 'h1' } as never
  const asking = invocationRecord('pay', { status: 'APPROVAL_REQUIRED', wait })
  const cutOff = invocationRecord('mail', { status: 'APPROVAL_REQUIRED' })

  test('those in doubt are told apart from those that ask', () => {
    const replay = { invocations: new Map([asking, cutOff].map((one) => [one.id, one])) } as never
    expect(asksApproval(asking)).toBe(true)
    expect(unapproved(replay)).toEqual([asking])
    expect(undecided(replay)).toEqual([cutOff])
  })
})
