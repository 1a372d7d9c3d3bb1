/** What each suite of the tests took, against its budget in `test/budgets.json`. */
import { readFileSync } from 'node:fs'
import { at } from './paths.mjs'
import { heading } from './stages.mjs'
import { reportFile } from './vitest.mjs'

/**
 * @typedef {{ suite: string, folders: readonly string[], seconds: number }} Budget
 * @typedef {{ suite: string, seconds: number, budget: number }} Spent
 * @typedef {{ name: string, startTime: number, endTime: number }} FileTimes
 */

/**
 * Seconds of each suite: those of its files one after the other, so that a suite that shares the machine with
 * another is not told to be faster than it is.
 * @param {readonly FileTimes[]} files
 * @param {readonly Budget[]} budgets
 * @returns {readonly Spent[]}
 */
export function spentBySuite(files, budgets) {
  return budgets.map(({ suite, folders, seconds }) => {
    const own = files.filter(({ name }) => folders.some((folder) => name.includes(`/${folder}/`)))
    const ms = own.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
    return { suite, seconds: Math.round(ms / 1000), budget: seconds }
  })
}

/** Prints the table of the last full run; says nothing when there was none. */
export function printSuites() {
  /** @type {{ testResults: readonly FileTimes[] }} */
  let report
  try {
    report = JSON.parse(readFileSync(reportFile('vitest'), 'utf8'))
  } catch {
    return
  }
  const budgets = JSON.parse(readFileSync(at('test/budgets.json'), 'utf8'))
  heading('suites (seconds of their files, one after the other)')
  for (const { suite, seconds, budget } of spentBySuite(report.testResults, budgets)) {
    const over = seconds > budget ? '   over its budget' : ''
    process.stdout.write(
      `${suite.padEnd(14)}${String(seconds).padStart(5)} of ${String(budget).padStart(4)}${over}\n`,
    )
  }
}
