/** What the check of the books finds, and that it finds nothing in books that are right. */

import { expect, test } from 'vitest'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import type { Movement } from './book.ts'
import { checkBooks } from './check-books.ts'

/** `charge` was done, `-charge` undone, of the order `r` unless `s:charge` names another. */
function movementsOf(texts: readonly string[]): readonly Movement[] {
  return texts.flatMap((text) => {
    const [order = '', name = ''] = text.includes(':') ? text.split(':') : ['r', text]
    const kind = name.startsWith('-') ? 'undone' : 'done'
    const deal = name.replace('-', '')
    const amount = kind === 'done' ? 5 : -5
    return [
      { order, deal, kind, account: 'from', amount: -amount },
      { order, deal, kind, account: 'to', amount },
    ] as const
  })
}

const check = (texts: readonly string[], status: RunStatus, told: Readonly<Record<string, number>> = {}) =>
  checkBooks({ one: { movements: movementsOf(texts), told } }, [{ runId: 'r', status }])

const all = ['order', 'reservation', 'charge', 'confirmation']

test.for<[RunStatus, readonly string[]]>([
  ['SUCCEEDED', all],
  ['COMPENSATED', [...all, ...all.map((deal) => `-${deal}`)]],
  ['COMPENSATED', ['order', 'charge', '-charge', '-order']],
  ['FAILED', []],
  ['CANCELLED', []],
])('nothing is wrong with %s and %s', ([status, texts]) => {
  expect(check(texts, status)).toEqual([])
})

test.for<[RunStatus, readonly string[], readonly string[]]>([
  ['SUCCEEDED', ['order', 'reservation', 'charge'], ['r is SUCCEEDED: its confirmation stands 0 times']],
  [
    'SUCCEEDED',
    [...all, 'charge'],
    ['r: its charge was made 2 times', 'r is SUCCEEDED: its charge stands 2 times'],
  ],
  [
    'COMPENSATED',
    ['order', 'charge', '-order'],
    ['r: a charge stands without an order', 'r is COMPENSATED: its charge stands 1 times'],
  ],
  [
    'COMPENSATED',
    ['order', '-order', '-order'],
    [
      'one: from has 5, its open deals say 0',
      'one: to has -5, its open deals say 0',
      'r: its order was undone 2 times, and made 1 times',
      'r is COMPENSATED: its order stands -1 times',
    ],
  ],
  ['FAILED', ['order'], ['r is FAILED: its order stands 1 times']],
  ['COMPENSATION_FAILED', [], ['r ended COMPENSATION_FAILED']],
  ['SUCCEEDED', [...all, 's:order'], ['s is in the books, but there was no such run']],
])('%s with %s: %s', ([status, texts, found]) => {
  expect(check(texts, status)).toEqual(found)
})

test('books whose accounts don’t add up, and keys of two requests, are told', () => {
  const [leg] = movementsOf(['order'])
  const books = { one: { movements: leg === undefined ? [] : [leg], told: { 'key-reused': 1 } } }
  expect(checkBooks(books, [])).toEqual(
    expect.arrayContaining(['one: its accounts add up to -5', 'one: a key was used for two requests']),
  )
})
