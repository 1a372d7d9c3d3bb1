import { describe, expect, test } from 'vitest'
import { invocationId } from '../../src-engine/model/ids.ts'
import { emptyReplay } from '../../src-engine/model/replay.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { decisionOf, undecided } from '../../src-renderer/state/decision.ts'
import { invocationRecord } from './factories.ts'

const inDoubt = { ...invocationRecord('pay'), status: 'APPROVAL_REQUIRED' } as const
const view = (invocation: ReturnType<typeof invocationRecord>) => ({
  invocation,
  attempts: [],
  isSkipped: false,
  turns: null,
  strip: null,
  undo: null,
})

describe('deciding a step whose effect is in doubt', () => {
  test('each button is one decision of the protocol', () => {
    expect(decisionOf('again', 'ignored')).toEqual({ kind: 'run-again' })
    expect(decisionOf('fail', 'ignored')).toEqual({ kind: 'fail' })
    expect(decisionOf('done', '{"id": 7}')).toEqual({ kind: 'take-as-done', output: { id: 7 } })
  })

  test('no text is no output, and what is not JSON decides nothing', () => {
    expect(decisionOf('done', '  \n')).toEqual({ kind: 'take-as-done', output: null })
    expect(decisionOf('done', '{"id": ')).toBeNull()
    expect(decisionOf('again', '{"id": ')).toEqual({ kind: 'run-again' })
  })

  test('a waiting step is found, and its card says that it needs you', () => {
    const other = invocationRecord('pay', { id: invocationId('run-1/pay@each:1'), path: 'each:1' })
    const records = [invocationRecord('first'), inDoubt, { ...other, status: 'APPROVAL_REQUIRED' as const }]
    const replay = { ...emptyReplay, invocations: new Map(records.map((record) => [record.id, record])) }
    // Also in the items that nobody looks at.
    expect(undecided(replay).map(({ path }) => path)).toEqual(['', 'each:1'])
    const look = lookOf(view(inDoubt))
    expect(look.style.label).toBe('Needs you')
    expect(look.reason).toBe('cut off while it ran')
  })
})

test('a card says since when a step is kept from its work', () => {
  const clock = (changes: Partial<Parameters<typeof invocationRecord>[1]>) =>
    lookOf(view(invocationRecord('a', { registeredAt: 5, ...changes }))).clock
  const permits = { permits: [], resolved: true, blockedSince: 9, blockedBy: 'node:x' }
  expect(clock({ status: 'CONCURRENCY_CONTROLLED', permits })).toEqual({ kind: 'since', at: 9 })
  const wait = { kind: 'signal', name: 'go', correlation: null, onTimeout: 'fail' } as const
  expect(clock({ status: 'WAITING', wait, startedAt: 7 })).toEqual({ kind: 'since', at: 7 })
  const waitReason = { code: 'no_workers', message: 'No runner can do it.' }
  expect(clock({ status: 'REGISTERED', waitReason })).toEqual({ kind: 'since', at: 5 })
  expect(clock({ status: 'REGISTERED' })).toEqual({ kind: 'none' })
  expect(clock({ status: 'RETRY', notBefore: 99 })).toMatchObject({ kind: 'until', at: 99 })
})
