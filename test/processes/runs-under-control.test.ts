/** Steering runs from the terminal: real programs that stand still, dead letters that run again. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { bound } from './runner-processes.ts'
import { ended, endOf, linesOf, startProgram, textOf } from './sagasmith.ts'

async function sagasmith(...args: readonly string[]) {
  const { code, out } = await ended([...args, '--json'])
  return { code, lines: linesOf(out) }
}

function workflow(folder: string, script: string): string {
  const path = join(folder, 'workflow.json')
  const a = { kind: 'shell-command', parameters: { program: 'sh', arguments: ['-c', script] } }
  const document = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'w',
    title: 'Test',
    nodes: { a, b: { kind: 'noop' } },
    edges: { e: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } } },
  }
  writeFileSync(path, JSON.stringify(document))
  return path
}

test('a paused program stands still until the run goes on', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const go = join(folder, 'go')
  const begun = join(folder, 'begun')
  const script = `touch '${begun}'; while [ ! -e '${go}' ]; do sleep 0.05; done; echo done`
  const end = endOf(startProgram(['run', workflow(folder, script), '--json', '--data', data]))
  await expect.poll(() => existsSync(begun), bound).toBe(true)
  const [listed] = (await sagasmith('runs', 'list', '--data', data)).lines
  const id = textOf(listed, 'id')
  const steer = (action: string, ...more: readonly string[]) =>
    sagasmith('runs', action, id, ...more, '--data', data)
  const paused = await steer('pause', '--reason', 'lunch')
  expect(paused).toMatchObject({ code: 0, lines: [{ type: 'run.pause', status: 'PAUSED' }] })
  expect(paused.lines[0]?.['inEffectAt']).toEqual(expect.any(Number))
  expect(await steer('pause')).toMatchObject({ code: 0, lines: [{ status: 'PAUSED' }] })
  writeFileSync(go, '')
  expect(await steer('resume')).toMatchObject({ code: 0, lines: [{ type: 'run.resume' }] })
  const { code, out } = await end
  expect(code).toBe(0)
  const lines = linesOf(out)
  const moves = lines
    .filter(({ type }) => type === 'invocation.changed')
    .map((line) => (line['body'] as { readonly to: string }).to)
  expect(moves.join(' ')).toContain('PAUSED RESUMED SUCCESS')
  expect(lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED' })
  expect(await steer('resume')).toMatchObject({ code: 1, lines: [{ error: { code: 'run_already_final' } }] })
})

test('a dead letter runs again, with another input', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const failed = await sagasmith(
    'run',
    workflow(folder, 'exit {{ input.code }}'),
    '--input',
    '{"code":3}',
    '--data',
    data,
  )
  expect(failed.lines.at(-1)).toMatchObject({ status: 'FAILED' })
  const listed = await sagasmith('dlq', 'list', '--data', data)
  expect(listed.lines).toMatchObject([{ reason: 'command_exit', nodeId: 'a', lastStatus: 'RUNNING' }])
  const letter = textOf(listed.lines[0], 'id')
  const { out } = await ended(['dlq', 'list', '--data', data])
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/^LETTER +ENDED +WORKFLOW +WHAT HAPPENED$/),
    expect.stringMatching(new RegExp(`^${letter}  \\d{4}-.* w +\\S`)),
    '',
  ])
  const replayed = await sagasmith('dlq', 'replay', letter, '--input', '{"code":0}', '--data', data)
  const id = textOf(replayed.lines[0], 'runId')
  const waited = await sagasmith('runs', 'wait', id, '--data', data)
  expect(waited.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED' })
  expect((await sagasmith('dlq', 'list', '--data', data)).lines).toEqual([])
  const gone = await sagasmith('dlq', 'discard', letter, '--data', data)
  expect(gone).toMatchObject({ code: 1, lines: [{ error: { code: 'dead_letter_not_found' } }] })
})

test('a failed run goes on, with the other version of a file, and from a step with another input', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const file = workflow(folder, 'exit {{ input.code }}')
  const again = (...more: readonly string[]) => sagasmith('runs', 'retry', id, ...more, '--data', data)
  const failed = await sagasmith('run', file, '--input', '{"code":3}', '--data', data)
  const id = textOf(failed.lines.at(-1), 'runId')
  const second = await again()
  expect(second.lines[0]).toMatchObject({ type: 'run.retry', generation: 1, again: ['a'] })
  expect(second).toMatchObject({ code: 1 })
  expect(second.lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'FAILED' })
  const third = await again('--from', 'a', '--input', '{"code":0}')
  expect(third.lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED' })
  expect(third.code).toBe(0)
  const other = await sagasmith('run', file, '--input', '{"code":3}', '--data', data)
  const mended = workflow(folder, 'exit 0')
  const go = ['runs', 'retry', textOf(other.lines.at(-1), 'runId'), '--file', mended, '--data', data]
  expect((await sagasmith(...go)).lines.at(-1)).toMatchObject({ status: 'SUCCEEDED' })
})

test('many runs take one wish, which is told before it is done', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const file = workflow(folder, 'exit {{ input.code }}')
  for (const code of [3, 0, 3]) await sagasmith('run', file, '--input', `{"code":${code}}`, '--data', data)
  const wish = (...more: readonly string[]) =>
    sagasmith('runs', 'retry', '--workflow', 'w', '--since', '1h', ...more, '--data', data)
  const told = await wish()
  expect(told.lines.at(-1)).toMatchObject({ type: 'runs.bulk', dryRun: true, matched: 2, refused: 0 })
  const done = await wish('--yes')
  expect(done.lines.at(-1)).toMatchObject({ dryRun: false, matched: 2, refused: 0 })
  const { lines } = await sagasmith('runs', 'list', '--data', data)
  const generations = lines.map((line) => line['generation'])
  expect(generations).toEqual([1, 0, 1])
  const again = ['runs', 'rerun', '--status', 'SUCCEEDED', '--newest', '--yes', '--data', data]
  const rerun = await sagasmith(...again)
  expect(rerun.lines).toMatchObject([
    { type: 'run.rerun', startedRunId: expect.any(String), error: null },
    { type: 'runs.bulk', action: 'rerun', dryRun: false, matched: 1, refused: 0 },
  ])
})

test('a dry run keeps nothing, touches nothing, and says what it mocked', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const touched = join(folder, 'touched')
  const { code, lines } = await sagasmith(
    'run',
    workflow(folder, `touch '${touched}'`),
    '--dry-run',
    '--data',
    data,
  )
  expect(code).toBe(0)
  expect(lines.find(({ type }) => type === 'run.finished')).toMatchObject({ status: 'SUCCEEDED' })
  expect(lines.find(({ type }) => type === 'step.mocked')).toMatchObject({
    nodeId: 'a',
    kind: 'shell-command',
    source: 'kind',
  })
  expect(lines.at(-1)).toEqual({ type: 'dry-run', mocked: 1 })
  expect([touched, data].filter((path) => existsSync(path))).toEqual([])
})

test('a run that was left goes on by its id', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const ended = await sagasmith('run', workflow(folder, 'exit 0'), '--data', data)
  const id = textOf(ended.lines.at(-1), 'runId')
  const resumed = await sagasmith('run', '--resume', id, '--data', data)
  expect(resumed).toMatchObject({ code: 0, lines: [{ type: 'run.finished', status: 'SUCCEEDED' }] })
  expect((await sagasmith('run', '--data', data)).code).toBe(2)
})
