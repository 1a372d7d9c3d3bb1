import { describe, expect, test } from 'vitest'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { decisionOf, undecidedNodes } from '../../src-renderer/state/decision.ts'
import { invocationRecord } from './factories.ts'

const inDoubt = { ...invocationRecord('pay'), status: 'APPROVAL_REQUIRED' } as const
const view = (invocation: ReturnType<typeof invocationRecord>) => ({
  invocation,
  attempts: [],
  isSkipped: false,
  turns: null,
  strip: null,
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
    const nodes = new Map([
      ['first', view(invocationRecord('first'))],
      ['pay', view(inDoubt)],
    ])
    expect(undecidedNodes(nodes)).toEqual(['pay'])
    const look = lookOf(view(inDoubt))
    expect(look.style.label).toBe('Needs you')
    expect(look.reason).toBe('cut off while it ran')
  })
})
