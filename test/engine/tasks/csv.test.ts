/** CSV both ways: what is read, what is refused and where, and what a spreadsheet must not run. */

import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { buildCsvRun } from '../../../src-engine/tasks/build-csv/run.ts'
import { buildCsvSpec } from '../../../src-engine/tasks/build-csv/spec.ts'
import { parseCsvRun } from '../../../src-engine/tasks/parse-csv/run.ts'
import { parseCsvSpec } from '../../../src-engine/tasks/parse-csv/spec.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const read = async (text: string, raw: JsonObject = {}) =>
  outputOf(
    await parseCsvRun.execute(parseCsvSpec.parameters.parse({ text, ...raw }), taskContext()),
  ) as JsonObject
const build = async (rows: JsonValue, raw: JsonObject = {}) => {
  const outcome = await buildCsvRun.execute(buildCsvSpec.parameters.parse({ rows, ...raw }), taskContext())
  return (outputOf(outcome) as { readonly content: string }).content
}

describe('parse', () => {
  test.for<[string, string, JsonObject, unknown]>([
    ['names and types', 'a,b,c\n1,x,true\n', {}, [{ a: 1, b: 'x', c: true }]],
    ['a byte order mark', '\uFEFFa\n1', {}, [{ a: 1 }]],
    ['quotes keep texts texts', 'a\n"1"', {}, [{ a: '1' }]],
    [
      'numbers that are none',
      'a,b,c\n007,12345678901234567890,1e999',
      {},
      [{ a: '007', b: '12345678901234567890', c: '1e999' }],
    ],
    ['values as text', 'a\n1', { values: 'text' }, [{ a: '1' }]],
    ['without names', '1;2', { header: false, delimiter: ';' }, [[1, 2]]],
    ['tabs', 'a\tb\n1\t2', { delimiter: '\\t' }, [{ a: 1, b: 2 }]],
    ['quoted separators and line breaks', 'a,b\n"x, ""y""\nz",2', {}, [{ a: 'x, "y"\nz', b: 2 }]],
    ['spaces are trimmed', 'a , b\n 1 , x ', {}, [{ a: 1, b: 'x' }]],
    ['spaces are kept', 'a\n x ', { trim: false }, [{ a: ' x ' }]],
    ['empty lines are skipped', 'a\n\n1\n\n', {}, [{ a: 1 }]],
    ['short rows', 'a,b\n1', { relaxColumns: true }, [{ a: 1 }]],
    ['another quote', "a\n'x,y'", { quote: "'" }, [{ a: 'x,y' }]],
    ['no quotes', 'a\n"x', { quote: '' }, [{ a: '"x' }]],
    ['a column without a name', 'a,\n1,2', {}, [{ a: 1, 'column 2': 2 }]],
    ['nothing', '', {}, []],
  ])('%s', async ([, text, raw, rows]) => {
    const output = await read(text, raw)
    expect(output['rows']).toEqual(rows)
    expect(output['count']).toBe((rows as unknown[]).length)
  })

  test('the columns are told', async () => {
    expect(await read('a,b\n1,2')).toMatchObject({ columns: ['a', 'b'] })
  })

  test.for<[string, JsonObject, number | undefined]>([
    ['a,b\n1,2\n3', {}, 3],
    ['a,b\n1,2,3', {}, 2],
    ['a\n"open', {}, 2],
    ['a,a\n1,2', {}, 1],
    ['a,__proto__\n1,2', {}, 1],
    ['constructor\n1', {}, 1],
    ['a\n1\n2\n3', { maxRows: 2 }, undefined],
  ])('%o is refused and says where', async ([text, raw, line]) => {
    const failure = await thrownBy(() => read(text, raw))
    expect(failure).toMatchObject({ code: 'csv_invalid', retryable: false })
    if (line !== undefined) {
      expect(failure).toMatchObject({
        details: { line },
        message: expect.stringMatching(/line 1|Line \d|line \d/i),
      })
    }
  })
})

describe('build', () => {
  test.for<[string, JsonValue, JsonObject, string]>([
    ['columns in the order they occur', [{ a: 1 }, { b: 'x', a: null }], {}, 'a,b\n1,\n,x\n'],
    ['chosen columns', [{ a: 1, b: 2 }], { columns: ['b', 'c'] }, 'b,c\n2,\n'],
    [
      'lists',
      [
        [1, 2],
        [3, 4],
      ],
      {},
      '1,2\n3,4\n',
    ],
    ['a single match', { a: 1 }, {}, 'a\n1\n'],
    ['nothing', null, {}, ''],
    ['one row of values', ['x', 2], {}, 'x,2\n'],
    ['without names', [{ a: 1 }], { header: false }, '1\n'],
    ['quotes where needed', [{ a: 'x,"y"' }], {}, 'a\n"x,""y"""\n'],
    ['quotes everywhere', [{ a: 1 }], { quoteAll: true }, '"a"\n"1"\n'],
    ['Windows', [{ a: 1 }], { lineEnd: 'crlf', delimiter: ';' }, 'a\r\n1\r\n'],
    ['what is not a text', [{ a: { x: [1] }, b: false }], {}, 'a,b\n"{""x"":[1]}",false\n'],
  ])('%s', async ([, rows, raw, expected]) => {
    expect(await build(rows, raw)).toBe(expected)
  })

  test('a mixture is refused', async () => {
    expect(await thrownBy(() => build([{ a: 1 }, 'x']))).toMatchObject({ code: 'task_input_invalid' })
  })

  test.for([
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '=cmd|"/c calc"!A0',
    '=HYPERLINK("http://x","y")',
    '＝1+1',
    '\n=1',
    '-2-3',
    '+cmd',
    '＋1+1',
    '－1+1',
    '＠SUM(A1)',
    '\u00a0=1',
    '\u200b=1',
    '\u2060@x',
    '\ufeff=1',
    '\u0000=1',
    '\u001e=1',
    '\v=1',
    '\f+1',
    '\u2028=1',
    '\t\t=1',
    '=1\n=2',
    '-1e5',
    '- 1',
    '=',
    '-',
    '@',
    '+1-cmd',
    '=IMPORTXML("http://x";"//a")',
  ])('%o is not run by a spreadsheet', async (text) => {
    const content = await build([{ a: text }])
    expect(parse(content, { relax_quotes: false })[1]).toEqual([`'${text}`])
    expect(content).toMatch(/^a\n"/)
  })

  test.for(['a;=1', 'a;b;@x', 'a\t=1', 'a|=cmd', ';=1', 'a,=1', 'x\t+1'])(
    '%o stays one cell where another character separates',
    async (text) => {
      for (const delimiter of [',', ';', '\\t', '|']) {
        const [, line = ''] = (await build([{ a: text, b: 'x' }], { delimiter })).split('\n')
        expect(line).toBe(`"${text}"${delimiter === '\\t' ? '\t' : delimiter}x`)
      }
    },
  )

  test('a name of a column is guarded too', async () => {
    expect(await build([{ '=x': 1 }])).toBe('"\'=x"\n1\n')
  })

  test.for<[JsonValue, string]>([
    [-5, '-5'],
    ['-5', '-5'],
    ['+31', '+31'],
    ['-0,5', '"-0,5"'],
    ['a=b', 'a=b'],
  ])('%o is harmless and stays as it is', async ([value, expected]) => {
    expect(await build([{ a: value }])).toBe(`a\n${expected}\n`)
  })

  test('the guard can be turned off', async () => {
    expect(await build([{ a: '=1' }], { guardFormulas: false })).toBe('a\n=1\n')
  })

  test('what was built is read again as it was', async () => {
    const cell = fc
      .string({ unit: 'grapheme' })
      .filter((text) => text.trim() === text && !/^['=+\-@＝＋－＠]/.test(text))
    const table = fc.array(
      fc.record({ a: cell, b: cell }).filter(({ a, b }) => a + b !== ''),
      { minLength: 1, maxLength: 8 },
    )
    const roundTrip = fc.asyncProperty(table, async (rows) => {
      const content = await build(rows, { quoteAll: true })
      expect((await read(content, { values: 'text' }))['rows']).toEqual(rows)
    })
    await fc.assert(roundTrip, { numRuns: 200 })
  })
})
