/** The end-to-end tests of `npm test`: browsers beside vitest, and windows beside the last browsers once that has ended. */
import { readFileSync, writeFileSync } from 'node:fs'
import { findChromium } from './browser.mjs'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { countedResult } from './stages.mjs'
import { freshReport, readCounts } from './vitest.mjs'

/** @typedef {{ code: number, ms: number, text: string }} Played */
/** @typedef {{ startTime: string, duration: number, expected: number, flaky: number, unexpected: number, skipped: number }} Stats */
/** @typedef {{ config: unknown, suites: readonly unknown[], stats: Stats }} Report */

/**
 * Two at a time, as vitest has; when that has ended, the cores are free for two more.
 * @param {string} node
 * @param {Promise<unknown>} vitest resolves when vitest has ended, however it did
 */
export async function runEndToEnd(node, vitest) {
  const report = freshReport('playwright')
  const parts = await Promise.all([
    play(node, 'browser', ['browser']),
    vitest.then(
      () => play(node, 'windows', ['desktop', 'window']),
      () => play(node, 'windows', ['desktop', 'window']),
    ),
  ])
  const reports = parts.map((part) => reportOf(part.report))
  const whole = wholeReport(reports.filter((one) => one !== undefined))
  if (whole !== undefined) writeFileSync(report, JSON.stringify(whole))
  const counts = readCounts(report, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }))
  const exit = {
    // A part that left no report has failed, whatever it ended with.
    code: Math.max(...parts.map(({ code }, index) => (reports[index] === undefined ? 1 : code))),
    ms: whole?.stats.duration ?? 0,
  }
  const text = parts.map((part) => part.text.trimEnd()).join('\n\n')
  return { text, result: countedResult('end to end (playwright)', exit, counts) }
}

/**
 * The words come as one block at the end, so that those of several never mix.
 * @param {string} node
 * @param {string} name
 * @param {readonly string[]} projects of test/e2e/playwright.config.ts
 * @returns {Promise<Played & { report: string }>}
 */
async function play(node, name, projects) {
  const report = freshReport(`playwright-${name}`)
  const chromium = findChromium()
  const env = { ...toolEnv(node), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const args = [
    at('node_modules/@playwright/test/cli.js'),
    'test',
    ...['--config', at('test/e2e/playwright.config.ts'), '--reporter=list,json'],
    // Each part empties its own folder when it begins.
    ...['--output', at(`test-results/${name}`)],
    ...projects.map((project) => `--project=${project}`),
  ]
  const exit = await runCaptured(node, args, {
    env: chromium === undefined ? env : { ...env, SAGASMITH_CHROMIUM: chromium },
  })
  return { ...exit, report }
}

/** @param {string} file @returns {Report | undefined} */
function reportOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * The reports of parts as one: from the first that began to the last that ended.
 * @param {readonly Report[]} parts
 * @returns {Report | undefined} undefined for none
 */
export function wholeReport(parts) {
  const [first] = parts
  if (first === undefined) return undefined
  const sum = (/** @type {'expected' | 'flaky' | 'unexpected' | 'skipped'} */ key) =>
    parts.reduce((total, { stats }) => total + stats[key], 0)
  const began = parts.map(({ stats }) => Date.parse(stats.startTime))
  const ended = parts.map(({ stats }) => Date.parse(stats.startTime) + stats.duration)
  const start = Math.min(...began)
  return {
    config: first.config,
    suites: parts.flatMap(({ suites }) => suites),
    stats: {
      startTime: new Date(start).toISOString(),
      duration: Math.max(...ended) - start,
      expected: sum('expected'),
      flaky: sum('flaky'),
      unexpected: sum('unexpected'),
      skipped: sum('skipped'),
    },
  }
}
