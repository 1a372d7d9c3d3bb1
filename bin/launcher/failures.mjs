/**
 * The names of the tests that failed, for the end of the log: whoever sees only its last lines must still
 * learn what to look at.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { at } from './paths.mjs'

/**
 * @typedef {{ file: string, test: string, message: string }} Failure
 * @typedef {{ testResults: readonly {
 *   name: string, status: string, message: string,
 *   assertionResults: readonly { fullName: string, status: string, failureMessages: readonly string[] }[]
 * }[] }} VitestReport
 * @typedef {{ title: string, file: string, specs?: readonly {
 *   title: string, file: string, ok: boolean,
 *   tests: readonly { results: readonly { error?: { message?: string } }[] }[]
 * }[], suites?: readonly PlaywrightSuite[] }} PlaywrightSuite
 */

/** How many are named; the log itself tells of all. */
const namedMax = 12

/**
 * Those that passed at a second try only, with what they said at the first: such a test is to be mended, too.
 *
 * @param {VitestReport} report @returns {Failure[]}
 */
export function vitestShaky({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) => {
    const shaky = assertionResults.filter(
      ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
    )
    return shaky.map(({ fullName, failureMessages }) => {
      return { file: relative(at(), name), test: fullName, message: firstLine(failureMessages[0] ?? '') }
    })
  })
}

/** @param {string} text */
const firstLine = (text) =>
  // Colours would cost half of the line.
  (stripVTControlCharacters(text).split('\n')[0] ?? '').slice(0, 160)

/** @param {VitestReport} report @returns {Failure[]} */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(at(), name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that could not even be loaded has no test to blame.
    if (failed.length === 0 && status === 'failed') return [{ file, test: '', message: firstLine(message) }]
    return failed.map(({ fullName, failureMessages }) => {
      return { file, test: fullName, message: firstLine(failureMessages[0] ?? '') }
    })
  })
}

/** @param {{ suites: readonly PlaywrightSuite[] }} report @returns {Failure[]} */
export function playwrightFailures({ suites }) {
  return specsOf(suites, ({ ok }) => !ok)
}

/** @param {{ suites: readonly PlaywrightSuite[] }} report @returns {Failure[]} as {@link vitestShaky} */
export function playwrightShaky({ suites }) {
  return specsOf(suites, ({ ok, tests }) => {
    return ok && tests.some(({ results }) => results.some(({ error }) => error !== undefined))
  })
}

/**
 * @param {readonly PlaywrightSuite[]} suites
 * @param {(spec: NonNullable<PlaywrightSuite['specs']>[number]) => boolean} isMeant
 * @returns {Failure[]}
 */
function specsOf(suites, isMeant) {
  return suites.flatMap((suite) => {
    const own = (suite.specs ?? []).filter(isMeant)
    const named = own.map(({ title, file, tests }) => {
      const error = tests.flatMap(({ results }) => results).find((result) => result.error !== undefined)
      return { file, test: title, message: firstLine(error?.error?.message ?? '') }
    })
    return [...named, ...specsOf(suite.suites ?? [], isMeant)]
  })
}

/**
 * @template Report
 * @param {string} file
 * @param {(report: Report) => Failure[]} read
 * @returns {Failure[]}
 */
export function failuresIn(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // No report: the stage itself says that its runner died.
    return []
  }
}

/**
 * @param {readonly Failure[]} failures
 * @param {string} [mark]
 * @returns {string} nothing when there is none
 */
export function failureLines(failures, mark = '✗') {
  const lines = failures
    .slice(0, namedMax)
    .map(({ file, test, message }) => `${mark} ${file} › ${test.slice(0, 120)}: ${message}`)
  const more = failures.length - lines.length
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}
