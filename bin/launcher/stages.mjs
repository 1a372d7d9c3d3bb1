/**
 * Stages of a test or check run: each has a name, takes some time and ends well or not. A failing stage
 * never hides the next one; the table and the last line say how it all went.
 */
import { formatMs } from './say.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ name: string, ok: boolean, ms: number, counts: Counts }} StageResult
 */

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}

/** @param {string} name */
export function heading(name) {
  print(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`)
}

/**
 * A stage that is one yes or no.
 * @param {string} name
 * @param {{ code: number, ms: number }} exit
 * @returns {StageResult}
 */
export function plainResult(name, exit) {
  const ok = exit.code === 0
  return { name, ok, ms: exit.ms, counts: { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 } }
}

/**
 * A stage that counts tests. A stage that failed outside any test still shows one failure, and one that
 * ran no test at all has failed.
 * @param {string} name
 * @param {{ code: number, ms: number }} exit
 * @param {Counts} counts
 * @returns {StageResult}
 */
export function countedResult(name, exit, counts) {
  const ok = exit.code === 0 && counts.failed === 0 && counts.passed > 0
  return { name, ok, ms: exit.ms, counts: { ...counts, failed: ok ? 0 : Math.max(1, counts.failed) } }
}

/**
 * Runs stages two at a time (the work of most is one core wide) and prints each one's words as a block
 * when it ends, so that two never mix.
 * @param {readonly { name: string, run: () => Promise<{ code: number, ms: number, text: string }> }[]} stages
 * @returns {Promise<StageResult[]>} in the order given
 */
export async function runTwoAtATime(stages) {
  /** @type {StageResult[]} */
  const results = []
  let next = 0
  const lane = async () => {
    while (next < stages.length) {
      const index = next++
      const stage = stages[index]
      if (stage === undefined) return
      // A stage that could not even start has failed; the others go on.
      const done = await stage.run().catch((error) => ({ code: 1, ms: 0, text: String(error.message) }))
      results[index] = plainResult(stage.name, done)
      heading(`${stage.name}: ${done.code === 0 ? 'passed' : 'FAILED'} in ${formatMs(done.ms)}`)
      if (done.code !== 0) print(done.text.trimEnd())
    }
  }
  await Promise.all([lane(), lane()])
  return results
}

/**
 * Prints the table, the names of what failed and the total; the total is the very last line.
 * @param {readonly StageResult[]} results
 * @param {string} [failed] the names, a line each
 * @returns {import('./run.mjs').Exit}
 */
export function summarize(results, failed = '') {
  heading('summary')
  const width = Math.max(...results.map((result) => result.name.length))
  for (const { name, ok, ms, counts } of results) {
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    const tests = `${counts.passed} passed, ${counts.failed} failed${skipped}`
    print(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${formatMs(ms).padStart(7)}  ${tests}`)
  }
  if (failed !== '') print(`\n${failed}`)
  const total = (/** @type {'passed' | 'failed'} */ key) =>
    results.reduce((sum, { counts }) => sum + counts[key], 0)
  const ms = results.reduce((sum, result) => sum + result.ms, 0)
  print(`\n${total('passed')} passed, ${total('failed')} failed`)
  return { code: results.every((result) => result.ok) ? 0 : 1, signal: null, ms }
}
