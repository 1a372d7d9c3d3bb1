/** Who comes back late is told from who finds its place as it was. */

import { expect, test } from 'vitest'
import type { SlotTake } from '../../src-engine/model/checkpoint.ts'
import { placesLostBy } from './fast-records.ts'
import { LostPlaces } from './lost-places.ts'
import type { Change } from './noted-records.ts'

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

test('a place that was given back before it was lost is not lost', () => {
  const told = [{ origin: {}, drafts: [] }] as unknown as Change['told']
  const change = (value: SlotTake | undefined, of = 'own'): Change => {
    const key = JSON.stringify(['node:w/n', of])
    return { puts: [{ map: 'slots', key, value }], told, opIds: [] }
  }
  const [own, given] = [change(take('own')), change(undefined)]
  expect(placesLostBy([own, given])).toEqual([])
  expect(placesLostBy([own, change(undefined, 'other')])).toEqual([take('own')])
  // It is taken anew.
  expect(placesLostBy([given, own])).toEqual([take('own')])
  expect(placesLostBy([{ ...own, told: [] }])).toEqual([])
  expect(placesLostBy([change({ ...take('own'), expiresAt: 9 })])).toEqual([])
})
