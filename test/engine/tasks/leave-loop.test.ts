/** What leaves the turn of a loop, and what with. */

import { expect, test } from 'vitest'
import { joinSpec } from '../../../src-engine/tasks/join/spec.ts'
import { breakLoopRun, nextTurnRun } from '../../../src-engine/tasks/leave-loop/run.ts'
import { breakLoopSpec, nextTurnSpec } from '../../../src-engine/tasks/leave-loop/spec.ts'
import { taskContext } from '../../support/task-context.ts'

test('a step that leaves a loop has its value, or what arrived', () => {
  const context = taskContext({ input: { from: 'before' } })
  expect(breakLoopRun.execute({ value: '' }, context)).toEqual({
    kind: 'leaves',
    how: 'break',
    output: { from: 'before' },
  })
  expect(nextTurnRun.execute({ value: [1] }, context)).toEqual({
    kind: 'leaves',
    how: 'continue',
    output: [1],
  })
  expect(breakLoopRun.execute({ value: null }, context)).toMatchObject({ output: null })
})

test('nothing follows it in its turn, and its card says what it hands on', () => {
  for (const spec of [breakLoopSpec, nextTurnSpec]) expect(spec.outputs()).toEqual([])
  expect(breakLoopSpec.summary({})).toBe('ends the loop with its input')
  expect(nextTurnSpec.summary({ value: 'loop.value + 1' })).toBe('next turn with loop.value + 1')
})

test('a join has a way of its own for its timeout only where it leaves by that', () => {
  const ids = (onTimeout: string) => joinSpec.outputs({ onTimeout }).map(({ id }) => id)
  expect([ids('wait'), ids('fail'), ids('port')]).toEqual([['out'], ['out'], ['out', 'timeout']])
  expect(joinSpec.summary({ gather: 'deep' })).toBe('Waits for its branches, merged')
  expect(joinSpec.summary({})).toBe('Waits for its branches')
})
