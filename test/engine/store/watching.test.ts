/** How often a SQLite store looks for what other processes wrote. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeId } from '../../../src-engine/model/ids.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { accept } from '../../conformance/scene.ts'
import { aRun, start, starting } from '../../conformance/story.ts'

test('looks rarely while nobody writes, and often again once somebody does [S5]', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-watching-'))
  const planned: { readonly span: number; readonly call: () => void }[] = []
  const after = (span: number, call: () => void) => {
    planned.push({ span, call })
    return () => undefined
  }
  const options = { directory, storeId: storeId('s'), clock: { now: () => start, after } }
  const other = await openSqliteStore(options)
  const store = await openSqliteStore(options)
  let hints = 0
  store.watch(0, (origin) => (hints += Number(origin === 'elsewhere')))
  /** Looks for that long; how often. */
  const looks = (ms: number): number => {
    let count = 0
    for (let left = ms; ; count += 1) {
      const [next] = planned
      if (next === undefined || next.span > left) return count
      planned.shift()
      left -= next.span
      next.call()
    }
  }
  expect(looks(2_000)).toBe(20)
  expect(looks(60_000)).toBe(240)
  await accept(store, starting(aRun({ name: 'r1' })))
  // The look that was planned before the write is the last of the rare ones, and the first in vain.
  expect(looks(250 + 1_900)).toBe(20)
  expect(looks(60_000)).toBe(240)
  await accept(other, starting(aRun({ name: 'r2' })))
  expect(looks(250 + 2_000)).toBe(21)
  await Promise.resolve()
  expect(hints).toBe(1)
  await other.close()
  await store.close()
  rmSync(directory, { recursive: true })
})
