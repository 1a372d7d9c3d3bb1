/** Schedules on one store, looked at by several engines. */

import { describe, expect, test } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { opId } from '../../../../src-engine/model/ids.ts'
import { minute } from '../../../../src-engine/model/time.ts'
import type { FireAnswer, Schedule, Schedules } from '../../../../src-engine/runtime/schedules/schedules.ts'
import { createSchedules } from '../../../../src-engine/runtime/schedules/schedules.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
/** Nobody has ever opened a start record here: its register does not exist. */
const run = { fence: { key: 'atomic-service/running', version: 0 } }
const start = Date.parse('2026-03-01T12:00:30Z')

function createScene() {
  const store = createMemoryStore()
  const time = { now: start }
  const fired: number[] = []
  const skips: unknown[] = []
  let ids = 0
  const next = () => `id${(ids += 1)}`
  const engine = (): Schedules =>
    createSchedules({
      store,
      partition: 0,
      clock: { now: () => time.now, monotonic: () => time.now, after: () => () => {} },
      ids: { next },
      log: { ...quiet, info: (_, fields) => void skips.push(fields) },
    })
  const schedule = (given: Partial<Schedule> = {}): Schedule => ({
    id: 'chore',
    expression: '*/5 * * * *',
    catchUpMax: 1,
    fire: async ({ slot, move, fence }): Promise<FireAnswer> => {
      const { key, version, value } = move
      const [answer] = await store.commit(0, [
        {
          partition: 0,
          opId: opId(next()),
          actor: { kind: 'timer', id: null },
          at: time.now,
          expect: { invocations: [], registers: [{ key, version }, fence] },
          writes: { ...noWrites, registers: [{ key, value }] },
          events: [],
        },
      ])
      if (answer?.kind !== 'accepted') return { kind: 'lost' }
      fired.push(slot)
      return { kind: 'fired' }
    },
    ...given,
  })
  const times = () => fired.map((slot) => new Date(slot).toISOString().slice(11, 16))
  return { time, engine, schedule, times, skips }
}

describe('schedules', () => {
  test('a new one does not fire at first sight, then at each slot once', async () => {
    const { time, engine, schedule, times } = createScene()
    const schedules = engine()
    await schedules.register(schedule())
    await schedules.evaluate(run)
    expect(times()).toEqual([])
    for (let passed = 0; passed < 12; passed += 1) {
      time.now += minute
      await schedules.evaluate(run)
    }
    expect(times()).toEqual(['12:05', '12:10'])
    expect(schedules.nextAt()).toBe(Date.parse('2026-03-01T12:15:00Z'))
  })

  test('looking without a run of the chores is an error [P39]', async () => {
    const { engine, schedule, time, times } = createScene()
    const schedules = engine()
    await schedules.register(schedule())
    time.now += 5 * minute
    const evaluate = schedules.evaluate as () => Promise<void>
    await expect(evaluate()).rejects.toMatchObject({ code: 'internal' })
    expect(times()).toEqual([])
  })

  test('a run that lost its fence fires nothing', async () => {
    const { engine, schedule, time, times } = createScene()
    const schedules = engine()
    await schedules.register(schedule())
    time.now += 5 * minute
    await schedules.evaluate({ fence: { ...run.fence, version: 7 } })
    expect(times()).toEqual([])
    await schedules.evaluate(run)
    expect(times()).toEqual(['12:05'])
  })

  test('of several engines that look at once, one fires', async () => {
    const { time, engine, schedule, times } = createScene()
    const engines = Array.from({ length: 5 }, engine)
    for (const one of engines) await one.register(schedule())
    for (let slot = 0; slot < 3; slot += 1) {
      time.now += 5 * minute
      await Promise.all(engines.map((one) => one.evaluate(run)))
    }
    expect(times()).toEqual(['12:05', '12:10', '12:15'])
  })

  test('registering again keeps what was fired and fires nothing twice', async () => {
    const { time, engine, schedule, times } = createScene()
    const schedules = engine()
    await schedules.register(schedule())
    time.now += 5 * minute
    await schedules.evaluate(run)
    const again = engine()
    await again.register(schedule())
    await again.evaluate(run)
    expect(times()).toEqual(['12:05'])
    await again.register(schedule({ expression: '*/2 * * * *' }))
    await again.evaluate(run)
    expect(times()).toEqual(['12:05'])
  })

  test.for([
    { catchUpMax: 1, expected: ['13:00'] },
    { catchUpMax: 3, expected: ['12:50', '12:55', '13:00'] },
  ])('after an hour of nobody $catchUpMax are made up for, the rest told', async (given) => {
    const { time, engine, schedule, times, skips } = createScene()
    await engine().register(schedule())
    time.now += 60 * minute
    const schedules = engine()
    await schedules.register(schedule({ catchUpMax: given.catchUpMax }))
    await schedules.evaluate(run)
    expect(times()).toEqual(given.expected)
    expect(skips).toMatchObject([{ scheduleId: 'chore', reason: `missed:${12 - given.catchUpMax}` }])
  })

  test('a slot that may not start is skipped with its reason and never comes again', async () => {
    const { time, engine, schedule, times, skips } = createScene()
    const schedules = engine()
    const busy = async (): Promise<FireAnswer> => ({ kind: 'skip', reason: 'still_running' })
    await schedules.register(schedule({ fire: busy }))
    time.now += 5 * minute
    await schedules.evaluate(run)
    await schedules.register(schedule())
    await schedules.evaluate(run)
    expect(times()).toEqual([])
    expect(skips).toMatchObject([{ reason: 'still_running' }])
  })
})
