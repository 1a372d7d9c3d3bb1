import { expect, test } from 'vitest'
import { placeOfTaken, takenStretches } from '../../../src-engine/model/taken-items.ts'

const place = (generation: number, index: number) => ({ generation, index })

test('items that stand beside each other in both lists are one stretch', () => {
  const places = [place(0, 0), place(0, 1), null, place(0, 3), place(1, 4), place(1, 2), place(1, 3)]
  const taken = takenStretches(places)
  expect(taken).toEqual([
    { at: 0, count: 2, generation: 0, from: 0 },
    { at: 3, count: 1, generation: 0, from: 3 },
    { at: 4, count: 1, generation: 1, from: 4 },
    { at: 5, count: 2, generation: 1, from: 2 },
  ])
  expect(places.map((_, index) => placeOfTaken({ taken }, index))).toEqual(places)
  expect(placeOfTaken({ taken }, 7)).toBeNull()
})

test('of nothing there is nothing', () => {
  expect(takenStretches([null, null])).toEqual([])
  expect(placeOfTaken({}, 0)).toBeNull()
  expect(placeOfTaken(null, 0)).toBeNull()
})
