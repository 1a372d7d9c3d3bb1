import { describe, expect, test } from 'vitest'
import { redactAt, redactedMark, redactPathOf } from '../../../src-engine/model/redact-paths.ts'

const at = (value: unknown, ...paths: string[]) =>
  redactAt(
    value as never,
    paths.map((path) => redactPathOf(path) ?? []),
  )

describe('a path', () => {
  test.each([
    ['customer.email', ['customer', 'email']],
    ['$.customer.email', ['customer', 'email']],
    ['items.*.token', ['items', '*', 'token']],
    ['items.0', ['items', '0']],
    ['`a.b`.c', ['a.b', 'c']],
    ['straße', ['straße']],
    [' x ', ['x']],
    ['$', []],
  ])('%s', (text, path) => expect(redactPathOf(text)).toEqual(path))

  test.each(['', ' ', '.', 'a..b', 'a.', '.a', 'a b', 'items[0]', '`a', 'a`b`'])('%j is none', (text) =>
    expect(redactPathOf(text)).toBeNull(),
  )
})

describe('what is taken out', () => {
  test('is replaced wherever the path leads, and told', () => {
    const value = { a: [{ t: 'one', n: 1 }, { t: 'two' }], b: { c: 'three', d: 4 }, e: 'five' }
    expect(at(value, 'a.*.t', 'b')).toEqual({
      value: { a: [{ t: redactedMark, n: 1 }, { t: redactedMark }], b: redactedMark, e: 'five' },
      taken: ['one', 'two', 'three', '4'],
    })
    // The value itself stays as it was: others may hold it.
    expect(value.b).toEqual({ c: 'three', d: 4 })
  })

  test('is nothing where the path leads nowhere', () => {
    const value = { a: [1], b: null, c: 'x' }
    expect(at(value, 'z', 'a.5', 'b.c', 'c.d', 'toString')).toEqual({ value, taken: [] })
  })

  test('is everything for $, and a mark is not taken twice', () => {
    expect(at({ a: 'x' }, '$')).toEqual({ value: redactedMark, taken: ['x'] })
    expect(at({ a: redactedMark }, 'a')).toEqual({ value: { a: redactedMark }, taken: [] })
  })

  test('is one item of a list by its number', () => {
    expect(at(['a', 'b'], '1').value).toEqual(['a', redactedMark])
  })
})
