/** Records that are remembered: how many, and for how long they are sure to be there. */

import { expect, test } from 'vitest'
import type { SeenRoom } from '../../../../src-engine/store/redis/partition-state.ts'
import { SeenRecords } from '../../../../src-engine/store/redis/partition-state.ts'

const put = (records: SeenRecords<string, string>, count: number, letter: string): void => {
  for (let index = 0; index < count; index += 1) {
    records.put(`${letter}${index}`, { token: `${index} t`, item: letter })
  }
}

test('what a decision looked at stays until it is made, however much there is', () => {
  const room: SeenRoom = { max: 10, count: 0 }
  const records = new SeenRecords<string, string>(room)
  records.hold()
  put(records, 500, 'a')
  expect(room.count).toBe(500)
  expect(records.get('a0')?.item).toBe('a')
  records.release()
  expect(room.count).toBe(128)
  expect(records.get('a0')).toBeUndefined()
  expect(records.get('a499')?.item).toBe('a')
})

test('a busy partition uses the room that others leave', () => {
  const room: SeenRoom = { max: 1_000, count: 0 }
  const [busy, quiet] = [new SeenRecords<string, string>(room), new SeenRecords<string, string>(room)]
  put(quiet, 100, 'q')
  put(busy, 2_000, 'b')
  expect(room.count).toBe(1_000)
  expect(quiet.get('q0')?.item).toBe('q')
  expect(busy.get('b1099')).toBeUndefined()
  expect(busy.get('b1100')?.item).toBe('b')
  busy.clear()
  quiet.drop('q0')
  expect(room.count).toBe(99)
})
