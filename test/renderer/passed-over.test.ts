import { expect, test } from 'vitest'
import { passedOverCause } from '../../src-engine/model/passed-over.ts'
import { lookOf } from '../../src-renderer/canvas/node-look.ts'
import { skippedStyle } from '../../src-renderer/status/status-style.ts'
import { invocationRecord } from './factories.ts'

test.each(['CANCELLED', 'SUCCESS'] as const)(
  'a card says which condition kept its step from running: %s',
  (status) => {
    const plain = { ...invocationRecord('a'), status, finishedAt: 5 }
    const cause = passedOverCause(plain, { condition: 'input.total = 0', handsOn: status === 'SUCCESS' })
    const attempt = { outcome: 'skipped' } as never
    const look = lookOf({
      invocation: { ...plain, cause },
      attempts: [attempt],
      undo: null,
      turns: null,
    } as never)
    expect(look).toMatchObject({ style: skippedStyle, reason: 'input.total = 0', pips: [] })
  },
)

test('a step that a person skipped has that person’s reason elsewhere', () => {
  const cause = { kind: 'skipped', by: 'ann', detail: 'not today' }
  const look = lookOf({
    invocation: { ...invocationRecord('a'), status: 'CANCELLED', finishedAt: 5, cause },
    attempts: [],
    undo: null,
    turns: null,
  } as never)
  expect(look).toMatchObject({ style: skippedStyle, reason: null })
})
