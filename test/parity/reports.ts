/** Reads the JSON reports of the two test runners as one list of tests. */
import type { ReportedTest } from './behaviour.ts'

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

interface PlaywrightSuite {
  readonly file: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly { readonly status: string }[]
  }[]
}

interface PlaywrightReport {
  readonly config: { readonly rootDir: string }
  readonly suites: readonly PlaywrightSuite[]
}

const statuses: Readonly<Record<string, ReportedTest['status']>> = {
  passed: 'passed',
  expected: 'passed',
  failed: 'failed',
  unexpected: 'failed',
  flaky: 'failed',
}

/** A path below the root, with slashes on every system. */
function below(root: string, file: string): string {
  const path = file.replaceAll('\\', '/')
  const start = `${root.replaceAll('\\', '/')}/`
  return path.startsWith(start) ? path.slice(start.length) : path
}

/** The tests of a vitest report; throws when it is none. */
export function readVitestReport(text: string, root: string): readonly ReportedTest[] {
  const report = JSON.parse(text) as VitestReport
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status }) => ({
      file: below(root, name),
      title,
      status: statuses[status] ?? 'not-run',
    })),
  )
}

/** The tests of a Playwright report; throws when it is none. */
export function readPlaywrightReport(text: string, root: string): readonly ReportedTest[] {
  const report = JSON.parse(text) as PlaywrightReport
  const folder = below(root, report.config.rootDir)
  const testsOf = (suite: PlaywrightSuite): readonly ReportedTest[] => [
    ...(suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.map(({ status }) => ({
        file: `${folder}/${suite.file}`,
        title,
        status: statuses[status] ?? 'not-run',
      })),
    ),
    ...(suite.suites ?? []).flatMap(testsOf),
  ]
  return report.suites.flatMap(testsOf)
}
