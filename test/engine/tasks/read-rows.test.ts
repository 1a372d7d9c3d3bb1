/** Rows of a file, batch by batch: all of them once, wherever the batches end, and none of a file that changed. */

import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineWorkflow, openInProcessSagasmith } from '../../../src-engine/index.ts'
import { createSeededRandom } from '../../../src-engine/runtime/seeded-random.ts'
import { thrownBy } from '../../support/task-context.ts'
import { rowFile, rowsOf } from './row-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-rows-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const { write: file, read, all } = rowFile(() => folder)

describe('all rows come once', () => {
  test('of CSV, with the names of the first row, whatever stands between quotes', async () => {
    await file('\uFEFFid,text\r\n1,"two\nlines, ""quoted"""\r\n\r\n2,ä\r\n3,last')
    const batches = await all({ rows: 2 })
    expect(batches.map(({ count, isLast }) => [count, isLast])).toEqual([
      [2, false],
      [1, true],
    ])
    expect(rowsOf(batches)).toEqual([
      { id: 1, text: 'two\nlines, "quoted"' },
      { id: 2, text: 'ä' },
      { id: 3, text: 'last' },
    ])
  })

  test('of CSV without names, of lines and of JSON Lines', async () => {
    await file('a;1\nb;2\n')
    expect(rowsOf(await all({ rows: 1, header: false, delimiter: ';' }))).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(rowsOf(await all({ rows: 1, format: 'lines' }))).toEqual(['a;1', 'b;2'])
    await file('{"a":1}\n\n[2]\n"x"')
    expect(rowsOf(await all({ rows: 2, format: 'jsonl' }))).toEqual([{ a: 1 }, [2], 'x'])
  })

  test('of files of every size, in batches of every size', async () => {
    const random = createSeededRandom('rows')
    for (let round = 0; round < 40; round += 1) {
      const count = Math.floor(random.next() * 40)
      const rows = Array.from({ length: count }, (_, id) => ({
        id,
        text: 'x"\n,ä'.repeat(Math.floor(random.next() * 3_000 * random.next())),
      }))
      const end = random.next() < 0.5 ? '\r\n' : '\n'
      const lines = rows.map(({ id, text }) => `${id},"${text.replaceAll('"', '""')}"`)
      await file(['id,text', ...lines].join(end) + (random.next() < 0.5 ? end : ''))
      const raw = {
        rows: 1 + Math.floor(random.next() * 12),
        maxBytes: 20_000 + Math.floor(random.next() * 90_000),
      }
      expect(rowsOf(await all({ ...raw, values: 'auto' })), JSON.stringify(raw)).toEqual(rows)
    }
  })

  test('none is none, and it is the last', async () => {
    for (const text of ['', 'id,text\n', '\n\n']) {
      await file(text)
      expect(await read()).toEqual({ rows: [], count: 0, next: null, isLast: true })
    }
  })
})

test('a loop takes a file to a map, batch by batch', async () => {
  await file(`id\n${Array.from({ length: 25 }, (_, id) => `${id}\n`).join('')}`)
  const sagasmith = await openInProcessSagasmith({ folder })
  const goesOn = '{ "next": nodes.read.output.next, "isLast": nodes.read.output.isLast, '
  const sums = '"sums": $append(loop.value.sums, $sum(input)) }'
  const run = await sagasmith.run(
    defineWorkflow({
      id: 'rows',
      nodes: {
        all: { kind: 'loop', parameters: { mode: 'until', condition: 'loop.value.isLast', max: 10_000 } },
        read: {
          kind: 'read-rows',
          parent: 'all',
          parameters: { path: 'a', rows: 10, from: 'loop.value.next' },
        },
        each: { kind: 'map', parent: 'all', parameters: { items: 'input.rows' } },
        twice: { kind: 'transform', parent: 'each', parameters: { expression: 'item.id * 2' } },
        on: { kind: 'transform', parent: 'all', parameters: { expression: `${goesOn}${sums}` } },
      },
      edges: [
        ['read', 'each'],
        ['each', 'on'],
      ],
    }),
    {},
    { baseDirectory: folder },
  )
  const { status, output } = await run.result()
  await sagasmith.close()
  expect({ status, output }).toEqual({
    status: 'SUCCEEDED',
    output: { next: null, isLast: true, sums: [90, 290, 220] },
  })
})

describe('what goes wrong is told', () => {
  test('in the line of the file where it is', async () => {
    await file('id,text\n1,a\n2,b\n3,c,too much\n')
    const first = await read({ rows: 2 })
    expect(await thrownBy(() => read({ rows: 2, from: first.next }))).toMatchObject({
      code: 'csv_invalid',
      message: expect.stringMatching(/^Line 4:/),
      details: { line: 4 },
    })
    await file('1\nno\n')
    expect(await thrownBy(() => read({ format: 'jsonl' }))).toMatchObject({ code: 'data_invalid' })
  })

  test('a file that was changed has no such place any more', async () => {
    await file('id\n1\n2\n')
    const { next } = await read({ rows: 1 })
    await appendFile(join(folder, 'a'), '3\n')
    expect(await thrownBy(() => read({ from: next }))).toMatchObject({
      code: 'task_failed',
      retryable: false,
    })
  })

  test('a row that is longer than a batch, and a place that is none', async () => {
    await file(`id\n"${'x'.repeat(200_000)}`)
    expect(await thrownBy(() => read({ maxBytes: 1_000 }))).toMatchObject({ code: 'task_output_too_large' })
    expect(await thrownBy(() => read({ from: 7 }))).toMatchObject({ code: 'task_input_invalid' })
    expect(await thrownBy(() => read({ path: 'missing' }))).toMatchObject({ code: 'file_not_found' })
    expect(await thrownBy(() => read({ path: '.' }))).toMatchObject({ code: 'file_not_accessible' })
  })
})
