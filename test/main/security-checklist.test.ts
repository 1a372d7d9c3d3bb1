/** The table of docs/desktop.md is about tests that are there. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/desktop.md'), 'utf8')
const rows = [...page.matchAll(/^\|[^|]*\|[^|]*\| `(?<file>test\/[^`]+)`: (?<title>.+) \|$/gm)].map(
  ({ groups }) => [groups?.['title'] ?? '', groups?.['file'] ?? ''] as const,
)

test('the table has a row per item', () => {
  expect(rows.length).toBeGreaterThanOrEqual(32)
})

test.for(rows)('“%s” is a test of %s', ([title, file]) => {
  const text = readFileSync(join(root, file), 'utf8')
  // `%` stands for the cases of a table of its own.
  expect([`'${title}'`, `"${title}"`].some((quoted) => text.includes(quoted))).toBe(true)
})
