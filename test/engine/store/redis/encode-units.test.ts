/** The numbers of a unit as one argument. */

import { expect, test } from 'vitest'
import { packNumbers } from '../../../../src-engine/store/redis/apply-script-numbers.ts'

/** As the script reads them. */
function unpacked(text: string): readonly number[] {
  const codes = Array.from(text, (character) => character.charCodeAt(0))
  if (codes[0] !== 127) return codes
  const numbers: number[] = []
  for (let place = 1; place < codes.length; place += 3) {
    const [high = 0, middle = 0, low = 0] = codes.slice(place, place + 3)
    numbers.push(high * 16_384 + middle * 128 + low)
  }
  return numbers
}

test.each([
  ['small ones are a character each', [3, 0, 1, 126], 4],
  ['with a large one among them each is three, behind a mark', [4, 127, 128, 16_384, 2_097_151], 1 + 5 * 3],
  ['so is each of more than a server hands out at once', Array.from({ length: 201 }, () => 1), 1 + 201 * 3],
])('%s', (_, numbers, length) => {
  const text = packNumbers(numbers)
  expect(text).toHaveLength(length)
  expect(Buffer.byteLength(text)).toBe(text.length)
  expect(unpacked(text)).toEqual(numbers)
})

test('what is too large for it is an error of ours', () => {
  expect(() => packNumbers([2_097_152])).toThrow('fewer arguments')
})
