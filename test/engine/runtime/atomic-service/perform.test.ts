/** Turns of the chores with the settings of the seed. */

import { describe, expect, test } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import type { EngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'
import type { PerformDependencies } from '../../../../src-engine/runtime/atomic-service/perform.ts'
import { perform } from '../../../../src-engine/runtime/atomic-service/perform.ts'
import { listExecutions } from '../../../../src-engine/runtime/atomic-service/start-record.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const cycle = 100 * 5 * minute

function createScene(count: number, given: Partial<EngineSettings> = {}) {
  const store = createMemoryStore()
  const time = { now: cycle }
  let ids = 0
  const alive = Array.from({ length: count }, (_, index) => ({
    id: runnerId(`r${String(index).padStart(2, '0')}`),
    createdAt: index,
  }))
  const evaluated: string[] = []
  const member = (index: number, evaluate?: () => Promise<void>): PerformDependencies => ({
    store,
    partition: 0,
    runnerId: runnerId(`r${String(index).padStart(2, '0')}`),
    clock: { now: () => time.now, monotonic: () => time.now, after: () => () => {} },
    ids: { next: () => `id${(ids += 1)}` },
    log: quiet,
    pruning: { turnEnded: async () => 0 },
    settings: engineSettings(given),
    activeRunners: async () => [...alive],
    evaluate: async (run) => {
      evaluated.push(run.record.runnerId)
      await evaluate?.()
    },
  })
  const rows = async () => (await listExecutions({ store, partition: 0 })).map(({ record }) => record)
  return { time, alive, member, rows, evaluated }
}

describe('a turn of the chores', () => {
  test.for([1, 2, 3, 4, 5, 10, 50])('each of %i runners has its turn in every cycle', async (count) => {
    const { time, member, evaluated } = createScene(count)
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < count; index += 1) {
        time.now = cycle + round * 5 * minute + Math.ceil((index * 5 * minute) / count)
        for (let other = 0; other < count; other += 1) await perform(member(other), 'slot')
      }
    }
    const once = Array.from({ length: count }, (_, index) => `r${String(index).padStart(2, '0')}`)
    expect(evaluated).toEqual([...once, ...once, ...once])
  })

  test('a late start leaves a row, a slot of somebody else leaves none [P36]', async () => {
    const { time, member, rows } = createScene(3)
    time.now = cycle + 30 * second
    expect(await perform(member(0), 'slot')).toBe('blocked')
    expect(await perform(member(1), 'slot')).toBe('skipped')
    expect(await rows()).toMatchObject([{ status: 'BLOCKED', reason: 'LATE_START', runnerId: 'r00' }])
  })

  test('what is due begins at once, whoever’s slot it is, but not beside another run [P33]', async () => {
    const { time, member, rows, evaluated } = createScene(3)
    time.now = cycle + 45 * second
    const during = member(2, async () => {
      expect(await perform(member(1), 'event')).toBe('blocked')
    })
    expect(await perform(during, 'due')).toBe('completed')
    expect(evaluated).toEqual(['r02'])
    expect((await rows()).map(({ status }) => status).toSorted()).toEqual(['BLOCKED', 'COMPLETED'])
  })

  test('with too little of the slot left the run is given up, with its reason', async () => {
    const { member, rows, evaluated } = createScene(1, { atomicServiceMinRunMarginMs: 6 * minute })
    expect(await perform(member(0), 'slot')).toBe('abandoned')
    expect(evaluated).toEqual([])
    expect(await rows()).toMatchObject([{ status: 'ABANDONED', reason: 'no_margin' }])
  })

  test('work that fails ends its run, and the next one begins', async () => {
    const { member, rows } = createScene(1)
    const failing = member(0, () => Promise.reject(new Error('no luck')))
    expect(await perform(failing, 'slot')).toBe('abandoned')
    expect(await perform(member(0), 'due')).toBe('completed')
    expect((await rows()).map(({ status }) => status)).toEqual(['ABANDONED', 'COMPLETED'])
  })

  test('a runner that died at work is reaped by the next turn, and its end is refused', async () => {
    const { alive, member, rows, time } = createScene(2)
    const dying = member(0, async () => {
      alive.shift()
      time.now += 1
      expect(await perform(member(1), 'lost-lease')).toBe('completed')
    })
    expect(await perform(dying, 'slot')).toBe('abandoned')
    expect(await rows()).toMatchObject([
      { runnerId: 'r00', status: 'ABANDONED', reason: 'runner_inactive' },
      { runnerId: 'r01', status: 'COMPLETED', kind: 'lost-lease' },
    ])
  })

  test('a runner that lives but hangs at work loses its run after one cycle', async () => {
    const { member, rows, time } = createScene(2)
    const hanging = member(0, async () => {
      time.now += 5 * minute - 1
      expect(await perform(member(1), 'due')).toBe('blocked')
      time.now += 1
      expect(await perform(member(1), 'due')).toBe('completed')
    })
    expect(await perform(hanging, 'slot')).toBe('abandoned')
    expect(await rows()).toMatchObject([
      { runnerId: 'r00', status: 'ABANDONED', reason: 'run_expired' },
      { runnerId: 'r01', status: 'BLOCKED' },
      { runnerId: 'r01', status: 'COMPLETED' },
    ])
  })
})
