/** Which slots have to move for an even spread, and what nodes say of themselves. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseClusterNodes } from '../../../../src-engine/store/redis/cluster-nodes.ts'
import { slotOf } from '../../../../src-engine/store/redis/slots.ts'
import type { PlacedSlot, SlotMove } from '../../../../src-engine/store/redis/spread.ts'
import { planMoves, spreadOf } from '../../../../src-engine/store/redis/spread.ts'

const mastersOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `m${index}`)

/** As many partitions on a cluster whose slots are split evenly over the first of its masters. */
function placed(partitions: number, masters: readonly string[]): readonly PlacedSlot[] {
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  return [...Map.groupBy(numbers, (partition) => slotOf(`p${partition}`))].map(([slot, own]) => {
    return { slot, partitions: own, master: masters[Math.floor((slot * masters.length) / 16_384)] ?? null }
  })
}

function moved(slots: readonly PlacedSlot[], moves: readonly SlotMove[]): readonly PlacedSlot[] {
  const toOf = new Map(moves.map(({ slot, to }) => [slot, to]))
  return slots.map((one) => ({ ...one, master: toOf.get(one.slot) ?? one.master }))
}

const counts = (slots: readonly PlacedSlot[], masters: readonly string[]): readonly number[] => [
  ...spreadOf(slots, masters).byMaster.values(),
]

test('slots that are split evenly leave partitions uneven: that is told, and five moves mend it', () => {
  const masters = mastersOf(5)
  const slots = placed(64, masters)
  expect(spreadOf(slots, masters)).toMatchObject({ isUneven: true })
  expect(spreadOf(slots, masters).ratio).toBeCloseTo(1.17, 2)
  const moves = planMoves(slots, masters)
  expect(spreadOf(moved(slots, moves), masters)).toMatchObject({ ratio: 13 / 12.8, isUneven: false })
  expect(moves.length).toBeLessThanOrEqual(5)
})

test('a fourth master gets a quarter, all of it from the others, and the first partition stays at home', () => {
  const before = placed(64, mastersOf(3))
  const masters = mastersOf(4)
  expect(spreadOf(before, masters)).toMatchObject({ isUneven: true, ratio: 1.5 })
  const moves = planMoves(before, masters)
  expect(counts(moved(before, moves), masters)).toEqual([16, 16, 16, 16])
  expect(moves).toHaveLength(16)
  expect(new Set(moves.map(({ to }) => to))).toEqual(new Set(['m3']))
  expect(moves.flatMap(({ partitions }) => partitions)).not.toContain(0)
})

test('however many masters join, they end within one partition of each other, by the fewest moves', () => {
  const sizes = fc.record({
    partitions: fc.integer({ min: 1, max: 300 }),
    old: fc.integer({ min: 1, max: 12 }),
    joined: fc.integer({ min: 0, max: 12 }),
  })
  fc.assert(
    fc.property(sizes, ({ partitions, old, joined }) => {
      const masters = mastersOf(old + joined)
      const before = placed(partitions, masters.slice(0, old))
      // Two partitions that share a slot can't be parted.
      const heaviest = Math.max(...before.map((one) => one.partitions.length))
      const moves = planMoves(before, masters)
      const after = counts(moved(before, moves), masters)
      expect(Math.max(...after) - Math.min(...after)).toBeLessThanOrEqual(heaviest)
      expect(new Set(moves.map(({ slot }) => slot)).size).toBe(moves.length)
      expect(spreadOf(moved(before, moves), masters).isUneven && heaviest === 1).toBe(false)
      const mean = partitions / masters.length
      const tooMany = counts(before, masters).reduce(
        (sum, own) => sum + Math.max(0, own - Math.floor(mean)),
        0,
      )
      expect(moves.length).toBeLessThanOrEqual(tooMany)
    }),
  )
})

test('nodes: masters without a slot, slots in motion, and who is not well', () => {
  const [own, idle, replica, lost, joining] = parseClusterNodes(
    [
      'aa1 10.0.0.1:6379@16379 myself,master - 0 0 3 connected 0-5460 7000 [7001->-bb2] [7002-<-bb2]',
      'bb2 10.0.0.2:6379@16379,two.example master - 0 17 4 connected',
      'cc3 :6379@16379 slave aa1 0 17 3 connected',
      'dd4 10.0.0.4:6379@16379 master,fail - 12 17 5 disconnected 7001-16383',
      'ee5 10.0.0.5:6379@16379 handshake - 0 0 0 disconnected',
    ].join('\n'),
    '10.0.0.9:6379',
  )
  expect(own).toMatchObject({ id: 'aa1', address: '10.0.0.1:6379', isMaster: true, isWell: true })
  expect([0, 5_460, 5_461, 7_000, 7_001].map((slot) => own?.serves(slot))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
  expect(own?.open).toEqual([
    { slot: 7_001, way: 'out', otherId: 'bb2' },
    { slot: 7_002, way: 'in', otherId: 'bb2' },
  ])
  expect(idle).toMatchObject({ address: '10.0.0.2:6379', isMaster: true, isWell: true, masterId: null })
  expect(idle?.serves(0)).toBe(false)
  expect(replica).toMatchObject({ address: '10.0.0.9:6379', isMaster: false, masterId: 'aa1' })
  expect([lost, joining].map((node) => node?.isWell)).toEqual([false, false])
})
