/** The numbers of a unit as one argument. */

import { expect, test } from 'vitest'
import { packNumbers } from '../../../../src-engine/store/redis/encode-units.ts'

/** As the script reads them. */
function unpacked(text: string): readonly number[] {
  const codes = Array.from(text, (character) => character.charCodeAt(0))
  const numbers: number[] = []
  for (let place = 0; place < codes.length; ) {
    const [value = 0, high = 0, middle = 0, low = 0] = codes.slice(place, place + 4)
    numbers.push(value < 127 ? value : high * 16_384 + middle * 128 + low)
    place += value < 127 ? 1 : 4
  }
  return numbers
}

test('small ones are a character, larger ones four, and all are ASCII', () => {
  const numbers = [0, 1, 126, 127, 128, 16_383, 16_384, 2_097_151]
  const text = packNumbers(numbers)
  expect(text).toHaveLength(3 + 5 * 4)
  expect(Buffer.byteLength(text)).toBe(text.length)
  expect(unpacked(text)).toEqual(numbers)
})

test('what is too large for it is an error of ours', () => {
  expect(() => packNumbers([2_097_152])).toThrow('fewer arguments')
})
