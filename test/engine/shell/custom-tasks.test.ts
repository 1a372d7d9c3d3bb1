/** The folder of custom tasks: what is read, when, and what runs of it. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { openWorkflowFile } from '../../../src-engine/shell/commands/workflow-file.ts'
import { composeEngine } from '../../../src-engine/shell/compose-engine.ts'
import { loadSettings } from '../../../src-engine/shell/config.ts'
import { createCustomTasks } from '../../../src-engine/shell/custom-tasks.ts'
import { createDataDirectory, dataDirectory } from '../../../src-engine/shell/data-directory.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { silentLog, temporaryFolder } from './shell-fixtures.ts'

let root = ''
let tasks = ''
beforeEach(() => {
  root = temporaryFolder()
  createDataDirectory(dataDirectory(root))
  tasks = dataDirectory(root).tasks
  mkdirSync(tasks)
})

const taskText = (expression: string, more: object = {}): string =>
  JSON.stringify(
    {
      format: 'sagasmith.task',
      schemaVersion: 1,
      kind: 'acme.greet',
      title: 'Greet',
      based: { kind: 'transform', parameters: { expression } },
      ...more,
    },
    null,
    2,
  )

const save = (name: string, text: string): void => writeFileSync(join(tasks, name), text)

const greeting = (): WorkflowDocument =>
  documentOf({
    id: 'greeting',
    title: 'Greeting',
    nodes: { a: { kind: 'acme.greet' }, b: { kind: 'noop' } },
    edges: edgesOf('a>b'),
  })

it('a folder that isn’t there has no tasks; files are read when they come, change and go', async () => {
  const folder = createCustomTasks(join(root, 'nowhere'))
  expect((await folder.look()).tasks.size).toBe(0)
  const here = createCustomTasks(tasks)
  save('notes.json', 'no task')
  save('greet.task.json', taskText('"hello"'))
  const first = await here.look()
  expect([...first.tasks.keys()]).toEqual(['acme.greet'])
  expect(first.specs.get('acme.greet')?.title).toBe('Greet')
  expect(await here.look()).toBe(first)
  save('greet.task.json', taskText('"hello to you"', { title: 'Greet warmly' }))
  expect((await here.look()).tasks.get('acme.greet')?.title).toBe('Greet warmly')
  rmSync(join(tasks, 'greet.task.json'))
  expect((await here.look()).specs.has('acme.greet')).toBe(false)
})

it('a mistake is told with file and line, and the last version that could be used stays', async () => {
  const folder = createCustomTasks(tasks)
  save('greet.task.json', taskText('"hello"'))
  await folder.look()
  save('greet.task.json', taskText('"hello"').replace('"Greet",', '"Greet"'))
  const broken = await folder.look()
  expect(broken.problems).toMatchObject([
    {
      code: 'task_file_invalid',
      message: expect.stringMatching(/greet\.task\.json, line 6, column 3: a comma/),
      hint: expect.stringContaining('stays'),
      details: { line: 6, column: 3 },
    },
  ])
  expect(broken.tasks.has('acme.greet')).toBe(true)
  expect(await folder.look()).toBe(broken)
  save('greet.task.json', taskText('"hello"', { colour: 'red' }))
  expect((await folder.look()).problems).toMatchObject([{ details: { line: 12 } }])
  save('greet.task.json', taskText('"good day"'))
  expect((await folder.look()).problems).toEqual([])
})

it('of two files with one kind the first counts, and the other is told', async () => {
  save('a.task.json', taskText('1'))
  save('b.task.json', taskText('2', { title: 'The other' }))
  const { tasks: known, problems } = await createCustomTasks(tasks).look()
  expect(known.get('acme.greet')?.title).toBe('Greet')
  expect(problems).toMatchObject([
    { code: 'task_file_invalid', message: expect.stringContaining('a.task.json') },
  ])
})

it('a run does what the task was when it began, also when the file is changed or gone', async () => {
  const { engine, close } = await composeEngine({
    directory: dataDirectory(root),
    clock: systemClock,
    log: silentLog,
  })
  try {
    await engine.start()
    const start = async (document: WorkflowDocument) =>
      engine.startRun({ document, input: null, baseDirectory: null, requestId: null })
    const document = greeting()
    save('greet.task.json', taskText('"hello"'))
    const first = await start(document)
    save('greet.task.json', taskText('"good evening"'))
    const second = await start(document)
    rmSync(join(tasks, 'greet.task.json'))
    await expect(start(document)).rejects.toMatchObject({ code: 'document_invalid' })
    expect((await engine.waitForRun(first.runId)).status).toBe('SUCCEEDED')
    expect((await engine.waitForRun(second.runId)).status).toBe('SUCCEEDED')
    expect(first.hash).not.toBe(second.hash)
    const again = await engine.rerun({
      runId: first.runId,
      document: null,
      input: null,
      otherVersion: false,
      requestId: null,
      reason: null,
      by: null,
    })
    expect(again.hash).toBe(first.hash)
    expect((await engine.waitForRun(again.runId)).status).toBe('SUCCEEDED')
    expect((await engine.version(first.hash)).document).toContain('"hello\\"')
  } finally {
    await close()
  }
})

it('the command line knows custom tasks of its data directory, and says why one can’t be used', async () => {
  const context = { settings: loadSettings({ flags: { data: root }, environment: {} }) }
  const path = join(root, 'greeting.json')
  writeFileSync(path, JSON.stringify(greeting()))
  save('greet.task.json', taskText('"hello"'))
  const file = await openWorkflowFile(context, path)
  expect(file.problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(file.hash).not.toBeNull()
  expect(Object.values(file.document.nodes)[0]?.kind).toBe('transform')
  save('greet.task.json', '{')
  const broken = await openWorkflowFile(context, path)
  expect(broken.hash).toBeNull()
  expect(broken.problems).toMatchObject([
    { code: 'unknown_kind' },
    { code: 'task_file_invalid', severity: 'warning', message: expect.stringContaining('line 1') },
  ])
})

const taskJson = (expression: string, more: object = {}) => JSON.parse(taskText(expression, more))

it('a task is written where its kind is, and replaced only where that is asked for', async () => {
  rmSync(tasks, { recursive: true })
  const folder = createCustomTasks(tasks)
  const first = await folder.save(taskJson('"hello"'), { replace: false })
  expect(first.path).toBe(join(tasks, 'acme.greet.task.json'))
  expect((await folder.look()).tasks.get('acme.greet')).toEqual(first.task)
  await expect(folder.save(taskJson('"bye"'), { replace: false })).rejects.toMatchObject({
    code: 'task_kind_taken',
    message: expect.stringContaining(first.path),
  })
  expect(readFileSync(first.path, 'utf8')).toContain('hello')
  await folder.save(taskJson('"bye"'), { replace: true })
  expect(readFileSync(first.path, 'utf8')).toContain('bye')
  expect(readdirSync(tasks)).toEqual(['acme.greet.task.json'])
})

it('a task in a file of another name is replaced there, and files of others are left alone', async () => {
  const folder = createCustomTasks(tasks)
  save('greet.task.json', taskText('"hello"'))
  save('acme.part.task.json', taskText('"other"', { kind: 'acme.other' }))
  const { path } = await folder.save(taskJson('"bye"'), { replace: true })
  expect(path).toBe(join(tasks, 'greet.task.json'))
  const beside = await folder.save(taskJson('"x"', { kind: 'acme.part' }), { replace: true })
  expect(beside.path).toBe(join(tasks, 'acme.part-2.task.json'))
  expect([...(await folder.look()).tasks.keys()].toSorted()).toEqual([
    'acme.greet',
    'acme.other',
    'acme.part',
  ])
  save('acme.broken.task.json', '{ half')
  await expect(
    folder.save(taskJson('"x"', { kind: 'acme.broken' }), { replace: false }),
  ).rejects.toMatchObject({
    code: 'task_kind_taken',
  })
  expect(readFileSync(join(tasks, 'acme.broken.task.json'), 'utf8')).toBe('{ half')
})

it('what is no task, leads elsewhere, or holds a secret in plain text is not written', async () => {
  const folder = createCustomTasks(tasks)
  const http = (headers: object) => ({
    kind: 'http-request',
    parameters: { url: 'https://a.example', headers },
  })
  const refused: readonly (readonly [object, string])[] = [
    [{ kind: '../../etc/x' }, 'task_file_invalid'],
    [{ kind: 'nodot' }, 'task_file_invalid'],
    [{ based: { kind: 'map', parameters: {} } }, 'task_file_invalid'],
    [{ based: http({ authorization: 'Bearer sk-live-1' }) }, 'task_holds_secret'],
    [{ description: 'x'.repeat(600_000) }, 'task_file_invalid'],
  ]
  for (const [more, code] of refused)
    await expect(folder.save(taskJson('1', more), { replace: true })).rejects.toMatchObject({ code })
  expect(readdirSync(tasks)).toEqual([])
  expect(existsSync(join(root, 'etc'))).toBe(false)
  const { path } = await folder.save(taskJson('1', { based: http({ authorization: '{{ secrets.KEY }}' }) }), {
    replace: false,
  })
  expect(readFileSync(path, 'utf8')).toContain('{{ secrets.KEY }}')
})

it('removing deletes the file of a kind, and says when there is none', async () => {
  const folder = createCustomTasks(tasks)
  save('greet.task.json', taskText('"hello"'))
  expect(await folder.remove('acme.greet')).toBe(join(tasks, 'greet.task.json'))
  expect((await folder.look()).tasks.size).toBe(0)
  await expect(folder.remove('acme.greet')).rejects.toMatchObject({ code: 'task_not_found' })
})

it('a task that calls a workflow asks for its input field by field, from a path beside the tasks, on the version it began with', async () => {
  const child = (expression: string) =>
    JSON.stringify({
      ...documentOf({
        id: 'wf_price',
        title: 'Price',
        nodes: { a: { kind: 'transform', parameters: { expression } } },
      }),
      input: {
        type: 'object',
        required: ['count'],
        properties: { count: { type: 'number' }, price: { type: 'number', default: 4 } },
      },
    })
  const inputForm = JSON.parse(child('1')).input
  save('price.json', child('input.count * input.price'))
  const based = { kind: 'sub-workflow', parameters: { workflow: './price.json' } }
  save('price.task.json', taskText('', { kind: 'acme.price', title: 'Price it', based, inputForm }))
  const known = await createCustomTasks(tasks).look()
  expect(known.problems).toEqual([])
  const spec = known.specs.get('acme.price')
  expect(spec?.defaults).toEqual({ price: 4 })
  expect(spec?.parameters.safeParse({ price: 1 }).success).toBe(false)
  expect(spec?.parameters.safeParse({ count: 'x' }).success).toBe(false)

  const { engine, close } = await composeEngine({
    directory: dataDirectory(root),
    clock: systemClock,
    log: silentLog,
  })
  try {
    await engine.start()
    const node = { kind: 'acme.price', parameters: { count: '{{ input.pens }}' } }
    const document = documentOf({ id: 'w', title: 'W', nodes: { p: node } })
    const elsewhere = temporaryFolder()
    const start = () =>
      engine.startRun({ document, input: { pens: 3 }, baseDirectory: elsewhere, requestId: null })
    const gave = async (runId: Awaited<ReturnType<typeof start>>['runId']) => {
      expect((await engine.waitForRun(runId)).status).toBe('SUCCEEDED')
      const payload = await engine.results.read({ runId, nodeId: null })
      return payload.kind === 'inline' ? JSON.parse(payload.json) : payload
    }
    const first = await start()
    expect(await gave(first.runId)).toBe(12)
    save('price.json', child('input.count * input.price + 100'))
    const second = await start()
    expect(await gave(second.runId)).toBe(112)
    expect(second.hash).not.toBe(first.hash)
    const plain = {
      document: null,
      input: null,
      otherVersion: false,
      requestId: null,
      reason: null,
      by: null,
    }
    expect(await gave((await engine.rerun({ runId: first.runId, ...plain })).runId)).toBe(12)
  } finally {
    await close()
  }
})

it('a form of the input that can’t be one is told with its place', async () => {
  const call = { kind: 'sub-workflow', parameters: { workflow: 'wf_price' } }
  const inputForm = { type: 'object', properties: { count: { type: 'number' } } }
  const wrong: readonly object[] = [
    { inputForm },
    { based: call, inputForm: { type: 'string' } },
    { based: call, inputForm, open: ['input'] },
    { based: { ...call, parameters: { workflow: 'wf_price', input: 'input' } }, inputForm },
  ]
  for (const more of wrong) {
    save('price.task.json', taskText('1', more))
    const { problems } = await createCustomTasks(tasks).look()
    expect(problems, JSON.stringify(more)).toMatchObject([{ code: 'task_file_invalid' }])
    expect(problems[0]?.message).not.toContain('line 1,')
  }
})
