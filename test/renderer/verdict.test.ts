import { describe, expect, test } from 'vitest'
import type { ApprovalDecision, ApprovalWait } from '../../src-engine/model/approval.ts'
import { errorRecord } from '../../src-engine/model/errors.ts'
import type { Dispatch, InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { PolicyRuling } from '../../src-engine/model/policy/ruling.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { verdictOf } from '../../src-renderer/canvas/verdict.ts'
import { invocationRecord } from './factories.ts'

const dispatch = (changes: Partial<Dispatch>): Dispatch => ({
  firstClaimedAt: null,
  schedulingAttempts: 0,
  lastFailedRunner: null,
  pauseRequestedAt: null,
  beatAt: null,
  ...changes,
})
const shown = { kind: 'inline', json: '{"title":"Ship it?"}' } as const
const wait = (changes: Partial<ApprovalWait>): ApprovalWait => ({
  kind: 'approval',
  for: 'node',
  hash: 'h',
  revision: 1,
  shown,
  policy: null,
  approvers: [],
  otherPerson: false,
  pushBack: false,
  onReject: 'port',
  requestedAt: 0,
  expiresAt: null,
  onExpiry: 'reject',
  escalateAt: null,
  escalateTo: [],
  escalatedAt: null,
  ...changes,
})
const ruling = (changes: Partial<PolicyRuling>): PolicyRuling => ({
  decision: 'DENY',
  ruleId: 'no-friday',
  snapshot: null,
  reason: 'Nothing ships on a Friday',
  constraints: null,
  at: 1,
  ...changes,
})
const decision = (changes: Partial<ApprovalDecision>): ApprovalDecision => ({
  for: 'node',
  hash: 'h',
  revision: 1,
  outcome: 'approved',
  by: 'Anna',
  at: 1,
  comment: null,
  values: null,
  shown,
  policy: null,
  ...changes,
})
const of = (changes: Partial<InvocationRecord>) => verdictOf(invocationRecord('a', changes))
const asks = (changes: Partial<ApprovalWait>, more: Partial<Dispatch> = {}) =>
  of({ status: 'APPROVAL_REQUIRED', wait: wait(changes), dispatch: dispatch(more) })

describe('who has a say about a step, and why', () => {
  test('an approval names who may decide, and what is asked', () => {
    expect(asks({ approvers: ['Anna', 'Ben'] })).toEqual({ who: 'asks Anna, Ben', why: 'Ship it?' })
    expect(asks({})).toEqual({ who: 'asks anybody', why: 'Ship it?' })
    expect(asks({ otherPerson: true })?.who).toBe('asks somebody else')
    const blob = { kind: 'blob', hash: 'b', bytes: 9 } as unknown as ApprovalWait['shown']
    expect(asks({ shown: blob })?.why).toBeNull()
  })

  test('a rule that asks says why', () => {
    const policy = ruling({ decision: 'REQUIRE_APPROVAL', reason: 'Someone has to look' })
    const said = asks({ for: 'policy', approvers: ['Carla'] }, { policy })
    expect(said).toEqual({ who: 'asks Carla', why: 'Someone has to look' })
  })

  test('a denial is a rule’s or a person’s', () => {
    const byRule = { status: 'DENIED', finishedAt: 2, error: errorRecord('safety_denied') } as const
    const rule = { who: 'rule “no-friday”', why: 'Nothing ships on a Friday' }
    expect(of({ ...byRule, dispatch: dispatch({ policy: ruling({}) }) })).toEqual(rule)
    const comment = { kind: 'inline', json: '"Too dear"' } as const
    const rejected = decision({ outcome: 'rejected', comment })
    const byPerson = { ...byRule, error: errorRecord('approval_rejected') }
    // The rule that had it asked stands in its record too.
    const both = dispatch({ approval: rejected, policy: ruling({}) })
    expect(of({ ...byPerson, dispatch: both })).toEqual({ who: 'rejected by Anna', why: 'Too dear' })
    const expired = dispatch({ approval: decision({ outcome: 'expired', by: null }) })
    const late = { ...byRule, error: errorRecord('approval_expired'), dispatch: expired }
    expect(of(late)).toEqual({ who: 'nobody decided in time', why: 'Ship it?' })
    expect(of(byRule)).toEqual({ who: null, why: errorRecord('safety_denied').message })
  })

  test('what is put off names the rule, and what waits for something else doesn’t', () => {
    const put = dispatch({ policy: ruling({ decision: 'THROTTLE', ruleId: 'slow', reason: 'Too many' }) })
    const waits = { status: 'REROUTED', dispatch: put } as const
    const throttled = { code: 'safety_throttled', message: 'Too many' }
    expect(of({ ...waits, waitReason: throttled })).toEqual({ who: 'rule “slow”', why: 'Too many' })
    expect(of({ ...waits, waitReason: { code: 'no_slot', message: 'Busy.' } })).toBeNull()
  })

  test('a result that is held back names the rule and what was found', () => {
    const check = { rule: 'secret', reason: 'It looks like a secret.' } as unknown as NonNullable<
      Dispatch['check']
    >
    const record = { status: 'OUTPUT_QUARANTINED', finishedAt: 2, dispatch: dispatch({ check }) } as const
    expect(of(record)).toEqual({ who: 'rule “secret”', why: 'It looks like a secret.' })
    const run = { attempts: [], isSkipped: false, turns: null, strip: null, undo: null }
    const look = lookOf({ ...run, invocation: invocationRecord('a', record) })
    expect(look).toMatchObject({ reason: 'rule “secret”', verdict: { why: 'It looks like a secret.' } })
  })

  test('a step that went on tells who let it', () => {
    const done = { status: 'SUCCESS', finishedAt: 2 } as const
    expect(of({ ...done, dispatch: dispatch({ approval: decision({}) }) })?.who).toBe('approved by Anna')
    expect(of({ ...done, dispatch: dispatch({ policy: ruling({}) }) })).toBeNull()
    expect(of(done)).toBeNull()
  })
})
