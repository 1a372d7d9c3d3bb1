/** The benchmark itself: that it runs, ends every run and gives its ratios. How fast is never a test. */

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const script = resolve(import.meta.dirname, '../../bench/run.ts')

test('the short benchmark gives a number for each goal', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--short', '--json'], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const { rows } = JSON.parse(stdout) as {
    readonly rows: readonly { readonly goal: string; readonly what: string; readonly ours: number }[]
  }
  // So short a form beside other tests says nothing of the gates, but when something is wrong altogether.
  console.log(rows.map(({ goal, what, ours }) => `${goal} ${what}: ${ours.toFixed(1)}`).join('\n'))
  expect([...new Set(rows.map((row) => row.goal))]).toEqual(['E1', 'E3', 'E4', 'E6', 'E10'])
  expect(rows.filter((row) => !Number.isFinite(row.ours) || row.ours < 0)).toEqual([])
})
