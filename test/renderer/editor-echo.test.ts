/** An editor isn't written over with what was written in it. */

import { expect, test } from 'vitest'
import { createEcho } from '../../src-renderer/forms/widgets/editor-echo.ts'

test('what comes back late is the editor’s own, also where more was written by then', () => {
  const { tell, isOwn } = createEcho()
  for (const text of ['', '{', '{"a"']) tell(text)
  expect([isOwn(''), isOwn('{'), isOwn('{"a"')]).toEqual([true, true, true])
})

test('several that are drawn as one come back as the last of them', () => {
  const { tell, isOwn } = createEcho()
  for (const text of ['a', 'ab', 'abc']) tell(text)
  expect(isOwn('abc')).toBe(true)
  // Undone outside since: that is somebody else's.
  expect(isOwn('ab')).toBe(false)
})

test('what somebody else wrote counts', () => {
  const { tell, isOwn } = createEcho()
  expect(isOwn('theirs')).toBe(false)
  tell('mine')
  expect([isOwn('mine'), isOwn('mine')]).toEqual([true, false])
})

test('what was written and taken back before it was drawn is on its way no more', () => {
  const { tell, drawn, isOwn } = createEcho()
  for (const text of ['ab', 'a']) tell(text)
  drawn('a', () => 'a')
  expect(isOwn('ab')).toBe(false)
})

test('what is on its way stays so while other things are drawn', () => {
  const { tell, drawn, isOwn } = createEcho()
  for (const text of ['a', 'ab']) tell(text)
  drawn('', () => 'ab')
  expect(isOwn('a')).toBe(true)
})
