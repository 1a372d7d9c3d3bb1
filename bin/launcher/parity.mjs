/** `npm run parity`: which behaviours the tests prove, from the reports of the last full run of the tests. */
import { existsSync, statSync } from 'node:fs'
import { newestSourceMs } from './build.mjs'
import { at } from './paths.mjs'
import { runThrough, toolEnv } from './run.mjs'
import { say } from './say.mjs'
import { heading, plainResult } from './stages.mjs'
import { reportFile, runVitest } from './vitest.mjs'

/**
 * Judges the reports at hand and writes docs/parity.md.
 * @param {string} node
 * @param {boolean} withEndToEnd whether Playwright's report is of the same sources
 */
function judgeParity(node, withEndToEnd) {
  const args = [at('test/parity/run.ts'), '--vitest', reportFile('vitest')]
  if (withEndToEnd) args.push('--playwright', reportFile('playwright'))
  return runThrough(node, args, { cwd: at(), env: toolEnv(node) })
}

/**
 * The same as a stage of `npm test`, after the tests and from their reports.
 * @param {string} node
 */
export async function runParity(node) {
  heading('parity')
  return plainResult('parity', await judgeParity(node, existsSync(reportFile('playwright'))))
}

/**
 * The command: runs the tests first where their report is older than the sources.
 * @param {string} node
 */
export async function parity(node) {
  if (!isFresh(reportFile('vitest'))) {
    say('the last full test report is missing or older than the sources: running the tests first')
    await runVitest(node, [])
  }
  return judgeParity(node, isFresh(reportFile('playwright')))
}

/** @param {string} file a report */
function isFresh(file) {
  return existsSync(file) && statSync(file).mtimeMs > newestSourceMs()
}
