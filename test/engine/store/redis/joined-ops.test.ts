/** Writes of a unit that share a command, and those that mustn't. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinedOps } from '../../../../src-engine/store/redis/joined-ops.ts'
import type { Op } from '../../../../src-engine/store/redis/unit.ts'

test('fields of one hash and members of one set go together', () => {
  const ops = joinedOps([
    { code: 'h', key: 'run', args: ['body', 'a', 'token', '1'] },
    { code: 'z', key: 'work', args: [1, 'x'] },
    { code: 'n', key: 'run', args: ['place'] },
    { code: 'h', key: 'run', args: ['step', 'b'] },
    { code: 'z', key: 'work', args: [2, 'y'] },
  ])
  expect(ops).toEqual([
    { code: 'h', key: 'run', args: ['body', 'a', 'token', '1', 'step', 'b'] },
    { code: 'z', key: 'work', args: [1, 'x', 2, 'y'] },
    { code: 'n', key: 'run', args: ['place'] },
  ])
})

test('what is put in after it was taken out of the same set stays after it', () => {
  const ops = [
    { code: 'r', key: 'work', args: ['x'] },
    { code: 'z', key: 'work', args: [2, 'x'] },
    { code: 'r', key: 'work', args: ['x'] },
    { code: 'h', key: 'hash', args: ['f', 1] },
    { code: 'd', key: 'hash', args: ['f'] },
    { code: 'h', key: 'hash', args: ['f', 2] },
  ] as const
  expect(joinedOps(ops)).toEqual(ops)
})

test('what one record counts down and another up is not counted', () => {
  const ops = joinedOps([
    { code: 'c', key: 'counts', args: ['a', -1] },
    { code: 'c', key: 'counts', args: ['b', 1] },
    { code: 'c', key: 'counts', args: ['a', 1] },
    { code: 'c', key: 'counts', args: ['b', 1] },
  ])
  expect(ops).toEqual([{ code: 'c', key: 'counts', args: ['b', 2] }])
})

test('no command has more than a script can pass on', () => {
  const ops = joinedOps(
    Array.from({ length: 3_000 }, (_, index) => ({ code: 'z', key: 'work', args: [index, `m${index}`] })),
  )
  expect(ops.map(({ args }) => args.length)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000])
})

test('few are joined as they are among many', () => {
  const some = fc.constantFrom('h', 'z', 'r', 'd', 'x', 'n', 'w', 'c' as const)
  const ops = fc.array(
    fc.record({ code: some, key: fc.constantFrom('k1', 'k2'), member: fc.constantFrom('a', 'b') }),
    { maxLength: 12 },
  )
  const others = Array.from({ length: 20 }, (_, index): Op => ({ code: 'n', key: 'others', args: [index] }))
  fc.assert(
    fc.property(ops, (drawn) => {
      const few = drawn.map(({ code, key, member }): Op => ({ code, key, args: [member, 1] }))
      expect(joinedOps([...few, ...others])).toEqual([...joinedOps(few), ...others])
    }),
  )
})
