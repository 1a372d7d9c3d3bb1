/** The log of all runs from the terminal: found by words, urgency and pasted lines, and followed. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { commandLine } from '../support/program.ts'
import { sagasmith } from './sagasmith.ts'

const cli = await commandLine()

function workflow(folder: string): string {
  const path = join(folder, 'workflow.json')
  const document = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'wf_ship',
    title: 'Ship it',
    nodes: {
      pack: { kind: 'log', parameters: { message: 'Packed three boxes.' } },
      label: { kind: 'log', parameters: { message: 'The printer is slow.', level: 'warn' } },
    },
    edges: { e: { from: { node: 'pack', port: 'out' }, to: { node: 'label', port: 'in' } } },
  }
  writeFileSync(path, JSON.stringify(document))
  return path
}

const textsOf = (lines: readonly { readonly type: string }[]) =>
  lines.filter(({ type }) => type === 'log').map((line) => (line as unknown as { text: string }).text)

test('entries are listed with the newest last, narrowed, and by what a pasted line names', async () => {
  const data = temporaryFolder()
  const file = workflow(data)
  const { lines: told } = await sagasmith(data, 'run', file)
  const { runId: run } = told.find(({ type }) => type === 'run.created') as unknown as { runId: string }
  await sagasmith(data, 'run', file)
  const all = await sagasmith(data, 'logs')
  expect(all.code).toBe(0)
  const texts = textsOf(all.lines)
  expect(texts[0]).toContain('Run of “Ship it” created')
  expect(texts.at(-1)).toBe('Run succeeded')
  expect(all.lines.at(-1)).toMatchObject({ type: 'log.page', next: null })
  const printed = await sagasmith(data, 'logs', 'BOXES', '--source', 'lines')
  expect(textsOf(printed.lines)).toEqual(['Packed three boxes.', 'Packed three boxes.'])
  const warned = await sagasmith(data, 'logs', '--level', 'warn', '--run', run)
  expect(textsOf(warned.lines)).toEqual(['The printer is slow.'])
  const pasted = await sagasmith(
    data,
    'logs',
    `{"msg":"x","invocation_id":"${run}/pack"}`,
    '--source',
    'lines',
  )
  expect(pasted.lines.filter(({ type }) => type === 'log')).toMatchObject([
    { text: 'Packed three boxes.', runId: run, nodeId: 'pack', stream: 'task' },
  ])
  expect(textsOf((await sagasmith(data, 'logs', '--until', '2020-01-01')).lines)).toEqual([])
  expect((await sagasmith(data, 'logs', '--level', 'loud')).code).toBe(2)
})

test('it goes on with what comes, until it is told to stop', async () => {
  const data = temporaryFolder()
  const file = workflow(data)
  await sagasmith(data, 'run', file)
  const follower = spawn(process.execPath, [cli, 'logs', 'boxes', '--follow', '--json', '--data', data])
  onTestFinished(() => void follower.kill('SIGKILL'))
  const lines = createInterface({ input: follower.stdout })[Symbol.asyncIterator]()
  expect(JSON.parse((await lines.next()).value ?? '')).toMatchObject({ text: 'Packed three boxes.' })
  await sagasmith(data, 'run', file)
  expect(JSON.parse((await lines.next()).value ?? '')).toMatchObject({ text: 'Packed three boxes.' })
  const exited = once(follower, 'exit')
  follower.kill('SIGINT')
  expect(await exited).toEqual([0, null])
})
