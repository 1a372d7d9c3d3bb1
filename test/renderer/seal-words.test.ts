/** What is said of sealed values and their keys. */

import { expect, test } from 'vitest'
import { handCommands, sealStateWords, sealUse } from '../../src-renderer/text/seal-words.ts'

const keys = ['a', 'b', 'c'].map((id) => ({ id, createdAt: 0 }))

test.for<readonly [string, string]>([
  ['a', 'reads'],
  ['b', 'seals'],
  ['c', 'prepared'],
])('the key %s of three, of which the middle one seals, %s', ([id, use]) => {
  expect(sealUse({ keys, current: 'b' }, id)).toBe(use)
})

test('where nobody here has the key that seals, those that are here only read', () => {
  expect(sealUse({ keys, current: 'elsewhere' }, 'c')).toBe('reads')
})

test('a state is told in a sentence, and what keeps this machine from working comes first', () => {
  expect(sealStateWords({ key: null, problem: null })).toBe('Values lie there as they are.')
  expect(sealStateWords({ key: 'k1', problem: null })).toContain('Sealed with the key k1')
  const problem = { code: 'seal_key_missing', message: 'No key.', hint: 'Import it.' }
  expect(sealStateWords({ key: 'k1', problem })).toBe('No key. Import it.')
})

test('the commands name the cluster that the page is about', () => {
  expect(handCommands('plant').out).toContain('--cluster plant')
  expect(handCommands(null).out).not.toContain('--cluster')
})
