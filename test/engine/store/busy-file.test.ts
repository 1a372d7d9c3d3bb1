/** Another process that holds the write lock: writes wait in their order, and nothing else waits with them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runId, storeId } from '../../../src-engine/model/ids.ts'
import { createSeededRandom } from '../../../src-engine/runtime/seeded-random.ts'
import { dataFileName, openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { accept } from '../../conformance/scene.ts'
import { anInvocation, aRun, registering, start, starting } from '../../conformance/story.ts'

let directory = ''
const closings: (() => unknown)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sagasmith-busy-'))
})
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
  rmSync(directory, { recursive: true, force: true })
})

/** A store whose pauses end when the test says so, and somebody else who can lock its file. */
async function scene(options: { operationTimeoutMs?: number; seed?: string } = {}) {
  const { seed = 'a', ...timeout } = options
  const timers: { span: number; call: () => void }[] = []
  const spans: number[] = []
  const store = await openSqliteStore({
    directory,
    storeId: storeId('s'),
    blockedMs: 1,
    random: createSeededRandom(seed),
    clock: {
      now: () => start,
      after: (span, call) => {
        const timer = { span, call }
        spans.push(span)
        timers.push(timer)
        return () => timers.splice(timers.indexOf(timer), 1)
      },
    },
    ...timeout,
  })
  const other = new Database(join(directory, dataFileName), { timeout: 0 })
  closings.push(
    () => other.close(),
    () => store.close(),
  )
  return { store, other, spans, timers, pause: () => endPause(timers) }
}

/** Lets the loop turn, as it must while writes wait, until there is a pause; then ends it. */
async function endPause(timers: { span: number; call: () => void }[]): Promise<void> {
  for (let turns = 0; timers.length === 0 && turns < 1_000; turns += 1) await turn()
  expect(timers).toHaveLength(1)
  timers.shift()?.call()
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const saved = async (store: Store, name: string) =>
  (await store.load(0, 'run', { runId: runId(name) })) !== null

describe('a file that another process has locked', () => {
  test('keeps writes waiting until it lets go, while the loop turns and reads are answered', async () => {
    const { store, other, spans, timers, pause } = await scene()
    await accept(store, starting(aRun({ name: 'before' })))
    expect(spans).toEqual([])
    other.exec('begin immediate')
    const written = accept(store, starting(aRun({ name: 'meanwhile' })))
    for (let count = 0; count < 5; count += 1) await pause()
    expect(await saved(store, 'before')).toBe(true)
    expect(await saved(store, 'meanwhile')).toBe(false)
    other.exec('rollback')
    await pause()
    await written
    expect(await saved(store, 'meanwhile')).toBe(true)
    await accept(store, starting(aRun({ name: 'after' })))
    expect(timers).toEqual([])
  })

  test('keeps their order, also of those that come during a pause, and refuses none of a batch', async () => {
    const { store, other, pause } = await scene()
    other.exec('begin immediate')
    const run = aRun({ name: 'one' })
    const first = accept(store, starting(run))
    await pause()
    const running = { ...run, status: 'RUNNING' as const, startedAt: start }
    const second = accept(store, registering(running, [anInvocation(run, 'n')]))
    await pause()
    const third = accept(store, starting(aRun({ name: 'two' })))
    other.exec('rollback')
    await pause()
    await Promise.all([first, second, third])
    expect(await store.load(0, 'run', { runId: run.id })).toMatchObject({ version: 2 })
    expect(await saved(store, 'two')).toBe(true)
  })

  test('store_operation_timeout: is told as busy once it is over, and each write has that time for itself', async () => {
    const { store, other, spans, timers, pause } = await scene({ operationTimeoutMs: 500 })
    other.exec('begin immediate')
    const outcome: Record<'early' | 'late', unknown> = { early: 'waits', late: 'waits' }
    const write = async (name: 'early' | 'late') => {
      try {
        await store.commit(0, [starting(aRun({ name }))])
        outcome[name] = 'written'
      } catch (thrown) {
        outcome[name] = thrown
      }
    }
    const early = write('early')
    for (let waited = 0; waited < 250; waited = spans.reduce((sum, span) => sum + span, 0)) await pause()
    const late = write('late')
    while (outcome.early === 'waits') await Promise.race([pause(), early])
    expect(outcome).toMatchObject({ early: { code: 'store_busy', retryable: true }, late: 'waits' })
    const waited = spans.reduce((sum, span) => sum + span, 0)
    expect(waited).toBeGreaterThan(400)
    expect(waited).toBeLessThan(600)
    other.exec('rollback')
    if (timers.length > 0) await pause()
    await late
    expect(outcome.late).toBe('written')
    await accept(store, starting(aRun({ name: 'early' })))
  })

  test('is tried again after pauses that grow to a bound, spread by chance and the same for a seed', async () => {
    const pausesOf = async (seed: string) => {
      const { store, other, spans, pause } = await scene({ seed })
      other.exec('begin immediate')
      const written = accept(store, starting(aRun({ name: seed })))
      for (let count = 0; count < 8; count += 1) await pause()
      other.exec('rollback')
      await pause()
      await written
      return spans
    }
    const first = await pausesOf('a')
    expect(first.every((span) => span >= 2.5 && span < 75)).toBe(true)
    expect(new Set(first).size).toBe(first.length)
    expect(await pausesOf('b')).not.toEqual(first)
  })

  test('refuses what still waits when the store is closed', async () => {
    const { store, other } = await scene({ operationTimeoutMs: 10 })
    other.exec('begin immediate')
    const refused = store.commit(0, [starting(aRun())]).catch((error: unknown) => error)
    await turn()
    await turn()
    await store.close().catch(() => undefined)
    expect(await refused).toMatchObject({ code: 'store_busy' })
  })
})
