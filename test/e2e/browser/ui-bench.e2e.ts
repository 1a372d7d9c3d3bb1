/** The bench of the designer: that it runs, drops nothing and gives its ratios. How fast is never a test. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './serving.ts'

test('the short bench shows every change in the end, and has a number for each goal', async () => {
  const script = resolve(import.meta.dirname, '../../../bench/ui.ts')
  const child = spawn(process.execPath, [script, '--short', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [text, complaints] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect(complaints).toBe('')
  expect(code).toBe(0)
  const { rows } = JSON.parse(text) as {
    readonly rows: readonly { readonly goal: string; readonly what: string; readonly ours: number }[]
  }
  expect([...new Set(rows.map(({ goal }) => goal))].toSorted()).toEqual(['H', 'U1', 'U2', 'U3', 'U4', 'U5'])
  expect(rows.filter(({ ours }) => !Number.isFinite(ours) || ours < 0)).toEqual([])
  expect(rows.find(({ what }) => what.startsWith('states that are not shown'))?.ours).toBe(0)
})
