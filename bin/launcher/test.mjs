/** `npm test`: everything, in order, without stopping at the first failure. */
import { build } from './build.mjs'
import { runStaticChecks } from './check.mjs'
import { boundCompileCache } from './compile-cache.mjs'
import { runEndToEnd } from './end-to-end.mjs'
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
import { heading, runTwoAtATime, summarize } from './stages.mjs'
import { overTotal, printSuites } from './suites.mjs'
import { ensureSystemPrograms } from './system-packages.mjs'
import { reportFile, runVitest } from './vitest.mjs'

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
  const vitest = runVitest(node, [])
  const [tests, endToEnd] = await Promise.all([vitest, runEndToEnd(node, vitest)])
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
