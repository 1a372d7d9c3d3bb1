/** What a process notices of its clocks, and the time that it measures all the same. */

import { expect, test } from 'vitest'
import { hour, minute, second } from '../../../../src-engine/model/time.ts'
import type { TimeNews } from '../../../../src-engine/runtime/clock/clock-watch.ts'
import { createClockWatch } from '../../../../src-engine/runtime/clock/clock-watch.ts'
import { createSightings } from '../../../../src-engine/runtime/clock/sightings.ts'
import { createSilence } from '../../../../src-engine/runtime/clock/silence.ts'
import { SimulatedProcess, World } from '../../../simulation/world.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

function scene(gapMs = 30 * second) {
  const world = new World()
  const process = new SimulatedProcess(world, 1)
  const clock = process.clock()
  const watch = createClockWatch({ clock, log, gapMs })
  const news: TimeNews[] = []
  watch.onNews((told) => void news.push(told))
  watch.start()
  const pass = (ms: number) => world.run(world.now + ms, () => false)
  return { world, process, clock, watch, news, pass }
}

test('a wall clock that is set is noticed, and no span measured here knows of it', async () => {
  const { process, clock, watch, news, pass } = scene()
  const before = watch.steady()
  const stamp = clock.now()
  process.skew += hour
  await pass(minute)
  process.skew -= 3 * hour
  await pass(minute)
  expect(news).toEqual([
    { kind: 'jumped', byMs: hour },
    { kind: 'jumped', byMs: -3 * hour },
  ])
  expect(watch.steady() - before).toBe(2 * minute)
  expect(watch.nowSince(stamp) - stamp).toBe(2 * minute)
})

test('a stamp from between two jumps is only corrected by the later one', async () => {
  const { process, clock, watch, pass } = scene()
  process.skew += hour
  await pass(minute)
  const stamp = clock.now()
  process.skew += 2 * hour
  await pass(minute)
  expect(watch.nowSince(stamp) - stamp).toBe(minute)
  expect(watch.nowSince(clock.now()) - clock.now()).toBe(0)
})

test('what clocks drift apart little by little is no jump', async () => {
  const { process, news, pass } = scene()
  for (let step = 0; step < 120; step += 1) {
    process.skew += 100
    await pass(minute)
  }
  expect(news).toEqual([])
})

test('a sleep of the machine is told from a jump, and counts as time', async () => {
  const { process, watch, news, pass } = scene()
  const before = watch.steady()
  process.sleep(hour)
  await pass(second)
  expect(watch.steady() - before).toBe(hour + second)
  expect(news).toEqual([{ kind: 'slept', byMs: hour }])
})

test('a process that was stopped finds out by whoever asks first', async () => {
  const { world, process, watch, news, pass } = scene()
  await pass(minute)
  process.pausedUntil = world.now + 5 * minute
  let seen = 0
  process.plan(1, () => {
    watch.check()
    seen = news.length
  })
  await pass(10 * minute)
  expect(seen).toBe(1)
  expect(news).toHaveLength(1)
  expect(news[0]).toMatchObject({ kind: 'stood-still' })
  expect(news[0]?.byMs).toBeGreaterThanOrEqual(5 * minute)
})

test('what changes is seen as new, what stays as old, and what is gone is forgotten', async () => {
  const { watch, pass } = scene()
  const sightings = createSightings(watch.steady)
  expect(sightings.isNew('a')).toBe(true)
  expect(sightings.unchangedFor('a', '1')).toBe(0)
  await pass(minute)
  expect(sightings.unchangedFor('a', '1')).toBe(minute)
  expect(sightings.unchangedFor('a', '2')).toBe(0)
  sightings.keep(new Set())
  expect(sightings.isNew('a')).toBe(true)
})

test('a runner that was silent too long is dead by whichever clock, a renewing one by none [P25]', async () => {
  const { world, process, clock, watch, pass } = scene()
  const settings = { claimTtlMs: minute, heartbeatIntervalMs: 15 * second, runnerDeadAfterMs: 10 * minute }
  const silence = createSilence({ clock, watch, settings })
  const id = 'runner_a' as never
  const lastBeat = clock.now()
  const isSilent = (heartbeatAt: number): boolean => silence.ofRunner({ id, heartbeatAt })
  expect(isSilent(lastBeat)).toBe(false)
  process.skew += hour
  await pass(15 * second)
  // It is an hour old by the clock, but was seen a moment ago.
  expect(isSilent(lastBeat)).toBe(false)
  const next = clock.now()
  expect(isSilent(next)).toBe(false)
  // Back before its last heartbeat: by the clock it would live for an hour yet.
  process.skew -= hour
  await pass(10 * minute)
  expect(world.now).toBeLessThan(next)
  expect(isSilent(next)).toBe(true)
  // Met for the first time, only the clock can tell.
  expect(silence.ofRunner({ id: 'runner_b' as never, heartbeatAt: clock.now() - 11 * minute })).toBe(true)
})
