import { expect, test } from 'vitest'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { cachedStyle, invocationStyle } from '../../src-renderer/status/status-style.ts'
import { invocationRecord } from './factories.ts'

const lookWith = (dispatch: object | null, outcome: string, status = 'SUCCESS') =>
  lookOf({
    invocation: { ...invocationRecord('a'), status, finishedAt: 5, dispatch },
    attempts: [{ outcome, startedAt: 4 }],
    undo: null,
    turns: null,
  } as never)

test('a card says that a result of an earlier run stood for its step, in which nothing was tried', () => {
  const look = lookWith({ reused: { from: 'run_0/a', at: 1 } }, 'reused')
  expect(look).toMatchObject({ style: cachedStyle, pips: [] })
  expect(look.style.label).toBe('From cache')
})

test('a step that ran is done, and one whose result is held back since says that', () => {
  expect(lookWith(null, 'succeeded')).toMatchObject({ style: invocationStyle.SUCCESS, pips: ['done'] })
  const held = lookWith({ reused: { from: 'run_0/a', at: 1 } }, 'reused', 'OUTPUT_QUARANTINED')
  expect(held.style).toBe(invocationStyle.OUTPUT_QUARANTINED)
})
