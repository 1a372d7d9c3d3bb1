/** What the suites take, and what the page about tests says of it. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endToEndTimes, overTotal, spentBySuite, spentLine } from '../../bin/launcher/suites.mjs'
import { endToEndFolders, projects } from '../projects.ts'

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
  const all = [...projects.flatMap((project) => project.folders), ...endToEndFolders]
  expect(new Set(folders)).toEqual(new Set(all))
  const page = readFileSync(resolve(root, 'test/README.md'), 'utf8')
  for (const { suite, seconds } of budgets) {
    expect(page).toMatch(new RegExp(`^\\| \`?${suite}\`? \\| \\d+ \\| ${seconds} \\|`, 'm'))
  }
})

test('Playwright’s time is that of its folders', () => {
  const report = { stats: { startTime: '2026-01-01T00:00:00.000Z', duration: 42_000 } }
  const plans = [{ suite: 'end to end', folders: endToEndFolders, seconds: 40 }]
  const [spent] = spentBySuite(endToEndTimes(report), plans)
  expect(spent).toEqual({ suite: 'end to end', seconds: 42, budget: 40 })
  expect(spent && spentLine(spent)).toBe('end to end       42 of   40   over its budget\n')
  expect(endToEndTimes(undefined)).toEqual([])
})

test('the budgets fit into ten minutes: two files at a time, two browsers beside them, two minutes for the rest', () => {
  const isEndToEnd = ({ folders }: Budget) => folders.some((folder) => endToEndFolders.includes(folder))
  const sum = (of: readonly Budget[]) => of.reduce((all, { seconds }) => all + seconds, 0)
  expect(sum(budgets.filter((budget) => !isEndToEnd(budget))) / 2).toBeLessThanOrEqual(480)
  expect(sum(budgets.filter(isEndToEnd))).toBeLessThanOrEqual(480)
})

test('who takes longer than ten minutes is told so at the end', () => {
  expect(overTotal(599_000)).toBe('')
  expect(overTotal(1_050_000)).toContain('17.5 min, and is to stay near 10 min')
})
