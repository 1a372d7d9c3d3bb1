/** The benchmark on a cluster: that it runs, ends every run and gives its ratios. How fast is never a test. */

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const script = resolve(import.meta.dirname, '../../bench/redis.ts')

test('the short benchmark on a cluster gives a number for each goal', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--short', '--json'], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const { rows } = JSON.parse(stdout) as {
    readonly rows: readonly { readonly goal: string; readonly ours: number }[]
  }
  expect([...new Set(rows.map((row) => row.goal))]).toEqual(['R1', 'R2', 'R3', 'R4'])
  expect(rows.filter((row) => !Number.isFinite(row.ours) || row.ours < 0)).toEqual([])
})
