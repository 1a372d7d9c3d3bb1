/** The catalogue of settings: names and defaults that documents and people rely on, and how values are read. */

import { describe, expect, test } from 'vitest'
import {
  defaultEngineSettings,
  engineSettings,
  engineSettingsCatalogue,
} from '../../../../src-engine/model/settings/engine-settings.ts'
import { nearestName } from '../../../../src-engine/model/settings/nearest-name.ts'
import type { AnySetting } from '../../../../src-engine/model/settings/setting.ts'
import { choice, count, flag, share, span, words } from '../../../../src-engine/model/settings/setting.ts'

const all: readonly AnySetting[] = Object.values(engineSettingsCatalogue)

const minute = 60_000

describe('the catalogue', () => {
  test('has the seeds’ names and defaults [T19]', () => {
    const defaultByName = Object.fromEntries(all.map((setting) => [setting.name, setting.default]))
    expect(defaultByName).toMatchObject({
      claim_ttl: 300_000,
      heartbeat_interval: null,
      batch_size: 1,
      aging_interval: 300_000,
      stop_worker_on_timeout: false,
      max_pending_seconds: 5_000,
      runner_considered_dead_after_minutes: 10 * minute,
      recover_pending_invocations_cron: '*/5 * * * *',
      recover_running_invocations_cron: '*/15 * * * *',
      crash_attempts_max: 5,
      atomic_service_interval_minutes: 5 * minute,
      atomic_service_spread_margin_minutes: minute,
      atomic_service_check_interval_minutes: minute / 2,
      atomic_service_max_start_slot_fraction: 0.5,
      atomic_service_membership_stabilization_minutes: 0,
      atomic_service_min_run_margin_seconds: 50,
      atomic_service_execution_retention_minutes: 60 * minute,
      atomic_service_execution_max_records: 1_000,
      reroute_on_concurrency_control: false,
      dispatch_timeout: 300_000,
      running_timeout: 9_000_000,
      reconciler_interval: 30_000,
      reconciler_batch_size: 200,
      reconciler_batches_max: 100,
      pending_age: 2 * minute,
      replayer_interval: 30_000,
      scheduling_attempts_max: 50,
      backoff_initial: 1_000,
      backoff_max: 30_000,
      backoff_jitter: 500,
      overload_slots_fraction: 0.9,
      overload_cpu_percent: 90,
      overload_gpu_percent: 90,
      dead_letter_ttl: 30 * 24 * 60 * minute,
      dead_letter_max: 10_000,
      store_operation_timeout: 2_000,
      run_lock_ttl: minute / 2,
      saga_lock_ttl: 2 * minute,
      min_size_to_cache: 1_024,
      durability: 'strict',
    })
  })

  test('names each setting once, in small letters, with a meaning that is a sentence', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const { name, meaning } of all) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(meaning).toMatch(/^\S.*\.$/)
    }
  })

  test('accepts each default as a value', () => {
    const spans: readonly string[] = ['ms', 's', 'min', 'd']
    for (const { name, default: value, unit, schema } of all) {
      if (value === null) continue
      const written = unit !== null && spans.includes(unit) ? `${JSON.stringify(value)} ms` : value
      expect(schema.parse(written), name).toEqual(value)
    }
  })
})

describe('derived values', () => {
  test('follow what they are derived from: renewal at min(TTL/4, 15 s) [T19]', () => {
    expect(defaultEngineSettings).toMatchObject({ heartbeatIntervalMs: 15_000, tickLockTtlMs: 60_000 })
    expect(engineSettings({ claimTtlMs: 20_000 }).heartbeatIntervalMs).toBe(5_000)
    expect(engineSettings({ reconcilerIntervalMs: 1_000 }).tickLockTtlMs).toBe(2_000)
  })

  test('give way to what is set', () => {
    expect(engineSettings({ claimTtlMs: 20_000, heartbeatIntervalMs: 700 }).heartbeatIntervalMs).toBe(700)
  })

  test('are never missing', () => {
    for (const [key, value] of Object.entries(defaultEngineSettings)) expect(value, key).not.toBeNull()
  })
})

describe('reading', () => {
  const ttl = span({ name: 'a', unit: 's', default: 1_000, min: 500, max: 3_600_000, meaning: 'A.' })

  test.for([
    [2, 2_000],
    ['2', 2_000],
    ['2.5', 2_500],
    ['750 ms', 750],
    ['5min', 300_000],
    ['5 m', 300_000],
    ['1h', 3_600_000],
    [' 90 S ', 90_000],
  ] as const)('the span %o is %i ms', ([written, ms]) => {
    expect(ttl.schema.parse(written)).toBe(ms)
  })

  test.for([[-1], ['soon'], ['1 year'], [0.1], ['2h'], [true], [Number.NaN], ['']] as const)(
    '%o is no such span',
    ([written]) => {
      const { success, error } = ttl.schema.safeParse(written)
      expect(success).toBe(false)
      expect(error?.issues[0]?.message).toMatch(/^expected /)
    },
  )

  test('whole numbers, shares, flags, choices and lists know their own kind only', () => {
    const meaning = 'A.'
    const whole = count({ name: 'a', default: 1, min: 1, max: 9, meaning }).schema
    const part = share({ name: 'a', default: 0.5, unit: 'fraction', meaning }).schema
    const yes = flag({ name: 'a', default: false, meaning }).schema
    const level = choice({
      name: 'a',
      default: 'low',
      words: ['low', 'high'],
      aliases: { up: 'high' },
      meaning,
    })
    const list = words({ name: 'a', default: [], meaning }).schema
    expect([whole.parse('9'), part.parse('0.25'), yes.parse('On'), level.schema.parse('UP')]).toEqual([
      9,
      0.25,
      true,
      'high',
    ])
    expect([list.parse('gpu, attic,'), list.parse(['gpu'])]).toEqual([['gpu', 'attic'], ['gpu']])
    for (const [schema, wrong] of [
      [whole, 1.5],
      [whole, 10],
      [whole, ''],
      [part, 1.1],
      [yes, 'perhaps'],
      [level.schema, 'middle'],
      [list, [1]],
    ] as const) {
      expect(schema.safeParse(wrong).success).toBe(false)
    }
  })
})

test('a wrong name is answered with the one that was meant, or none', () => {
  const names = all.map(({ name }) => name)
  expect(nearestName('claim_tll', names)).toBe('claim_ttl')
  expect(nearestName('heartbeatInterval', names)).toBe('heartbeat_interval')
  expect(nearestName('colour', names)).toBeNull()
})
