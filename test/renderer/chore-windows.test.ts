/** The windows of the chores over three cycles. */

import { expect, it } from 'vitest'
import { runnerId } from '../../src-engine/model/ids.ts'
import type { AtomicServiceStatus } from '../../src-engine/protocol/atomic-service.ts'
import { choreStrip } from '../../src-renderer/panels/engine-page/lanes/chore-windows.ts'
import { reasonWords } from '../../src-renderer/text/lane-words.ts'

const slot = (id: string, position: number, window: readonly [number, number] | null) => ({
  ...{ runnerId: runnerId(id), position, createdAt: 0, nextStart: null, isOwnerNow: false },
  ...{ slotStart: window?.[0] ?? null, slotEnd: window?.[1] ?? null, reason: 'ASSIGNED', skipMessage: null },
})
const turn = (id: string, startedAt: number) => ({
  ...({
    id,
    runnerId: runnerId('a'),
    kind: 'slot',
    status: 'COMPLETED',
    startedAt,
    endedAt: startedAt,
  } as const),
  ...{ slotStart: null, slotEnd: null, reason: null },
})

const status: AtomicServiceStatus = {
  ...{ now: 3_050, intervalMs: 1_000, marginMs: 100, running: null },
  // Who has had its window in this cycle is told of the next one.
  slots: [slot('a', 0, [4_000, 4_400]), slot('b', 1, [3_500, 3_900]), slot('c', 2, null)],
  turns: [turn('new', 3_010), turn('old', 2_010), turn('older', 1_990)],
}

it('has each window in the cycle before, in the one that is on and in the next', () => {
  const { span, windows, turns } = choreStrip(status)
  expect(span).toEqual({ from: 2_000, to: 5_000 })
  const of = (id: string) => windows.filter((window) => window.runnerId === id)
  expect(of('a').map(({ from, to }) => [from, to])).toEqual([
    [2_000, 2_400],
    [3_000, 3_400],
    [4_000, 4_400],
  ])
  expect(of('b').map(({ from, isCurrent }) => [from, isCurrent])).toEqual([
    [2_500, false],
    [3_500, true],
    [4_500, false],
  ])
  expect(of('c')).toEqual([])
  expect(turns.map(({ id }) => id)).toEqual(['old', 'new'])
})

it('says why somebody was passed over', () => {
  expect(reasonWords('LATE_START')).toBe('too late in its window to begin')
  expect(reasonWords('prior_running:x runner:runner_b')).toBe('runner_b was still at it')
  expect(reasonWords('something_new')).toBe('something_new')
})
