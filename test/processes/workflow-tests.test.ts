/** `sagasmith test`: a run becomes a test beside its workflow, which fails once the workflow does something else. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmith } from './sagasmith.ts'

test('a run is kept as a test, passes, fails on a change, and is brought up to date', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'sum.json')
  const put = (expression: string): void => {
    const nodes = {
      sum: { kind: 'transform', parameters: { expression } },
      note: { kind: 'write-file', parameters: { path: './note.txt', content: '{{ input.total }}' } },
    }
    const edges = { e: { from: { node: 'sum', port: 'out' }, to: { node: 'note', port: 'in' } } }
    const head = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'sum', title: 'Sum' }
    writeFileSync(path, JSON.stringify({ ...head, nodes, edges }))
  }
  put('{ "total": $sum(input.rows) }')
  const data = join(folder, 'd')
  const call = (...args: readonly string[]) => sagasmith(data, 'test', path, ...args)

  expect(await call()).toMatchObject({ code: 2, lines: [{ type: 'error', error: { code: 'bad_request' } }] })
  const ran = await sagasmith(data, 'run', path, '--input', '{"rows":[1,2,3]}')
  const runId = ran.lines.map((line) => line['runId']).find((id) => typeof id === 'string')
  const file = join(folder, 'sum.tests.json')
  expect(await call('--record', String(runId), '--name', 'one to three')).toMatchObject({
    code: 0,
    lines: [{ type: 'test.recorded', name: 'one to three', file, kept: true, differences: [] }],
  })
  expect(readdirSync(folder).sort()).toEqual(['d', 'note.txt', 'sum.json', 'sum.tests.json'])
  expect(await call()).toMatchObject({
    code: 0,
    lines: [
      { name: 'one to three', isPassed: true },
      { type: 'tests', passed: 1, failed: 0 },
    ],
  })

  put('{ "total": $max(input.rows) + 1 }')
  expect(await call()).toMatchObject({
    code: 1,
    lines: [
      {
        isPassed: false,
        differences: [{ step: 'sum', what: 'output', expected: '{"total":6}', came: '{"total":4}' }],
      },
      { type: 'tests', passed: 0, failed: 1 },
    ],
  })
  expect(await call('--update')).toMatchObject({ code: 0, lines: [{ updated: true }] })
  expect(await call('--list')).toMatchObject({ code: 0, lines: [{ status: 'SUCCEEDED', steps: 2 }] })
  expect((await call()).code).toBe(0)
  expect((await call('--remove', '--name', 'one to three')).code).toBe(0)
  expect(existsSync(file)).toBe(true)
  expect((await call('--name', 'one to three')).code).toBe(2)
})
