/** What the suites take, and what the page about tests says of it. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { spentBySuite } from '../../bin/launcher/suites.mjs'
import { projects } from '../projects.ts'

interface Budget {
  readonly suite: string
  readonly folders: readonly string[]
  readonly seconds: number
}

const root = resolve(import.meta.dirname, '../..')
const budgets = JSON.parse(readFileSync(resolve(root, 'test/budgets.json'), 'utf8')) as readonly Budget[]

test('each file counts for the suite of its folder', () => {
  const files = [
    { name: `${root}/test/engine/core/flow.test.ts`, startTime: 1_000, endTime: 5_000 },
    { name: `${root}/test/main/menu.test.ts`, startTime: 2_000, endTime: 4_500 },
    { name: `${root}/test/crash/crash.test.ts`, startTime: 0, endTime: 9_000 },
  ]
  const plans = [
    { suite: 'unit', folders: ['test/engine', 'test/main'], seconds: 5 },
    { suite: 'crash', folders: ['test/crash'], seconds: 10 },
  ]
  expect(spentBySuite(files, plans)).toEqual([
    { suite: 'unit', seconds: 7, budget: 5 },
    { suite: 'crash', seconds: 9, budget: 10 },
  ])
})

test('every folder of tests belongs to one suite, and the page tells its budget', () => {
  const folders = budgets.flatMap((budget) => budget.folders)
  expect(new Set(folders).size).toBe(folders.length)
  expect(new Set(folders)).toEqual(new Set(projects.flatMap((project) => project.folders)))
  const page = readFileSync(resolve(root, 'test/README.md'), 'utf8')
  for (const { suite, seconds } of budgets) {
    expect(page).toMatch(new RegExp(`^\\| \`${suite}\` \\| \\d+ \\| ${seconds} \\|`, 'm'))
  }
})
