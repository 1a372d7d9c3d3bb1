/** Looking for a mistake from the terminal: stop, step, go on, fork from an instant, try one step. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { bound } from './runner-processes.ts'
import { sagasmith } from './sagasmith.ts'

const transform = (expression: string) => ({ kind: 'transform', parameters: { expression } })
const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

function idIn(line: JsonObject | undefined, name: string): string {
  const id = line?.[name]
  if (typeof id !== 'string') throw new Error('no id was told')
  return id
}

function put(folder: string, last: string): string {
  const path = join(folder, 'sum.json')
  const nodes = { a: transform('input.n + 1'), b: transform('input * 10'), c: transform(last) }
  const edges = { ab: edge('a', 'b'), bc: edge('b', 'c') }
  const head = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'sum', title: 'Sum' }
  writeFileSync(path, JSON.stringify({ ...head, nodes, edges }))
  return path
}

test('a run is forked with another input and on an edited file, and one step is tried alone', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const call = (...args: readonly string[]) => sagasmith(data, ...args)
  const path = put(folder, 'input + 3')
  const trial = await call('run', path, '--until', 'b', '--input', '{"n":1}')
  expect(trial.lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED', output: 20 })
  const ran = await call('run', path, '--input', '{"n":1}')
  const id = idIn(ran.lines.at(-1), 'runId')

  const forked = await call('runs', 'fork', id, '--from', 'b', '--input', '100')
  expect(forked.lines[0]).toMatchObject({ type: 'run.fork', of: id, again: ['b'], taken: ['a'] })
  expect(forked.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED', output: 1003 })

  const compared = await call('runs', 'compare', id, idIn(forked.lines.at(-1), 'runId'))
  expect(compared.lines[0]).toMatchObject({ type: 'comparison', divergence: { kind: 'value', nodeId: 'b' } })
  expect(compared.lines.find((line) => line['nodeId'] === 'c')).toMatchObject({
    output: [{ path: [], before: 23, after: 1003 }],
  })

  const traced = await call('runs', 'trace', id, 'c', 'output')
  expect(traced.lines.at(-1)).toMatchObject({ type: 'hop', text: 'run.input.n', value: 1, how: 'run-input' })

  put(folder, 'input + 5000')
  const only = await call('runs', 'fork', id, '--file', path, '--until', 'c', '--only')
  expect(only.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED', output: 5020 })

  const wrong = await call('run', path, '--break', 'z')
  expect(wrong).toMatchObject({ code: 2, lines: [{ type: 'error', error: { code: 'bad_request' } }] })
  const unread = await call('runs', 'break', id, 'a=1 +')
  expect(unread.lines).toMatchObject([{ error: { code: 'expression_invalid' } }])
})

test('a run stops at breakpoints, goes on by a step, and altogether', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const call = (...args: readonly string[]) => sagasmith(data, ...args)
  const path = put(folder, 'input + 3')
  const run = call('run', path, '--input', '{"n":1}', '--break', 'b=input > 1', '--break', 'c')
  const listed = async () => (await call('runs', 'list')).lines[0]
  await expect.poll(async () => (await listed())?.['status'], bound).toBe('PAUSED')
  const id = idIn(await listed(), 'id')
  expect((await call('runs', 'why', id)).lines[0]).toMatchObject({ code: 'breakpoint', nodeId: 'b' })
  expect((await call('runs', 'step', id)).lines[0]).toMatchObject({ type: 'run.step', status: 'PAUSED' })
  expect((await call('runs', 'why', id)).lines[0]).toMatchObject({ code: 'breakpoint', nodeId: 'c' })
  expect((await call('runs', 'resume', id)).code).toBe(0)
  expect((await run).lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED', output: 23 })
})
