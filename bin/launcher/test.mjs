/** `npm test`: everything, in order, without stopping at the first failure. */
import { findChromium } from './browser.mjs'
import { build } from './build.mjs'
import { runStaticChecks } from './check.mjs'
import { boundCompileCache } from './compile-cache.mjs'
import {
  failureLines,
  failuresIn,
  playwrightFailures,
  playwrightShaky,
  vitestFailures,
  vitestShaky,
} from './failures.mjs'
import { withLock } from './lock.mjs'
import { runParity } from './parity.mjs'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { countedResult, heading, runTwoAtATime, summarize } from './stages.mjs'
import { overTotal, printSuites } from './suites.mjs'
import { ensureSystemPrograms } from './system-packages.mjs'
import { freshReport, readCounts, reportFile, runVitest } from './vitest.mjs'

/**
 * Beside vitest, whose words come live; these come as one block at their end, so that two never mix.
 * @param {string} node
 */
async function runEndToEnd(node) {
  const report = freshReport('playwright')
  const chromium = findChromium()
  const env = { ...toolEnv(node), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const args = ['test', '--config', at('test/e2e/playwright.config.ts'), '--reporter=list,json']
  const exit = await runCaptured(node, [at('node_modules/@playwright/test/cli.js'), ...args], {
    env: chromium === undefined ? env : { ...env, SAGASMITH_CHROMIUM: chromium },
  })
  const counts = readCounts(report, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }))
  return { text: exit.text, result: countedResult('end to end (playwright)', exit, counts) }
}

/**
 * @param {string} node
 */
export async function test(node) {
  const startedAt = performance.now()
  boundCompileCache()
  const results = await runTwoAtATime([
    { name: 'system programs', run: ensureSystemPrograms },
    { name: 'build (electron-vite)', run: () => withLock('build', () => build(node)) },
  ])
  results.push(...(await runStaticChecks(node)))
  // Both wait more than they work: for servers that are killed, leases that run out, windows that open.
  const [tests, endToEnd] = await Promise.all([runVitest(node, []), runEndToEnd(node)])
  heading('end to end (playwright)')
  process.stdout.write(`${endToEnd.text.trimEnd()}\n`)
  results.push(tests, endToEnd.result)
  results.push(await runParity(node))
  const ms = performance.now() - startedAt
  printSuites(ms)
  const failed = [
    ...failuresIn(reportFile('vitest'), vitestFailures),
    ...failuresIn(reportFile('playwright'), playwrightFailures),
  ]
  const shaky = [
    ...failuresIn(reportFile('vitest'), vitestShaky),
    ...failuresIn(reportFile('playwright'), playwrightShaky),
  ]
  // What failed comes last: often only the end of a log is kept.
  const lines = [overTotal(ms), failureLines(shaky, 'passed at a second try only:'), failureLines(failed)]
  return summarize(results, lines.filter((text) => text !== '').join('\n'))
}
