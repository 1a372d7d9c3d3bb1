/** What is written again is what was written, also where its partition has taken sealed values only since. */

import { expect, test } from 'vitest'
import { rebuiltUnit } from '../../../../../src-engine/store/redis/journal/rebuilt-unit.ts'
import { emptyUnit } from '../../../../../src-engine/store/redis/unit.ts'

test.for([
  ['plain', 'none'],
  ['sealed', 'sealed'],
  ['none', 'none'],
] as const)('a unit with %s values says that they are %s', ([values, said]) => {
  for (const epoch of [1, 2]) expect(rebuiltUnit({ ...emptyUnit, values }, 1, epoch).values).toBe(said)
})
