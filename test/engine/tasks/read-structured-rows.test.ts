/** Rows of XML, YAML and HTML: what the whole file would give, wherever the batches end. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { createSeededRandom } from '../../../src-engine/runtime/seeded-random.ts'
import { createParseDataRun } from '../../../src-engine/tasks/data/parse.ts'
import { parseDataSpec } from '../../../src-engine/tasks/data/spec.ts'
import { createTextReader } from '../../../src-engine/tasks/data/text-reader.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'
import { rowFile, rowsOf } from './row-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-rows-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))
const { write, read, all } = rowFile(() => folder)

const parseDataRun = createParseDataRun(createTextReader())

async function parsed(text: string, raw: JsonObject): Promise<JsonValue> {
  const parameters = parseDataSpec.parameters.parse({ text, ...raw })
  return outputOf(await parseDataRun.execute(parameters, taskContext()))
}

describe('XML', () => {
  const shop = `<?xml version="1.0" encoding="utf-8"?>
<!-- > a comment --><shop n:id="1>2" xmlns:n="urn:n">
  <order id="1"><item>a &amp; b</item><item><![CDATA[<c>]]></item></order>
  <n:group><order id="2"><item>ä</item></order><order/></n:group>
  <customer><order>inner <order>innermost</order></order></customer>
</shop>
<!-- behind it -->`
  const orders = [
    { '@id': '1', item: ['a & b', '<c>'] },
    { '@id': '2', item: 'ä' },
    '',
    { '#text': 'inner', order: 'innermost' },
  ]

  test('elements of a name are rows wherever they are, the outermost of them', async () => {
    await write(shop)
    for (const rows of [1, 2, 3, 4, 100])
      expect(rowsOf(await all({ format: 'xml', element: 'order', rows }))).toEqual(orders)
  })

  test('a path narrows them down, and no name is each element in the outermost one', async () => {
    await write(shop)
    expect(rowsOf(await all({ format: 'xml', element: 'group.order' }))).toEqual([])
    expect(rowsOf(await all({ format: 'xml', element: 'n:group.order', rows: 1 }))).toEqual(
      orders.slice(1, 3),
    )
    expect(rowsOf(await all({ format: 'xml', element: 'shop.order' }))).toEqual(orders.slice(0, 1))
    expect((await read({ format: 'xml' })).count).toBe(3)
  })

  test('the last batch knows that it is the last, and lists are lists', async () => {
    await write(shop)
    const batches = await all({
      format: 'xml',
      element: 'order',
      rows: 2,
      lists: ['shop.n:group.order.item'],
    })
    expect(batches.map(({ count, isLast }) => [count, isLast])).toEqual([
      [2, false],
      [2, true],
    ])
    expect(rowsOf(batches)[1]).toEqual({ '@id': '2', item: ['ä'] })
  })

  test('of every size, in batches of every size, they are what the whole text gives', async () => {
    const random = createSeededRandom('xml rows')
    for (let round = 0; round < 30; round += 1) {
      const rows = Array.from({ length: 2 + Math.floor(random.next() * 30) }, (_, id) => {
        const long = 'ä>" '.repeat(Math.floor(random.next() * 4_000 * random.next()))
        return `<r i='${long}${id}'>${random.next() < 0.5 ? `<b>${long}</b><!-- > --><b/>` : long}</r>`
      })
      const text = `\uFEFF<all>${rows.map((row) => `\n<in>${row}</in>`).join('')}</all>`
      await write(text)
      const raw = {
        rows: 1 + Math.floor(random.next() * 8),
        maxBytes: 45_000 + Math.floor(random.next() * 90_000),
      }
      const whole = (await parsed(text, { format: 'xml' })) as { all: { in: readonly { r: JsonValue }[] } }
      const found = await all({ ...raw, format: 'xml', element: 'in.r' })
      expect(rowsOf(found), JSON.stringify(raw)).toEqual(whole.all.in.map(({ r }) => r))
    }
  })

  test('a mistake is told with its line in the file, also in a later batch', async () => {
    await write('<a>\n<b>1</b>\n<b>2</b>\n<b>&nbsp;</b></a>')
    const { next } = await read({ format: 'xml', rows: 1 })
    expect(await thrownBy(() => read({ format: 'xml', from: next }))).toMatchObject({
      code: 'data_invalid',
      message: expect.stringMatching(/line 4: undefined entity/),
    })
    await write('<a>\n<b>1</b>')
    expect(await thrownBy(() => read({ format: 'xml' }))).toMatchObject({
      message: expect.stringMatching(/line 2: unclosed tag: a/),
    })
  })

  test('entities aren’t taken, however they come in', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a><b>&z;</b></a>`
    for (const text of [bomb, '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a><b/></a>']) {
      await write(text)
      expect(await thrownBy(() => read({ format: 'xml' }))).toMatchObject({
        code: 'data_invalid',
        message: expect.stringMatching(/document type/),
      })
    }
  })

  test('what is too large is told before it is in memory, and what fits before it is handed on', async () => {
    const long = 'x'.repeat(300_000)
    const xml = { format: 'xml', maxBytes: 100_000 }
    for (const row of [`<b>${long}</b>`, `<b c="${long}"/>`, `<!-- ${'> '.repeat(100_000)} --><b/>`]) {
      await write(`<a>${row}</a>`)
      expect(await thrownBy(() => read(xml)), row.slice(0, 20)).toMatchObject({
        code: 'task_output_too_large',
      })
      await write(`<a><b>1</b>${row}</a>`)
      const first = await read(xml)
      expect(first).toMatchObject({ rows: ['1'], isLast: false })
      expect(await thrownBy(() => read({ ...xml, from: first.next }))).toMatchObject({
        code: 'task_output_too_large',
      })
    }
    await write(`<a>${`<b c="${'x'.repeat(40_000)}"/>`.repeat(5)}</a>`)
    expect((await all(xml)).map(({ count }) => count)).toEqual([2, 2, 1])
    await write(`${'<a>'.repeat(70)}${'</a>'.repeat(70)}`)
    for (const element of ['', 'b'])
      expect(await thrownBy(() => read({ format: 'xml', element }))).toMatchObject({
        message: expect.stringMatching(/nested more than 64 deep/),
      })
  })

  test('another encoding, and a place that is of no such file', async () => {
    await write('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')
    expect(await thrownBy(() => read({ format: 'xml' }))).toMatchObject({
      code: 'data_invalid',
      message: expect.stringMatching(/ISO-8859-1/),
    })
    await write('<a><b/><b/></a>')
    const { next } = await read({ format: 'xml', rows: 1 })
    for (const open of [['a><c'], ['a', ''], ['<']])
      expect(await thrownBy(() => read({ format: 'xml', from: { ...next, open } }))).toMatchObject({
        code: 'task_input_invalid',
      })
  })
})

describe('YAML', () => {
  const texts = [
    '---\n---\na: 1\n',
    '# nothing\n',
    '',
    '%YAML 1.2\n---\na\n...\n%YAML 1.2\n# again\n---\nb\n...\n# end\n',
    '\uFEFF%YAML 1.2\n---\r\na: ä\r\n--- b\r\n---\r\n',
    'a\n...\nb',
    'a: |\n  text\n   --- no end\n  ---\n\n---\n# only this\n...\n\n',
    '- "a\n  b"\n--- >\nfolded\n--- [1,\n 2]\n',
    'x: &x [1]\ny: *x\n---\ny: 2\n',
  ]

  test('documents are rows, as “Parse data” has them', async () => {
    for (const text of texts) {
      await write(text)
      const whole = await parsed(text, { format: 'yaml', documents: 'all' })
      for (const rows of [1, 2, 100])
        expect(rowsOf(await all({ format: 'yaml', rows })), JSON.stringify(text)).toEqual(whole)
    }
  })

  test('the last batch knows that it is the last', async () => {
    await write('a\n---\nb\n...\n# the end\n\n')
    expect((await all({ format: 'yaml', rows: 1 })).map(({ isLast }) => isLast)).toEqual([false, true])
  })

  test('of every size, in batches of every size', async () => {
    const random = createSeededRandom('yaml rows')
    for (let round = 0; round < 20; round += 1) {
      const values = Array.from({ length: 1 + Math.floor(random.next() * 30) }, (_, id) => ({
        id,
        text: 'ä: #\n- '.repeat(Math.floor(random.next() * 3_000 * random.next())),
      }))
      await write(values.map((value) => `---\n${JSON.stringify(value, null, 1)}\n`).join(''))
      const raw = {
        rows: 1 + Math.floor(random.next() * 8),
        maxBytes: 25_000 + Math.floor(random.next() * 90_000),
      }
      expect(rowsOf(await all({ ...raw, format: 'yaml' })), JSON.stringify(raw)).toEqual(values)
    }
  })

  test('a mistake is told with its line in the file; what repeats without end and what is too large is refused', async () => {
    await write('a: 1\n---\nb: 2\n---\nc: 3\nd: [\n')
    const { next } = await read({ format: 'yaml', rows: 1 })
    expect(await thrownBy(() => read({ format: 'yaml', from: next }))).toMatchObject({
      code: 'data_invalid',
      message: expect.stringMatching(/line 7/),
    })
    await write(`a: &a [x]\nb: [${Array.from({ length: 200 }, () => '*a').join(', ')}]\n`)
    expect(await thrownBy(() => read({ format: 'yaml' }))).toMatchObject({
      message: expect.stringMatching(/anchors/),
    })
    for (const text of [`a: ${'x'.repeat(90_000)}`, `- x\n`.repeat(20_000)]) {
      await write(`first\n---\n${text}`)
      const first = await read({ format: 'yaml', maxBytes: 50_000 })
      expect(first).toMatchObject({ rows: ['first'], isLast: false })
      expect(
        await thrownBy(() => read({ format: 'yaml', maxBytes: 50_000, from: first.next })),
      ).toMatchObject({
        code: 'task_output_too_large',
      })
    }
  })
})

describe('HTML', () => {
  const page = `<!doctype html><table class=orders><thead><tr><th>Id<th>City<th></thead>
<tr><td rowspan=2>1<td>Köln<td>a
<tr><td colspan=2><b>Bonn</b>
  am Rhein
<tr><td>2<td>Ulm<td>b<td>more
<tr><td>3
</table><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>`
  const rows = [
    { Id: '1', City: 'Köln', 'column 3': 'a' },
    { Id: '1', City: 'Bonn am Rhein', 'column 3': 'Bonn am Rhein' },
    { Id: '2', City: 'Ulm', 'column 3': 'b', 'column 4': 'more' },
    { Id: '3', City: null, 'column 3': null },
  ]

  test('rows of a table have the names of its first one, and cells that span are everywhere they are seen', async () => {
    await write(page)
    for (const count of [1, 2, 4, 100])
      expect(rowsOf(await all({ format: 'html', rows: count }))).toEqual(rows)
    const lists = rowsOf(await all({ format: 'html', header: false, rows: 2 }))
    expect(lists.slice(0, 3)).toEqual([
      ['Id', 'City', ''],
      ['1', 'Köln', 'a'],
      ['1', 'Bonn am Rhein', 'Bonn am Rhein'],
    ])
  })

  test('each table has its own, and a selector says which', async () => {
    await write(`${page}<table id=t><tr><td>x<tr><td>1<table><tr><td>y<tr><td>2</table></table>`)
    expect(rowsOf(await all({ format: 'html', each: '#t tr', rows: 1 }))).toEqual([{ x: '1y2' }, { y: '2' }])
    expect(rowsOf(await all({ format: 'html', each: 'table.orders tr:last-child' }))).toEqual(rows.slice(3))
  })

  test('fields are taken as “Parse HTML” takes them, and other elements are their texts', async () => {
    await write(page)
    const fields = { name: 'a', to: 'a@href' }
    expect(rowsOf(await all({ format: 'html', each: 'li', fields, rows: 1 }))).toEqual([
      { name: 'A', to: '/a' },
      { name: 'B', to: '/b' },
    ])
    expect(rowsOf(await all({ format: 'html', each: 'li', rows: 1 }))).toEqual(['A', 'B'])
  })

  test('what can’t be read says why', async () => {
    await write(page)
    expect(await thrownBy(() => read({ format: 'html', each: 'tr[' }))).toMatchObject({
      code: 'task_input_invalid',
    })
    await write('<table><tr><th>a<th>a<tr><td>1</table>')
    expect(await thrownBy(() => read({ format: 'html' }))).toMatchObject({
      code: 'data_invalid',
      message: expect.stringMatching(/two columns .* “a”/),
    })
    await write('<table><tr><th>__proto__<tr><td>1</table>')
    expect(await thrownBy(() => read({ format: 'html' }))).toMatchObject({ code: 'data_invalid' })
    await write(`<table><tr>${'<td colspan=1000>x'.repeat(1_000)}</table>`)
    expect(await thrownBy(() => read({ format: 'html' }))).toMatchObject({
      message: expect.stringMatching(/1000 columns/),
    })
  })

  test('a page is read as a whole, up to its limit, and a batch has its own', async () => {
    await write(`<table>${`<tr><td>${'x'.repeat(600)}`.repeat(4)}</table>`)
    const raw = { format: 'html', header: false, maxBytes: 1_300 }
    expect((await all(raw)).map(({ count }) => count)).toEqual([2, 2])
    await write(`<table><tr><td>${'x'.repeat(2_000)}</table>`)
    expect(await thrownBy(() => read(raw))).toMatchObject({ code: 'task_output_too_large' })
    await writeFile(join(folder, 'a'), Buffer.alloc(10_000_001, 'x'))
    expect(await thrownBy(() => read({ format: 'html' }))).toMatchObject({
      code: 'payload_too_large',
      hint: expect.stringMatching(/XML, CSV or JSON Lines/),
    })
  })
})
