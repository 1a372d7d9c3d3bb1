import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src-engine/model/json.ts'
import {
  firstLook,
  leafText,
  pageSize,
  peekText,
  rowsOf,
} from '../../src-renderer/panels/inspector/data/value-rows.ts'

const order = { id: 'A-17', customer: { name: 'Ada', tags: ['new', 'eu'] }, lines: [{ sku: 'x', price: 3 }] }
const names = (rows: ReturnType<typeof rowsOf>) => rows.map(({ path }) => path.join('/'))

describe('the rows of a value', () => {
  test('small branches are open two levels deep, each row with its place', () => {
    expect(names(rowsOf(order, firstLook))).toEqual([
      '',
      'id',
      'customer',
      'customer/name',
      'customer/tags',
      'lines',
      'lines/0',
    ])
  })

  test('what is opened and closed by hand counts before what is usual', () => {
    const open = new Map([
      ['["customer","tags"]', true],
      ['["lines"]', false],
    ])
    expect(names(rowsOf(order, { ...firstLook, open }))).toEqual([
      '',
      'id',
      'customer',
      'customer/name',
      'customer/tags',
      'customer/tags/0',
      'customer/tags/1',
      'lines',
    ])
  })

  test('a search leaves what fits by name or value, what it stands in, and what stands in it', () => {
    expect(names(rowsOf(order, { ...firstLook, query: 'EU' }))).toEqual([
      '',
      'customer',
      'customer/tags',
      'customer/tags/1',
    ])
    expect(names(rowsOf(order, { ...firstLook, query: 'lines' }))).toEqual([
      '',
      'lines',
      'lines/0',
      'lines/0/sku',
      'lines/0/price',
    ])
  })

  test('a long list is cut after a page and says how much is left', () => {
    const list = Array.from({ length: 180 }, (_, index) => index)
    const rows = rowsOf(list, firstLook)
    expect(rows.at(-1)).toMatchObject({ more: 180 - pageSize, path: [] })
    expect(rows).toHaveLength(1 + pageSize + 1)
    const all = rowsOf(list, { ...firstLook, shown: new Map([['[]', 200]]) })
    expect(all).toHaveLength(181)
  })

  test('rows have unlike ids, whatever their names are', () => {
    const rows = rowsOf({ 'a/b': { c: 1 }, a: { 'b/c': 1 }, '0': [1] }, firstLook)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  test('a long text is one line, cut, with its length', () => {
    expect(leafText('one\n  two')).toBe('one ⏎ two')
    expect(leafText('x'.repeat(5_000))).toMatch(/^x{160}… \(5000 characters\)$/)
    expect(leafText(null)).toBe('null')
  })
})

describe('what a closed branch begins with', () => {
  test.for([
    [{ sku: 'SAW-BOW', left: 3, isLow: true, note: null }, 'sku: SAW-BOW, left: 3, isLow: true, note: null'],
    [[1, 'two', { three: 3 }, [4, 5]], '1, two, {three}, [2]'],
    [[{ a: 1, b: 2, c: 3, d: 4, e: 5 }, { a: 2 }], '{a, b, c, d, …}'],
    [[{ a: 1 }, { a: 2 }], '{a}'],
    [{ order: { id: 1 }, lines: [1, 2] }, 'order: {id}, lines: [2]'],
    [{ text: 'x'.repeat(200) }, `text: ${'x'.repeat(32)}…`],
    [{}, ''],
  ] as const)('of %j it is “%s”', ([value, text]) => {
    expect(peekText(value as JsonValue)).toBe(text)
  })

  test('large ones aren’t gone through', () => {
    expect(peekText(Array.from({ length: 100_000 }, (_, at) => at))).toBe('0, 1, 2, 3, 4, 5, 6, 7')
    const reads: string[] = []
    const large = new Proxy(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at])), {
      get: (target, name) => (reads.push(String(name)), Reflect.get(target, name)),
    })
    peekText(large)
    expect(reads.length).toBeLessThanOrEqual(8)
  })
})
