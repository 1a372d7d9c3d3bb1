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

/** All of `npm test`, from its first stage to its last, on two cores that do nothing else. */
const totalSeconds = 600

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

/**
 * A report that a run wrote; undefined when it came to none.
 * @param {string} name
 */
function reportOf(name) {
  try {
    return JSON.parse(readFileSync(reportFile(name), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Playwright tells only how long all of it took: as one file, in one of its folders.
 * @param {{ stats: { startTime: string, duration: number } } | undefined} report
 * @returns {readonly FileTimes[]}
 */
export function endToEndTimes(report) {
  if (report === undefined) return []
  const startTime = Date.parse(report.stats.startTime)
  return [{ name: at('test/e2e/browser/all'), startTime, endTime: startTime + report.stats.duration }]
}

/**
 * The budget that was exceeded by all together, in words for the very end; empty when it was kept.
 * @param {number} ms
 */
export function overTotal(ms) {
  if (ms <= totalSeconds * 1000) return ''
  const minutes = (/** @type {number} */ seconds) => `${Math.round(seconds / 6) / 10} min`
  return (
    `over its budget: all of it took ${minutes(ms / 1000)}, and is to stay near ${minutes(totalSeconds)} ` +
    'on two quiet cores (test/README.md)'
  )
}

/** @param {Spent} spent */
export function spentLine({ suite, seconds, budget }) {
  const over = seconds > budget ? '   over its budget' : ''
  return `${suite.padEnd(14)}${String(seconds).padStart(5)} of ${String(budget).padStart(4)}${over}\n`
}

/**
 * Prints the table of the last full run; says nothing when there was none.
 * @param {number} ms what all of it took so far
 */
export function printSuites(ms) {
  const report = reportOf('vitest')
  if (report === undefined) return
  const budgets = JSON.parse(readFileSync(at('test/budgets.json'), 'utf8'))
  heading('suites (seconds of their files, one after the other)')
  const files = [...report.testResults, ...endToEndTimes(reportOf('playwright'))]
  const total = { suite: 'all of it', seconds: Math.round(ms / 1000), budget: totalSeconds }
  for (const spent of [...spentBySuite(files, budgets), total]) process.stdout.write(spentLine(spent))
}
