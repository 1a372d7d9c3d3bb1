/** The heartbeat's thread on a real file: renews while the main loop lives, lets go when it stands still. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runnerId, storeId } from '../../src-engine/model/ids.ts'
import type { HeartbeatNews } from '../../src-engine/runtime/heartbeat-driver.ts'
import { createThreadHeartbeat } from '../../src-engine/runtime/heartbeat-thread.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { aRunner } from '../conformance/story.ts'

test('renews the runner while the main loop lives, says so when it lets go, and ends on request', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-heartbeat-'))
  const store = await openSqliteStore({ directory, storeId: storeId('s'), clock: systemClock })
  const address = store.info.renewer
  if (address === null) throw new Error('a file can be reached from a thread')
  const news: HeartbeatNews[] = []
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const make = createThreadHeartbeat({ address, store, partition: 0, clock: systemClock, log })
  const driver = make(
    { claimTtlMs: 400, stallLimitMs: 60_000, intervalMs: 50 },
    (told) => void news.push(told),
  )
  const held = { runner: aRunner('a'), leases: [] }
  const until = async (done: () => boolean, alive: boolean): Promise<void> => {
    await expect
      .poll(
        () => {
          if (alive) driver.progress(held)
          return done()
        },
        { timeout: 120_000, interval: 10 },
      )
      .toBe(true)
  }
  driver.start(held)
  await until(() => news.filter(({ kind }) => kind === 'renewed').length >= 3, true)
  const [row] = await store.list(0, 'runners', { filter: null, page: { after: null, limit: 10 } })
  expect(row?.id).toBe(runnerId('a'))
  await until(() => news.at(-1)?.kind === 'withheld', false)
  await until(() => news.at(-1)?.kind === 'renewed', true)
  await driver.stop()
  await store.close()
  rmSync(directory, { recursive: true, force: true })
  expect(news.some(({ kind }) => kind === 'failed')).toBe(false)
})
