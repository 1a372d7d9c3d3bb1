/** Tasks with code over time: steps of an older version follow only when somebody has them, and undos survive a kill. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { migrateTasksAction } from '../../src-engine/shell/commands/tasks-migrate.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { testContract } from '../../src-engine/shell/contract-test.ts'
import { createCustomTasks } from '../../src-engine/shell/custom-tasks.ts'
import { createDataDirectory, dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { validateJson } from '../../src-engine/shell/validate-json.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { silentLog, temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { desk, deskOfProcesses, file, head, read } from './task-files.ts'

let root = ''
beforeEach(() => {
  root = temporaryFolder()
  createDataDirectory(dataDirectory(root))
  mkdirSync(dataDirectory(root).tasks)
})

const put = (text: string): void => writeFileSync(join(dataDirectory(root).tasks, 'charge.task.ts'), text)

/** A version of a task that charges euros until 1.9, and cents from 2. */
const version = (number: string, field: string, more = ''): string =>
  `${head}export default defineTask({
  kind: 'acme.charge', version: '${number}', title: 'Charge',
  parameters: { type: 'object', required: ['${field}'], properties: { ${field}: {}, note: { type: 'string' } } },
  run: ({ parameters }) => parameters,
  ${more}
})`

const cents = `migrate: ({ from, parameters: { amount, ...others } }) => {
    if (from !== '1.0.0') throw new Error('Nobody knows what ' + from + ' meant.')
    return { ...others, cents: typeof amount === 'number' ? amount * 100 : amount.replace('}}', '* 100 }}') }
  },`

const charging = (more: JsonObject): WorkflowDocument =>
  documentOf({ id: 'w', title: 'W', nodes: { a: { kind: 'acme.charge', ...more } } })

describe('migrating', () => {
  const migrate = (from: string | null, parameters: JsonObject) =>
    createCustomTasks(dataDirectory(root).tasks, desk).migrate('acme.charge', { from, parameters })

  test('its code makes the parameters those of its own version, expressions and all', async () => {
    put(version('2.0.0', 'cents', cents))
    expect(await migrate('1.0.0', { amount: 12, note: 'n' })).toEqual({
      version: '2.0.0',
      parameters: { cents: 1200, note: 'n' },
      problems: [],
    })
    expect(await migrate('1.0.0', { amount: '{{ input.sum }}' })).toMatchObject({
      parameters: { cents: '{{ input.sum * 100 }}' },
    })
  })

  test.for<[string, string]>([
    [`throw new Error('No idea.')`, 'No idea.'],
    ['return 7', 'no object'],
    ['return [1]', 'no object'],
    ['return undefined', 'no object'],
    ['for (;;) {}', 'limit'],
    [`return { a: 'x'.repeat(600000) }`, 'too much'],
    [`return JSON.parse('{"__proto__": {"a": 1}, "b": 1}')`, 'not allowed'],
    [`let a = {}; for (let i = 0; i < 80; i += 1) a = { a }; return a`, 'nested'],
    [`return http('https://shop.example/')`, 'http_address_denied'],
    ['return { secrets: secrets.KEY }', 'TypeError'],
    ['return { at: typeof fetch + typeof process + typeof require }', ''],
  ])('%s', async ([code, words]) => {
    // Of code that ends by itself no machine is so slow.
    const timeoutMs = words === 'limit' ? 300 : 20_000
    put(
      version(
        '2.0.0',
        'cents',
        `hosts: ['shop.example'], secrets: ['KEY'], timeoutMs: ${timeoutMs}, migrate: ({ http, secrets }) => { ${code} },`,
      ),
    )
    const came = await migrate('1.0.0', { amount: 1 }).catch((thrown: unknown) => thrown)
    if (words === '') {
      expect(came).toMatchObject({ parameters: { at: 'undefinedundefinedundefined' } })
    } else {
      expect(came).toMatchObject({ code: 'task_migration_failed', details: { from: '1.0.0', to: '2.0.0' } })
      expect(came).toHaveProperty('message', expect.stringContaining(words))
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('what the form doesn’t take of it is told; a task without the function refuses', async () => {
    put(version('2.0.0', 'cents', 'migrate: () => ({ other: 1 }),'))
    const { problems } = await migrate(null, {})
    expect(problems.join(' ')).toMatch(/cents/i)
    expect(problems.join(' ')).toContain('other')
    put(version('2.0.0', 'cents'))
    await expect(migrate('1.0.0', {})).rejects.toMatchObject({ code: 'task_migration_failed' })
    await expect(
      createCustomTasks(join(root, 'nowhere'), desk).migrate('acme.charge', { from: null, parameters: {} }),
    ).rejects.toMatchObject({ code: 'task_not_found' })
  })
})

describe('starting', () => {
  test('a step that its task would misread starts nothing; what is published goes on as it was', async () => {
    const { engine, close } = await composeEngine({
      directory: dataDirectory(root),
      clock: systemClock,
      sandbox: sandboxHere,
      log: silentLog,
    })
    try {
      await engine.start()
      const start = (document: WorkflowDocument) =>
        engine.startRun({ document, input: null, baseDirectory: null, requestId: null })
      const gave = async (runId: Awaited<ReturnType<typeof start>>['runId']) => {
        expect((await engine.waitForRun(runId)).status).toBe('SUCCEEDED')
        const payload = await engine.results.read({ runId, nodeId: null })
        return payload.kind === 'inline' ? JSON.parse(payload.json) : payload
      }
      put(version('1.0.0', 'amount'))
      const noted = charging({ taskVersion: '1.0.0', parameters: { amount: 12 } })
      const first = await start(noted)
      // The note means nothing to the run.
      expect((await start(charging({ parameters: { amount: 12 } }))).hash).toBe(first.hash)
      put(version('2.0.0', 'cents', cents))
      await expect(start(noted)).rejects.toMatchObject({
        code: 'task_not_migrated',
        details: { madeFor: '1.0.0', here: '2.0.0' },
      })
      const plain = {
        document: null,
        input: null,
        otherVersion: false,
        requestId: null,
        reason: null,
        by: null,
      }
      const again = await engine.rerun({ runId: first.runId, ...plain })
      expect(again.hash).toBe(first.hash)
      expect(await gave(again.runId)).toEqual({ amount: 12 })
      const moved = await start(charging({ taskVersion: '2.0.0', parameters: { cents: 1200 } }))
      expect(await gave(moved.runId)).toEqual({ cents: 1200 })
    } finally {
      await close()
    }
  })

  test('what undoes a step is held back, too, and a version that only grew is told and runs', async () => {
    put(version('2.0.0', 'cents', cents))
    const task = { kind: 'acme.charge', parameters: { cents: 1 }, taskVersion: '1.0.0' }
    const undone = documentOf({
      id: 'w',
      title: 'W',
      nodes: {
        a: { kind: 'http-request', parameters: { url: 'https://a.example' }, compensation: { task } },
      },
    })
    const folder = createCustomTasks(dataDirectory(root).tasks, desk)
    const check = async (document: WorkflowDocument) =>
      validateJson(document as unknown as JsonObject, undefined, await folder.look())
    expect((await check(undone)).problems).toMatchObject([
      { code: 'task_version_newer', severity: 'error', field: 'compensation.task.taskVersion' },
    ])
    await expect(folder.writeOut(undone)).rejects.toMatchObject({ code: 'task_not_migrated' })
    put(version('2.0.0', 'cents'))
    const grown = await check(charging({ taskVersion: '1.0.0', parameters: { cents: 1 } }))
    expect(grown.problems).toMatchObject([{ code: 'task_version_newer', severity: 'warning' }])
    expect(grown.hash).toBe((await check(charging({ parameters: { cents: 1 } }))).hash)
    const ahead = charging({ taskVersion: '3', parameters: { cents: 1 } })
    expect((await check(ahead)).problems).toMatchObject([{ code: 'task_version_older', severity: 'error' }])
    await expect(folder.writeOut(ahead)).rejects.toMatchObject({ code: 'task_not_migrated' })
  })
})

describe('the command line', () => {
  const path = () => join(root, 'w.json')
  const run = async (flags: Readonly<Record<string, string | boolean>>) => {
    const told: object[] = []
    const settings = loadSettings({ flags: { data: root }, environment: {} })
    const context = {
      ...{ positionals: [], flags, json: true, settings },
      emit: (line: object) => told.push(line),
    }
    const code = await migrateTasksAction(context as never, path())
    return { code, told }
  }
  const nodes = () => (JSON.parse(readFileSync(path(), 'utf8')) as WorkflowDocument).nodes
  const save = (document: WorkflowDocument): void => writeFileSync(path(), canonicalDocument(document))
  const two = documentOf({
    id: 'w',
    title: 'W',
    nodes: {
      a: { kind: 'acme.charge', taskVersion: '1.0.0', parameters: { amount: 1 } },
      b: { kind: 'acme.charge', taskVersion: '1.5.0', parameters: { amount: 2 } },
      c: { kind: 'acme.charge', parameters: { amount: 3 } },
      d: { kind: 'noop' },
    },
  })

  test('all or none: one that can’t be migrated leaves the file as it was', async () => {
    put(version('2.0.0', 'cents', cents))
    save(two)
    const before = readFileSync(path(), 'utf8')
    await expect(run({})).rejects.toMatchObject({
      code: 'task_migration_failed',
      message: expect.stringContaining('Nobody knows what 1.5.0 meant.'),
    })
    expect(readFileSync(path(), 'utf8')).toBe(before)
    const rehearsed = await run({ step: 'a', 'dry-run': true })
    expect(rehearsed.told).toMatchObject([
      {
        type: 'task.migrated',
        nodeId: 'a',
        from: '1.0.0',
        to: '2.0.0',
        before: { amount: 1 },
        after: { cents: 100 },
      },
      { steps: 1, isWritten: false },
    ])
    expect(readFileSync(path(), 'utf8')).toBe(before)
  })

  test('one by one, by what it says itself, or as it is', async () => {
    put(version('2.0.0', 'cents', cents))
    save(two)
    expect((await run({ step: 'a' })).code).toBe(0)
    expect((await run({ step: 'b', from: '1.0.0' })).code).toBe(0)
    await expect(run({ step: 'c' })).rejects.toMatchObject({ code: 'task_migration_failed' })
    expect((await run({ step: 'c', keep: true })).code).toBe(0)
    expect(nodes()).toEqual({
      a: { kind: 'acme.charge', taskVersion: '2.0.0', parameters: { cents: 100 } },
      b: { kind: 'acme.charge', taskVersion: '2.0.0', parameters: { cents: 200 } },
      c: { kind: 'acme.charge', taskVersion: '2.0.0', parameters: { amount: 3 } },
      d: { kind: 'noop' },
    })
    expect((await run({})).told).toMatchObject([{ steps: 0, isWritten: false }])
    put(version('1.0.0', 'cents', cents))
    await expect(run({ step: 'a' })).rejects.toMatchObject({ code: 'task_not_migrated' })
    await expect(run({ step: 'd' })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(run({ from: '1' })).rejects.toMatchObject({ code: 'bad_request' })
    expect(existsSync(path())).toBe(true)
  })
})

describe('an undo that is killed', () => {
  const killed = async (compensate: string, by = desk) => {
    const text = file(
      `mock: { id: 7 }, hosts: ['shop.example'], run: () => ({ id: 7 }), compensate: ${compensate}`,
    )
    return (await testContract(await read(text), by)).find(({ what }) => what === 'killed')
  }

  test('and run again sends the same, and takes it that something is done already', async () => {
    const compensate = `async ({ output, http, idempotencyKey }) => {
      await http({ url: 'https://shop.example/notes', method: 'POST', headers: { 'idempotency-key': idempotencyKey } })
      const { status } = await http({ url: 'https://shop.example/' + output.id, method: 'DELETE' })
      if (status >= 400 && status !== 404) throw new Error('status ' + status)
    }`
    expect(await killed(compensate, deskOfProcesses)).toEqual({
      what: 'killed',
      isPassed: true,
      message: 'At each of 2 requests.',
    })
    expect(await killed(`() => 'nothing to send'`)).toBeUndefined()
  })

  test.for<[string, string, string]>([
    [
      'doesn’t take it that what it deleted is gone',
      `async ({ output, http }) => {
        const { status } = await http({ url: 'https://shop.example/' + output.id, method: 'DELETE' })
        if (status >= 400) throw new Error('status ' + status)
      }`,
      'Killed at DELETE https://shop.example/7 and run again: Line 4: status 404',
    ],
    [
      'sends something else',
      `({ http, attempt }) => http({ url: 'https://shop.example/' + attempt, method: 'PUT' }).then(() => 1)`,
      'PUT https://shop.example/2 otherwise than before',
    ],
    [
      'rolls dice for its key',
      `({ http }) => http({ url: 'https://shop.example/a', method: 'PUT', body: { key: Math.random() } }).then(() => 1)`,
      'otherwise than before',
    ],
    [
      'posts without the key',
      `({ http }) => http({ url: 'https://shop.example/refunds', method: 'POST' }).then(() => 1)`,
      'POST https://shop.example/refunds goes without the idempotency key',
    ],
  ])('%s', async ([, compensate, words]) => {
    const check = await killed(compensate)
    expect(check).toMatchObject({ isPassed: false, message: expect.stringContaining(words) })
  })
})

test('the example of the documentation takes over parameters of the version before', async () => {
  const example = join(import.meta.dirname, '../engine/sdk/examples/make-a-task.ts')
  put(readFileSync(example, 'utf8').replaceAll('../../../../src-engine/index.ts', 'sagasmith'))
  const { migrate } = createCustomTasks(dataDirectory(root).tasks, desk)
  expect(await migrate('acme.charge', { from: '1.0.0', parameters: { amount: 3, text: 'x' } })).toEqual({
    version: '2.0.0',
    parameters: { amount: 3, note: 'x' },
    problems: [],
  })
  await expect(migrate('acme.charge', { from: '0.1', parameters: {} })).rejects.toMatchObject({
    code: 'task_migration_failed',
  })
})
