/** The numbers of a unit, as one argument: how they are written, and the part of the script that reads them. */

import { assert } from '../../model/result.ts'

/** Numbers below it are a character each where all of them are; else it stands in front, and each is three. */
const wideMark = 127
const wideMax = 128 ** 3 - 1
/** As many as a server hands out at once. */
const shortMax = 200
const digits: readonly string[] = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/**
 * The numbers of a unit as one argument: an argument for each would cost the server more than all that it does with
 * them. All characters are ASCII.
 */
export function packNumbers(numbers: readonly number[]): string {
  if (numbers.length > shortMax) return packWide(numbers)
  for (const each of numbers) if (each >= wideMark) return packWide(numbers)
  // In one go: a text that grows by a character is kept in as many pieces.
  return String.fromCharCode(...numbers)
}

function packWide(numbers: readonly number[]): string {
  let text = digits[wideMark] ?? ''
  for (const each of numbers) {
    assert(each <= wideMax, 'a call has fewer arguments and events than that')
    for (let shift = 14; shift >= 0; shift -= 7) text += digits[(each >> shift) & 127]
  }
  return text
}

/** Lua: `numbers_of` reads what `packNumbers` wrote. */
export const luaNumbers = `
local function numbers_of(text)
  local byte = string.byte
  if byte(text) ~= ${wideMark} then return {byte(text, 1, ${shortMax})} end
  local numbers = {}
  for i = 2, #text, 3 do
    local high, middle, low = byte(text, i, i + 2)
    numbers[#numbers + 1] = high * 16384 + middle * 128 + low
  end
  return numbers
end
`
