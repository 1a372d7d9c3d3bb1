/** Runs vitest with its own live report, and counts the tests from its JSON report. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { withMemoryFolder } from './memory-folder.mjs'
import { at, cacheDir } from './paths.mjs'
import { runThrough, toolEnv } from './run.mjs'
import { countedResult, heading } from './stages.mjs'

const nothing = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {string} file
 * @param {(report: any) => import('./stages.mjs').Counts} count
 */
export function readCounts(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // No report: the runner died before it wrote one, and its exit code already says so.
    return nothing
  }
}

/** @param {string} name @returns {string} where the report of that name is kept */
export function reportFile(name) {
  return `${cacheDir}/reports/${name}.json`
}

/** @param {string} name the report's file, removed so that an old one is never read as today's */
export function freshReport(name) {
  const file = reportFile(name)
  mkdirSync(`${cacheDir}/reports`, { recursive: true })
  rmSync(file, { force: true })
  return file
}

/**
 * @param {string} node
 * @param {readonly string[]} projects of test/vitest.config.ts; none means all
 */
export async function runVitest(node, projects) {
  const name = projects.length === 0 ? 'tests (vitest)' : `tests (vitest: ${projects.join(', ')})`
  heading(name)
  // A run of some projects must not pass for a run of all.
  const report = freshReport(projects.length === 0 ? 'vitest' : 'vitest-part')
  const args = [
    at('node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    at('test/vitest.config.ts'),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...projects.flatMap((project) => ['--project', project]),
  ]
  const exit = await withMemoryFolder((env) =>
    runThrough(node, args, { cwd: at(), env: { ...toolEnv(node), ...env } }),
  )
  const counts = readCounts(report, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  }))
  return countedResult(name, exit, counts)
}
