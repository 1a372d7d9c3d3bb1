/** Results that are held back, from the terminal: real processes, real scans, real files. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmithGiven } from './sagasmith.ts'

const environment = { OUTPUT_POLICY_ENABLED: 'true' }

test('rules are set, a result is held back, looked at, released, and its run goes on', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const sagasmith = (...args: readonly string[]) => sagasmithGiven(data, args, { environment })
  const rules = join(folder, 'rules.json')
  const write = (pattern: string): void => {
    const match = { nodes: ['a'], contentPatterns: [pattern] }
    const all = { id: 'all', decision: 'quarantine', match: { nodes: ['a'], outputSizeGt: 1 } }
    // The second rule has the first one looked into before the result is handed on.
    const document = { rules: [{ id: 'plain', decision: 'allow', match }, all] }
    writeFileSync(rules, JSON.stringify(document))
  }
  write('(a+)+')
  expect(await sagasmith('output-policy', 'set', rules)).toMatchObject({
    code: 1,
    lines: [{ error: { code: 'output_policy_invalid' } }],
  })
  write('harmless')
  expect(await sagasmith('output-policy', 'set', rules, '--by', 'ada')).toMatchObject({
    code: 0,
    lines: [{ type: 'output-policy', enabled: true, isDefault: false, changed: { by: 'ada' } }],
  })
  const tried = await sagasmith('output-policy', 'test', '"some text"', '--node', 'a')
  expect(tried.lines).toMatchObject([{ decision: 'quarantine', rule: 'all', phase: 'metadata' }])

  const file = join(folder, 'w.json')
  const transform = (expression: string) => ({ kind: 'transform', parameters: { expression } })
  const edges = { e: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } } }
  const nodes = { a: transform('input.text'), b: transform('input & "!"') }
  const document = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W', nodes, edges }
  writeFileSync(file, JSON.stringify(document))
  const passes = await sagasmith('run', file, '--input', '{"text":"harmless"}')
  expect(passes.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED' })
  const failed = await sagasmith('run', file, '--input', '{"text":"dangerous"}')
  expect(failed.lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'FAILED' })

  const { lines: held } = await sagasmith('quarantine', 'list')
  expect(held).toMatchObject([{ type: 'quarantine', nodeId: 'a', rule: 'all', runStatus: 'FAILED' }])
  const [step = '', run = ''] = [held[0]?.['invocationId'], held[0]?.['runId']] as readonly string[]
  expect((await sagasmith('quarantine', 'show', step)).lines).toMatchObject([{ content: null }])
  expect((await sagasmith('quarantine', 'show', step, '--content')).lines).toMatchObject([
    { content: '"dangerous"' },
  ])
  const released = await sagasmith(
    'quarantine',
    'release',
    step,
    '--go-on',
    '--by',
    'ada',
    '--reason',
    'known',
  )
  expect(released).toMatchObject({ code: 0, lines: [{ type: 'quarantine.released', invocationId: step }] })
  expect((await sagasmith('runs', 'wait', run)).lines.at(-1)).toMatchObject({ status: 'SUCCEEDED' })
  expect((await sagasmith('quarantine', 'list')).lines).toEqual([])
  expect(await sagasmith('quarantine', 'discard', step)).toMatchObject({
    code: 1,
    lines: [{ error: { code: 'output_not_held' } }],
  })
})
