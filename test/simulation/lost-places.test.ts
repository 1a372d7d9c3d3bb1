/** Who comes back late is told from who finds its place as it was. */

import { expect, test } from 'vitest'
import type { SlotTake } from '../../src-engine/model/checkpoint.ts'
import { LostPlaces } from './lost-places.ts'

const take = (holder: string, key = 'node:w/n'): SlotTake => ({
  key,
  holder,
  limit: 1,
  expiresAt: null,
  by: 'a',
})

test.for([
  ['another had it since', [take('other')], true],
  ['another had it before', [], false],
  ['another has another key', [take('other', 'node:w/m')], false],
  ['it took it anew itself', [take('own')], false],
] as const)('where %s: %s comes late, %s', ([, since, isLate]) => {
  const places = new LostPlaces()
  places.note([take('other'), take('own')])
  places.lose([take('own')])
  places.note(since)
  // Lost once more, on its way back.
  places.lose([take('own')])
  expect(places.comesLate(take('own'))).toBe(isLate)
  expect(places.comesLate(take('own'))).toBe(false)
})
