/** The runners' lanes: what lies beside what, who took over, what is drawn as one, and where the keys lead. */

import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../src-engine/model/attempt.ts'
import { invocationId, nodeId, runId, runnerId } from '../../src-engine/model/ids.ts'
import type { RunnerRecord } from '../../src-engine/model/runner.ts'
import type { RunnerAttempt } from '../../src-engine/protocol/history.ts'
import { barToward, lanesOf, ticksOf } from '../../src-renderer/panels/engine-page/lanes/lane-rows.ts'

const attempt = (
  runner: string,
  [from, to]: readonly [number, number | null],
  more: { readonly step?: string; readonly number?: number; readonly outcome?: AttemptOutcome } = {},
): RunnerAttempt => {
  const { step = `s${from}`, number = 1, outcome = to === null ? null : 'succeeded' } = more
  return {
    id: `${runner}-${step}-${number}`,
    runnerId: runnerId(runner),
    runId: runId('run_a'),
    invocationId: invocationId(`run_a/${step}`),
    nodeId: nodeId(step),
    ...{ workflowTitle: 'Orders', nodeTitle: null, taskKind: null },
    ...{ number, startedAt: from, endedAt: to, outcome, seq: to, problem: null },
  }
}

const runner = (id: string, stoppedAt: number | null = null): RunnerRecord =>
  ({ id, stoppedAt, heartbeatAt: 100_000, drainingSince: null, startedAt: 0 }) as unknown as RunnerRecord

const shown = { span: { from: 0, to: 100_000 }, now: 100_000 }
const drawn = (rows: ReturnType<typeof lanesOf>) =>
  rows.map(({ runnerId: id, lanes }) => [
    id,
    ...lanes.map(({ bars }) => bars.map(({ key }) => key).join(' ')),
  ])

describe('lanes', () => {
  it('are as many as a runner had at work at the same time, and one for who did nothing', () => {
    const attempts = [
      attempt('a', [0, 50_000]),
      attempt('a', [10_000, 30_000]),
      attempt('a', [30_000, 90_000]),
      attempt('a', [60_000, null]),
    ]
    expect(drawn(lanesOf([runner('a'), runner('b')], attempts, shown))).toEqual([
      ['a', 'a-s0-1 a-s60000-1', 'a-s10000-1 a-s30000-1'],
      ['b', ''],
    ])
  })

  it('are those of runners at work, and of others that did something in that time', () => {
    const attempts = [attempt('gone', [0, 50_000]), attempt('unknown', [0, 50_000])]
    const rows = lanesOf([runner('gone', 60_000), runner('idle', 60_000), runner('here')], attempts, shown)
    expect(rows.map(({ runnerId: id }) => id)).toEqual(['here', 'gone', 'unknown'])
    const late = lanesOf([runner('gone', 60_000)], attempts, {
      ...shown,
      span: { from: 60_000, to: 100_000 },
    })
    expect(late).toEqual([])
  })

  it('tell from whom a lost try was taken over', () => {
    const lost = attempt('a', [0, 40_000], { step: 'pay', outcome: 'lost' })
    const attempts = [lost, attempt('b', [41_000, 60_000], { step: 'pay', number: 2 })]
    const [, second] = lanesOf([runner('a'), runner('b')], attempts, shown)
    expect(second?.lanes[0]?.bars[0]?.tookOver).toBe(lost)
    const retried = [
      attempt('a', [0, 40_000], { step: 'pay', outcome: 'failed' }),
      attempts[1] as RunnerAttempt,
    ]
    expect(lanesOf([runner('b')], retried, shown)[0]?.lanes[0]?.bars[0]?.tookOver).toBeNull()
  })

  it('draw what can’t be told apart as one, with the worst of it, and apart from closer by', () => {
    const attempts = Array.from({ length: 20 }, (_, index) =>
      attempt('a', [index * 20, index * 20 + 10], index === 7 ? { outcome: 'failed' } : {}),
    )
    const [row] = lanesOf([runner('a')], attempts, shown)
    expect(row?.lanes[0]?.bars).toMatchObject([
      { count: 20, from: 0, to: 390, attempt: { outcome: 'failed' } },
    ])
    const near = lanesOf([runner('a')], attempts, { ...shown, span: { from: 0, to: 400 } })
    expect(near[0]?.lanes[0]?.bars).toHaveLength(20)
  })
})

describe('the keyboard', () => {
  const attempts = [
    attempt('a', [0, 10_000]),
    attempt('a', [20_000, 30_000]),
    attempt('a', [40_000, 50_000]),
    attempt('b', [22_000, 30_000]),
  ]
  const rows = lanesOf([runner('a'), runner('b')], attempts, shown)
  const from = (at: string | null, key: string) => barToward(rows, at, key)?.key ?? null

  it('goes along a lane, and to the nearest in the next', () => {
    expect(from(null, 'ArrowRight')).toBe('a-s40000-1')
    expect(from('a-s0-1', 'ArrowRight')).toBe('a-s20000-1')
    expect(from('a-s0-1', 'ArrowLeft')).toBeNull()
    expect(from('a-s0-1', 'End')).toBe('a-s40000-1')
    expect(from('a-s40000-1', 'Home')).toBe('a-s0-1')
    expect(from('a-s20000-1', 'ArrowDown')).toBe('b-s22000-1')
    expect(from('b-s22000-1', 'ArrowUp')).toBe('a-s20000-1')
    expect(from('b-s22000-1', 'ArrowDown')).toBeNull()
  })
})

it('ticks are round instants, not more than have room', () => {
  expect(ticksOf({ from: 1_500, to: 9_000 })).toEqual([
    2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000,
  ])
  for (const ms of [5_000, 60_000, 300_000, 3_600_000, 86_400_000]) {
    const ticks = ticksOf({ from: 1_000_000_000_123, to: 1_000_000_000_123 + ms })
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks.length).toBeLessThan(10)
  }
})
