import { expect, it } from 'vitest'
import {
  failureLines,
  failuresIn,
  playwrightFailures,
  playwrightShaky,
  vitestFailures,
  vitestShaky,
} from '../../bin/launcher/failures.mjs'
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

it('names those that passed at a second try only, apart from those that failed', () => {
  const shaky = { fullName: 'starts', status: 'passed', failureMessages: ['Took too long\n  at line 9'] }
  const report = {
    testResults: [
      { name: at('test/a.test.ts'), status: 'passed', message: '', assertionResults: [passed, shaky] },
    ],
  }
  expect(vitestShaky(report)).toEqual([{ file: 'test/a.test.ts', test: 'starts', message: 'Took too long' }])
  expect(vitestFailures(report)).toEqual([])
  const specs = [
    { title: 'opens', file: 'f', ok: true, tests: [{ results: [{ error: { message: 'Timeout' } }, {}] }] },
    { title: 'runs', file: 'f', ok: false, tests: [{ results: [{ error: { message: 'Gone' } }] }] },
  ]
  const played = { suites: [{ title: 'outer', file: 'f', specs }] }
  expect(playwrightShaky(played)).toEqual([{ file: 'f', test: 'opens', message: 'Timeout' }])
  expect(playwrightFailures(played)).toEqual([{ file: 'f', test: 'runs', message: 'Gone' }])
  expect(failureLines([{ file: 'f', test: 't', message: 'm' }], 'again:')).toBe('again: f › t: m')
})

it('tells how many it leaves out', () => {
  const failures = Array.from({ length: 15 }, (_, index) => ({ file: 'f', test: `t${index}`, message: 'm' }))
  const lines = failureLines(failures).split('\n')
  expect(lines[0]).toBe('✗ f › t0: m')
  expect(lines.at(-1)).toBe('… and 3 more')
  expect(failureLines([])).toBe('')
})

it('is silent about a report that is not there', () => {
  expect(failuresIn('/nowhere/report.json', vitestFailures)).toEqual([])
})
