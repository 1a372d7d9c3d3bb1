/** The bookkeeping of `npm test` and `npm run check`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countedResult, plainResult, runTwoAtATime, summarize } from '../../bin/launcher/stages.mjs'

let printed = ''

beforeEach(() => {
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})

afterEach(() => vi.restoreAllMocks())

const clean = { code: 0, ms: 10, text: '' }
const broken = { code: 2, ms: 10, text: 'what went wrong' }

test('a failing stage does not hide the next one, and its words are printed', async () => {
  const results = await runTwoAtATime([
    { name: 'first', run: async () => broken },
    { name: 'second', run: async () => clean },
    { name: 'third', run: () => Promise.reject(new Error('the program is missing')) },
    { name: 'fourth', run: async () => clean },
  ])
  expect(results.map(({ name, ok }) => [name, ok])).toEqual([
    ['first', false],
    ['second', true],
    ['third', false],
    ['fourth', true],
  ])
  expect(printed).toContain('what went wrong')
  expect(printed).toContain('the program is missing')
})

test.for([
  ['all passed', clean, { passed: 5, failed: 0, skipped: 0 }, true, 0],
  ['some failed', broken, { passed: 5, failed: 2, skipped: 0 }, false, 2],
  ['failed outside any test', broken, { passed: 5, failed: 0, skipped: 0 }, false, 1],
  ['ran no test at all', clean, { passed: 0, failed: 0, skipped: 0 }, false, 1],
  ['exit code lies', clean, { passed: 5, failed: 1, skipped: 0 }, false, 1],
] as const)('a stage whose tests %s', ([, exit, counts, ok, failed]) => {
  const result = countedResult('tests', exit, counts)
  expect({ ok: result.ok, failed: result.counts.failed }).toEqual({ ok, failed })
})

test('the very last line is the total, and one failing stage fails all', () => {
  const tests = countedResult('tests', clean, { passed: 41, failed: 0, skipped: 0 })
  expect(summarize([tests, plainResult('types', clean)]).code).toBe(0)
  expect(printed.trimEnd().split('\n').at(-1)).toBe('42 passed, 0 failed')
  expect(summarize([tests, plainResult('types', broken)]).code).toBe(1)
  expect(printed.trimEnd().split('\n').at(-1)).toBe('41 passed, 1 failed')
})
