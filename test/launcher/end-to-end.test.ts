import { expect, test } from 'vitest'
import { wholeReport } from '../../bin/launcher/end-to-end.mjs'

const part = (startTime: string, duration: number, names: readonly string[]) => ({
  config: { rootDir: '/root/test/e2e' },
  suites: names,
  stats: { startTime, duration, expected: names.length, flaky: 1, unexpected: 0, skipped: 2 },
})

test('parts that were played one beside the other are one report, from the first beginning to the last end', () => {
  const browsers = part('2026-01-01T00:00:00.000Z', 60_000, ['a', 'b'])
  const windows = part('2026-01-01T00:00:50.000Z', 30_000, ['c'])
  expect(wholeReport([browsers, windows])).toEqual({
    config: browsers.config,
    suites: ['a', 'b', 'c'],
    stats: {
      startTime: '2026-01-01T00:00:00.000Z',
      duration: 80_000,
      expected: 3,
      flaky: 2,
      unexpected: 0,
      skipped: 4,
    },
  })
  expect(wholeReport([])).toBeUndefined()
})
