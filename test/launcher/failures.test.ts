import { expect, it } from 'vitest'
import { failureLines, failuresIn, playwrightFailures, vitestFailures } from '../../bin/launcher/failures.mjs'
import { at } from '../../bin/launcher/paths.mjs'

const failed = (fullName: string) => {
  return { fullName, status: 'failed', failureMessages: ['\u001b[31mExpected 2\u001b[39m\n  at line 4'] }
}
const passed = { fullName: 'adds', status: 'passed', failureMessages: [] }

it('names the failed tests of a vitest report with the first line of what they say', () => {
  const report = {
    testResults: [
      {
        name: at('test/engine/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [passed, failed('divides')],
      },
      { name: at('test/engine/b.test.ts'), status: 'passed', message: '', assertionResults: [passed] },
      {
        name: at('test/engine/c.test.ts'),
        status: 'failed',
        message: 'Cannot find module x',
        assertionResults: [],
      },
    ],
  }
  expect(vitestFailures(report)).toEqual([
    { file: 'test/engine/a.test.ts', test: 'divides', message: 'Expected 2' },
    { file: 'test/engine/c.test.ts', test: '', message: 'Cannot find module x' },
  ])
})

it('names the failed tests of a playwright report, however deep they stand', () => {
  const spec = (title: string, ok: boolean) => {
    const results = ok ? [{}] : [{}, { error: { message: 'Timeout\nmore' } }]
    return { title, file: 'browser/run.e2e.ts', ok, tests: [{ results }] }
  }
  const inner = { title: 'inner', file: 'f', specs: [spec('opens', true), spec('runs', false)] }
  const report = { suites: [{ title: 'outer', file: 'f', suites: [inner] }] }
  expect(playwrightFailures(report)).toEqual([
    { file: 'browser/run.e2e.ts', test: 'runs', message: 'Timeout' },
  ])
})

it('tells how many it leaves out', () => {
  const failures = Array.from({ length: 15 }, (_, index) => ({ file: 'f', test: `t${index}`, message: 'm' }))
  const lines = failureLines(failures).split('\n')
  expect(lines[0]).toBe('✗ f t0')
  expect(lines.at(-1)).toBe('… and 3 more')
  expect(failureLines([])).toBe('')
})

it('is silent about a report that is not there', () => {
  expect(failuresIn('/nowhere/report.json', vitestFailures)).toEqual([])
})
