/** The command line as people and scripts call it: what runs and serves as real processes; real files, exit codes. */

import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { createGate } from './gate.ts'
import { ended, endOf, linesOf, startProgram, textOf } from './sagasmith.ts'

const root = resolve(import.meta.dirname, '../..')

const sagasmith = (...args: readonly string[]) => ended(args)
/** As a process of its own. */
const program = (...args: readonly string[]) => endOf(startProgram(args))

/** Resolves when what a process prints matches. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  return new Promise((settle) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const match = pattern.exec(text)
      if (match !== null) settle(match[1] ?? match[0])
    })
  })
}

interface Nodes {
  readonly [id: string]: object
}

function workflow(folder: string, nodes: Nodes, edges: readonly (readonly [string, string])[] = []): string {
  const path = join(folder, 'workflow.json')
  const wires = edges.map(([from, to], index) => [
    `e${index}`,
    { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } },
  ])
  const document = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'w',
    title: 'Test',
    nodes,
    edges: Object.fromEntries(wires),
  }
  writeFileSync(path, JSON.stringify(document))
  return path
}

const sleeping = (sleepMs: number) => ({ kind: 'debug', title: 'Nap', parameters: { sleepMs } })

test.for([
  ['orders', 'SUCCEEDED', 0, 'orders-report.json'],
  ['log-summary', 'SUCCEEDED', 0, 'log-summary.md'],
  ['order-saga', 'COMPENSATED', 1, null],
] as const)('the sample %s ends %s', async ([name, status, code, file]) => {
  const folder = temporaryFolder()
  cpSync(join(root, 'resources/samples', `${name}.json`), join(folder, `${name}.json`))
  cpSync(join(root, 'resources/samples/data'), join(folder, 'data'), { recursive: true })
  const run = await sagasmith('run', join(folder, `${name}.json`), '--data', join(folder, 'd'), '--json')
  expect(run.err).toBe('')
  expect(run.code).toBe(code)
  const lines = linesOf(run.out)
  expect(lines[0]).toMatchObject({ type: 'run.created' })
  expect(lines.at(-1)).toMatchObject({ type: 'run.finished', status, runId: expect.any(String) })
  expect(Object.keys(lines.at(-1) ?? {})).toEqual(['type', 'runId', 'status', 'output', 'error'])
  const seqs = lines.slice(0, -1).map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  if (file !== null) expect(existsSync(join(folder, 'out', file))).toBe(true)
})

test('a run takes its input from the command line or from a file, and says what it gave', async () => {
  const folder = temporaryFolder()
  const path = workflow(folder, {
    a: { kind: 'transform', title: 'Greet', parameters: { expression: '"Hi " & run.input.name' } },
  })
  const data = join(folder, 'd')
  const inline = await program('run', path, '--data', data, '--input', '{"name":"Ada"}')
  expect(inline).toMatchObject({
    code: 0,
    out: expect.stringMatching(/✓ Greet[\s\S]*SUCCEEDED[\s\S]*"Hi Ada"/),
  })
  writeFileSync(join(folder, 'input.json'), '{"name":"Grace"}')
  const fromFile = await sagasmith(
    'run',
    path,
    '--data',
    data,
    '--json',
    '--input',
    `@${join(folder, 'input.json')}`,
  )
  expect(linesOf(fromFile.out).at(-1)).toMatchObject({ output: 'Hi Grace' })
})

test.for([
  ['a truncated file', '{\n  "format": "sagasmith.workflow", "nodes": {', /line 2, column \d+/],
  ['a file that is no workflow', '{"hello": 1}', /not a workflow file/],
  ['an unknown kind', { a: { kind: 'teleport' } }, /teleport/],
  ['a wrong type', { a: { kind: 'debug', parameters: { sleepMs: 'long' } } }, /Sleep|sleepMs/i],
] as const)('%s is refused with its own message and left alone', async ([, content, message]) => {
  const folder = temporaryFolder()
  const path = typeof content === 'string' ? join(folder, 'broken.json') : workflow(folder, content)
  if (typeof content === 'string') writeFileSync(path, content)
  const before = readFileSync(path, 'utf8')
  for (const command of ['run', 'validate']) {
    const args = [command, path, '--data', join(folder, 'd')]
    const words = await sagasmith(...args)
    expect(words).toMatchObject({ code: 2, err: expect.stringMatching(message) })
    expect(words.err).not.toMatch(/\n\s+at /)
    const lines = await sagasmith(...args, '--json')
    expect(lines).toMatchObject({ code: 2, err: '' })
    expect(linesOf(lines.out).map((line) => line.type)).toEqual(
      expect.arrayContaining([expect.stringMatching(/problem|error/)]),
    )
  }
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(existsSync(join(folder, 'd'))).toBe(false)
})

test('validate --saga says which effects can be undone, and what stays after which failure', async () => {
  const folder = temporaryFolder()
  const pays = { kind: 'write-file', parameters: { path: 'paid', content: 'yes' } }
  const path = workflow(
    folder,
    {
      pay: { ...pays, title: 'Pay', compensation: { task: { kind: 'noop', parameters: {} } } },
      mail: { ...pays, title: 'Mail', compensation: { impossible: 'it was read' } },
      ship: { ...pays, title: 'Ship' },
    },
    [
      ['pay', 'mail'],
      ['mail', 'ship'],
    ],
  )
  const words = await sagasmith('validate', path, '--saga', '--data', join(folder, 'd'))
  expect(words.code).toBe(0)
  expect(words.out).toContain('1 of 3 effects can be undone')
  expect(words.out).toContain('can’t be undone: it was read')
  expect(words.out).toContain('if Ship fails, what stays: Mail')
  const lines = linesOf((await sagasmith('validate', path, '--saga', '--json')).out)
  expect(lines).toContainEqual({ type: 'saga.point', nodeId: 'ship', stays: ['mail'] })
  expect(lines.at(-1)).toMatchObject({ type: 'saga.coverage', effects: 3, undoable: 1, rollsBack: true })
})

test('rehearse lets each step go wrong and says what is undone; nothing outside is touched', async () => {
  const folder = temporaryFolder()
  const undo = { task: { kind: 'write-file', parameters: { path: 'undone', content: 'no' } } }
  const pay = {
    kind: 'write-file',
    parameters: { path: 'paid', content: 'yes' },
    title: 'Pay',
    compensation: undo,
  }
  const path = workflow(folder, { pay, ship: { kind: 'noop', title: 'Ship' } }, [['pay', 'ship']])
  const words = await sagasmith('rehearse', path)
  expect(words).toMatchObject({ code: 0, err: '' })
  expect(words.out).toContain('Ship fails  COMPENSATED  undone: Pay')
  expect(words.out).toContain('Pay can’t be undone  COMPENSATION_FAILED  stays: Pay')
  expect(words.out).toContain('no rule was broken')
  const lines = linesOf((await sagasmith('rehearse', path, '--json')).out)
  expect(lines.at(-1)).toMatchObject({ type: 'rehearsal', mocked: ['pay'], unreached: [], violations: 0 })
  expect(existsSync(join(folder, 'paid')) || existsSync(join(folder, 'undone'))).toBe(false)
})

test('a cycle is refused with the nodes in it', async () => {
  const folder = temporaryFolder()
  const noop = { kind: 'noop' }
  const path = workflow(folder, { first: noop, second: noop }, [
    ['first', 'second'],
    ['second', 'first'],
  ])
  const run = await sagasmith('run', path, '--data', join(folder, 'd'), '--json')
  expect(run.code).toBe(2)
  expect(linesOf(run.out)).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'problem', code: 'cycle' })]),
  )
})

test('an input of 60 MB is refused before anything starts', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'huge.json'), JSON.stringify('x'.repeat(60_000_000)))
  const path = workflow(folder, { a: { kind: 'noop' } })
  const run = await sagasmith(
    'run',
    path,
    '--data',
    join(folder, 'd'),
    '--input',
    `@${join(folder, 'huge.json')}`,
  )
  expect(run).toMatchObject({ code: 2, err: expect.stringMatching(/60\.0 MB.*50 MB.*payload_too_large/) })
  expect(existsSync(join(folder, 'd'))).toBe(false)
})

test.for([
  [['explode'], /no command “explode”/],
  [['run'], /Name a workflow file/],
  [['run', 'none.json'], /no file .*none\.json/],
  [['run', 'a', 'b'], /too many arguments/],
  [['validate', '--colour', 'x'], /--colour/],
  [['runs', 'list', '--status', 'HAPPY'], /no run status “HAPPY”/],
  [['runs', 'show'], /takes 1 argument\..*\n.*Usage: sagasmith runs show ID\n/],
  [['runs', 'list', '--yes'], /takes no --yes/],
  [['runs', 'list', '--since', 'lately'], /“lately” is no instant/],
  [['run', 'a', '--mocks', 'x'], /Add --dry-run/],
  [['signal', 'run_1', 'go', '--payload', '{'], /payload is not valid JSON.*\n.*--payload @/],
  [['serve', '--port', 'http'], /port/],
  [['serve', 'none.json'], /no file .*none\.json/],
  [['runner', '--labels', 'attic'], /“attic” is no label/],
] as const)('%o is bad usage', async ([args, message]) => {
  const ended = await sagasmith(...args, '--data', join(temporaryFolder(), 'd'))
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) })
  expect(ended.err).not.toMatch(/\n\s+at /)
})

test('a killed run goes on with whatever opens its data next', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const gate = createGate()
  const path = workflow(folder, { a: { kind: 'noop' }, b: gate.step, c: { kind: 'noop' } }, [
    ['a', 'b'],
    ['b', 'c'],
  ])
  const first = startProgram(['run', path, '--data', data, '--json'])
  await printed(first, /"nodeId":"b"[\s\S]*"status":"RUNNING"/)
  const gone = new Promise((settle) => first.on('exit', settle))
  first.kill('SIGKILL')
  await gone
  const list = linesOf((await sagasmith('runs', 'list', '--data', data, '--json')).out)
  expect(list).toMatchObject([{ type: 'run', status: 'RUNNING' }])
  const doctor = await sagasmith('doctor', '--data', data)
  expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining('died without a goodbye') })
  const id = textOf(list[0], 'id')
  gate.open()
  const waited = await sagasmith('runs', 'wait', id, '--data', data, '--json')
  expect(waited.code).toBe(0)
  expect(linesOf(waited.out).at(-1)).toMatchObject({ type: 'run.finished', runId: id, status: 'SUCCEEDED' })
  const shown = linesOf((await sagasmith('runs', 'show', id, '--data', data, '--json')).out)
  const attempts = shown
    .filter(({ type }) => type === 'attempt')
    .map((line) => `${textOf(line, 'invocationId')} ${textOf(line, 'outcome')}`)
  expect(attempts.sort()).toEqual([
    `${id}/a succeeded`,
    `${id}/b lost`,
    `${id}/b succeeded`,
    `${id}/c succeeded`,
  ])
})

test('a step whose effect may have happened waits for a person, who decides it', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const path = workflow(folder, { a: { ...sleeping(600_000), sideEffect: 'unsafe' } })
  const first = startProgram(['run', path, '--data', data, '--json'])
  const id = await printed(first, /"runId":"([^"]+)"[\s\S]*"status":"RUNNING"[\s\S]*"status":"RUNNING"/)
  const gone = new Promise((settle) => first.on('exit', settle))
  first.kill('SIGKILL')
  await gone
  const waiting = startProgram(['runs', 'wait', id, '--data', data])
  const left = endOf(waiting)
  expect(await printed(waiting, /\? Nap .*/)).toContain(`runs resolve ${id} a --as again|done|fail`)
  waiting.kill('SIGTERM')
  expect(await left).toMatchObject({ code: 1, err: expect.stringContaining(`runs wait ${id}`) })
  const decided = await sagasmith(
    'runs',
    'resolve',
    id,
    'a',
    '--as',
    'done',
    '--output',
    '{"took":1}',
    '--data',
    data,
  )
  expect(decided.code).toBe(0)
  const end = linesOf((await sagasmith('runs', 'wait', id, '--data', data, '--json')).out).at(-1)
  expect(end).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED', output: { took: 1 } })
})

test('Ctrl-C asks for the cancel first and waits for it', async () => {
  const folder = temporaryFolder()
  const child = startProgram([
    'run',
    workflow(folder, { a: sleeping(600_000) }),
    '--data',
    join(folder, 'd'),
    '--json',
  ])
  const end = endOf(child)
  await printed(child, /"status":"RUNNING"[\s\S]*"status":"RUNNING"/)
  child.kill('SIGINT')
  const { code, out } = await end
  expect(code).toBe(1)
  expect(linesOf(out).at(-1)).toMatchObject({
    type: 'run.finished',
    status: 'CANCELLED',
    error: { code: 'run_cancelled' },
  })
})

test('commands attach to a running server; a second one is told who holds the data', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const server = startProgram(['serve', '--data', data])
  const end = endOf(server)
  const url = await printed(server, /(http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43})\s/)
  expect((await fetch(url)).headers.get('x-content-type-options')).toBe('nosniff')
  const run = await sagasmith('run', workflow(folder, { a: { kind: 'noop' } }), '--data', data, '--json')
  expect(run.code).toBe(0)
  const doctor = await sagasmith('doctor', '--data', data)
  expect(doctor.out).toContain(`process ${server.pid}`)
  const second = await program('serve', '--data', data)
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining(`process ${server.pid}`) })
  server.kill('SIGTERM')
  expect((await end).code).toBe(0)
  expect(existsSync(join(data, 'engine.lock'))).toBe(false)
  expect((await sagasmith('runs', 'list', '--data', data)).out).toMatch(/SUCCEEDED.*1\/1.*Test/)
})

test('a command outlives the engine that it is attached to', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const server = startProgram(['serve', '--data', data])
  await printed(server, /#t=/)
  const run = startProgram(['run', workflow(folder, { a: sleeping(1_000) }), '--data', data, '--json'])
  const end = endOf(run)
  await printed(run, /"status":"RUNNING"[\s\S]*"status":"RUNNING"/)
  server.kill('SIGKILL')
  const { code, out } = await end
  expect(code).toBe(0)
  const lines = linesOf(out)
  expect(lines.at(-1)).toMatchObject({ type: 'run.finished', status: 'SUCCEEDED' })
  const seqs = lines.slice(0, -1).map(({ seq }) => seq)
  expect(seqs).toEqual([...new Set(seqs)])
})

test('status render draws, and --check sees a difference', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'run.svg')
  const args = ['status', 'render', '--machine', 'run', '--format', 'svg', '--output', file]
  expect((await sagasmith(...args)).code).toBe(0)
  expect((await sagasmith(...args, '--check')).code).toBe(0)
  writeFileSync(file, `${readFileSync(file, 'utf8')} `)
  expect(await sagasmith(...args, '--check')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Not up to date'),
  })
  expect((await sagasmith('status', 'render', '--check')).code).toBe(0)
})

test('help and version answer', async () => {
  expect(await program('help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/  run  [\s\S]*  doctor  /),
  })
  expect(await sagasmith('run', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--input') })
  expect(await sagasmith('version', '--json')).toMatchObject({
    code: 0,
    out: expect.stringContaining('"version"'),
  })
})
