import { expect, test } from 'vitest'
import { probeWords } from '../../src-renderer/canvas/live/probe-words.ts'

test('an edge says how often something went along it', () => {
  const went = { isKept: false, peek: '42', times: 1 }
  expect(probeWords(went)).toBe('Last went along here: 42. Gone once. Press to keep it in sight.')
  expect(probeWords({ ...went, isKept: true, peek: null, times: 3 })).toBe(
    'Kept in sight: nothing. Gone 3 times. Press to let it go.',
  )
})
