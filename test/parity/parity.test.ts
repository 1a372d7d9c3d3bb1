/** The parity tool: tags, verdicts, problems and the page. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReportedTest } from './behaviour.ts'
import { chapters } from './behaviours/catalogue.ts'
import { renderParity } from './document.ts'
import { exceptions } from './exceptions.ts'
import type { Evidence } from './judge.ts'
import { judge, tagsOf } from './judge.ts'
import { readPlaywrightReport, readVitestReport } from './reports.ts'

/** Titles of this file are read by the tool too, so tags of examples are put together here. */
const tagged = (title: string, ...ids: readonly string[]): string =>
  [title, ...ids.map((id) => `[${id}]`)].join(' ')

const passing = (title: string, file = 'test/a.test.ts'): ReportedTest => ({ file, title, status: 'passed' })

function evidence(changes: Partial<Evidence>): Evidence {
  const chapter = { title: 'one', behaviours: { P1: 'first', P2: 'second' } }
  return { chapters: [chapter], exceptions: {}, tests: [passing(tagged('both', 'P1', 'P2'))], ...changes }
}

describe('the verdict', () => {
  test('reads every tag of a title and nothing else in brackets', () => {
    expect(tagsOf(`list[0] of [x] ${tagged('claims', 'P1', 'T19')}`)).toEqual(['P1', 'T19'])
  })

  test('holds when every behaviour is proven by a passed test', () => {
    expect(judge(evidence({})).problems).toEqual([])
  })

  test('names a behaviour that no test claims', () => {
    const { problems } = judge(evidence({ tests: [passing(tagged('one', 'P1'))] }))
    expect(problems).toEqual(['P2 has no test: second'])
  })

  test('accepts an exception in the place of a test', () => {
    const exception = { kind: 'later', reason: 'comes later' } as const
    const given = evidence({ tests: [passing(tagged('one', 'P1'))], exceptions: { P2: exception } })
    expect(judge(given).problems).toEqual([])
  })

  test('names an exception whose behaviour is proven, or that excepts nothing', () => {
    const exception = { kind: 'overridden', reason: 'decided otherwise' } as const
    const { problems } = judge(evidence({ exceptions: { P2: exception, P9: exception } }))
    expect(problems).toEqual([
      'P2 is proven: take its line out of test/parity/exceptions.ts',
      'P9 is excepted, but there is no such behaviour',
    ])
  })

  test('names a tag that no behaviour has', () => {
    const tests = [passing(tagged('both', 'P1', 'P2')), passing(tagged('other', 'C9'), 'test/b.test.ts')]
    const { problems } = judge(evidence({ tests }))
    expect(problems).toEqual([`[C9] names no behaviour: test/b.test.ts: ${tagged('other', 'C9')}`])
  })

  test.for(['failed', 'not-run'] as const)('does not take a %s test for a proof', (status) => {
    const tests = [
      passing(tagged('both', 'P1', 'P2')),
      { file: 'test/b.test.ts', title: tagged('again', 'P2'), status },
    ]
    const judgement = judge(evidence({ tests }))
    expect(judgement.problems).toEqual(['P2 is claimed by a test that did not pass: test/b.test.ts: again'])
    expect(judgement.chapters[0]?.verdicts.map(({ state }) => state)).toEqual(['proven', 'failed'])
  })
})

describe('the reports', () => {
  test("reads vitest's", () => {
    const report = {
      testResults: [
        {
          name: '/root/test/a.test.ts',
          assertionResults: [
            { title: 'one', status: 'passed' },
            { title: 'two', status: 'failed' },
            { title: 'three', status: 'pending' },
          ],
        },
      ],
    }
    expect(readVitestReport(JSON.stringify(report), '/root')).toEqual([
      { file: 'test/a.test.ts', title: 'one', status: 'passed' },
      { file: 'test/a.test.ts', title: 'two', status: 'failed' },
      { file: 'test/a.test.ts', title: 'three', status: 'not-run' },
    ])
  })

  test("reads playwright's with its nested suites", () => {
    const inner = { file: 'b.e2e.ts', specs: [{ title: 'deep', tests: [{ status: 'flaky' }] }] }
    const outer = { file: 'b.e2e.ts', specs: [{ title: 'top', tests: [{ status: 'expected' }] }] }
    const report = { config: { rootDir: '/root/test/e2e' }, suites: [{ ...outer, suites: [inner] }] }
    expect(readPlaywrightReport(JSON.stringify(report), '/root')).toEqual([
      { file: 'test/e2e/b.e2e.ts', title: 'top', status: 'passed' },
      { file: 'test/e2e/b.e2e.ts', title: 'deep', status: 'failed' },
    ])
  })
})

describe('the command', () => {
  const judged = (tests: readonly { title: string; status: string }[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'sagasmith-parity-'))
    try {
      const report = { testResults: [{ name: '/x/test/a.test.ts', assertionResults: tests }] }
      writeFileSync(join(folder, 'vitest.json'), JSON.stringify(report))
      const script = join(import.meta.dirname, 'run.ts')
      const files = ['--vitest', join(folder, 'vitest.json'), '--output', join(folder, 'parity.md')]
      const { status, stdout } = spawnSync(process.execPath, [script, ...files], { encoding: 'utf8' })
      return { status, stdout, page: readFileSync(join(folder, 'parity.md'), 'utf8') }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const all = chapters
    .flatMap(({ behaviours }) => Object.keys(behaviours))
    .filter((id) => exceptions[id] === undefined)

  test('ends well when all is proven, and writes the same page again', () => {
    const tests = all.map((id) => ({ title: tagged('holds', id), status: 'passed' }))
    const first = judged(tests)
    expect(first.status).toBe(0)
    expect(judged(tests.toReversed()).page).toBe(first.page)
  })

  test('ends badly for what is missing, failed, excepted although proven, or unknown', () => {
    const [lost = '', broken = '', ...rest] = all
    const [excepted = ''] = Object.keys(exceptions)
    const { status, stdout } = judged([
      ...[...rest, excepted].map((id) => ({ title: tagged('holds', id), status: 'passed' })),
      { title: tagged('breaks', broken), status: 'failed' },
      { title: tagged('is no behaviour', 'P999'), status: 'passed' },
    ])
    expect(status).toBe(1)
    expect(stdout).toContain(`${lost} has no test`)
    expect(stdout).toContain(`${broken} is claimed by a test that did not pass`)
    expect(stdout).toContain(`${excepted} is proven`)
    expect(stdout).toContain('names no behaviour')
  })
})

describe('the page', () => {
  test('has a row for each behaviour, counts repetitions, and escapes what would break a table', () => {
    const exception = { kind: 'later', reason: 'comes later' } as const
    const tests = [passing(tagged('a | b', 'P1')), passing(tagged('a | b', 'P1'))]
    const page = renderParity(judge(evidence({ tests, exceptions: { P2: exception } })))
    expect(page).toContain('1 proven, 0 failed, 0 missing, 1 excepted.')
    expect(page).toContain('| P1 | first | a \\| b (`test/a.test.ts`) | 2 of 2 |')
    expect(page).toContain('| P2 | second | later: comes later | — |')
  })
})

describe('the catalogue', () => {
  const ids = chapters.flatMap(({ behaviours }) => Object.keys(behaviours))

  test.for([
    ['P', 58],
    ['C', 67],
    ['S', 60],
    ['T', 19],
    ['G', 28],
  ] as const)('numbers the behaviours %s without a gap', ([letter, count]) => {
    const wanted = Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
    expect(ids.filter((id) => id.startsWith(letter))).toEqual(wanted)
  })

  test('leaves at least 150 behaviours to be proven', () => {
    const excepted = Object.keys(exceptions)
    expect(excepted.filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.length - excepted.length).toBeGreaterThanOrEqual(150)
  })
})
