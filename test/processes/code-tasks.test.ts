/** Tasks with code: what a file may say, what its code can reach, and that what is hostile ends. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../src-engine/model/schema-walk.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { testContract } from '../../src-engine/shell/contract-test.ts'
import { createCustomTasks } from '../../src-engine/shell/custom-tasks.ts'
import { createDataDirectory, dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { codeTaskSpec } from '../../src-engine/tasks/code-task/spec.ts'
import { startTaskGuest } from '../../src-engine/tasks/code-task/task-guest.ts'
import { newLimitedQuickJs } from '../../src-engine/tasks/javascript/limited-quickjs.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { silentLog, temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { escapePayloads, foreignNames } from '../support/escapes.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { outputOf, taskContext, thrownBy } from '../support/task-context.ts'
import { desk, deskOfProcesses, file, head, impatientDesk, read, task, taskInProcess } from './task-files.ts'

interface How {
  readonly by?: typeof task
  readonly timeoutMs?: number
}

/** What the code of a file gives, run in this process or by the task that is given. */
async function run(text: string, parameters: JsonObject = {}, { by = task, ...more }: How = {}) {
  const { face, code } = await read(text)
  const { hosts, secrets } = face
  const told = {
    task: face.kind,
    code,
    parameters,
    schema: face.parameters,
    output: face.output ?? {},
    hosts,
  }
  const held = Object.fromEntries(secrets.map((name) => [name, `value of ${name}`]))
  const given = codeTaskSpec.parameters.parse({ ...told, secrets: held, ...more })
  return outputOf(await by.execute(given, taskContext({ echoService: async () => 'http://127.0.0.1:9' })))
}

describe('a file', () => {
  test('says what its steps are, and its form is made of that', async () => {
    const { face, mock, code } = await read(
      `${head}
type Told = { readonly amount: number }
export default defineTask<Told>({
  kind: 'acme.charge',
  version: '1.2.0',
  title: 'Charge a card',
  parameters: {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number', title: 'Amount', minimum: 1 }, note: { type: 'string', default: 'x' } },
  },
  output: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  sideEffect: 'keyed',
  secrets: ['SHOP_KEY'],
  hosts: ['shop.example'],
  run: async ({ parameters, idempotencyKey }) => ({ id: idempotencyKey + parameters.amount }),
  compensate: ({ output }) => output,
  mock: ({ parameters }) => ({ id: 'mocked' + String(parameters.amount as number | undefined) }),
})`,
    )
    expect(face).toMatchObject({ kind: 'acme.charge', version: '1.2.0', sideEffect: 'keyed', hasUndo: true })
    expect(mock).toEqual({ id: 'mockedundefined' })
    expect(code).not.toContain('readonly')
    expect(code.split('\n')).toHaveLength(20)
  })

  test.for<[string, string, string]>([
    ['const a: = 3', 'line 1, column 10', 'SyntaxError'],
    [`${head}enum A { b }`, 'line 2, column 1', 'enum'],
    [`${head}\nexport default defineTask({\n  kind: nothere,\n})`, 'line 4', 'nothere'],
    [`import fs from 'node:fs'\nexport default 1`, 'line 1', 'can import nothing but'],
    [`export default 1`, 'line 1', 'no task'],
    [`export const a = 1`, 'line 1', 'no task'],
    [file('colour: 1,\n run: () => 1'), 'line 2', 'colour'],
    [file('secrets: ["not a name"],\n run: () => 1'), 'line 2', 'secrets'],
    [file('hosts: ["http://shop.example/x"],\n run: () => 1'), 'line 2', 'hosts'],
    [file('parameters: { type: "string" },\n run: () => 1'), 'line 2', 'object'],
    [file('sideEffect: "some"'), 'line 1', 'run(context)'],
    [file('run: () => 1, revert: () => 1'), 'line 2', 'revert'],
    [file('run: () => 1').replace('acme.charge', 'charge'), 'line 2', 'dot'],
    [file('run: () => 1').replace('acme.charge', 'acme.charge.undo'), 'line 2', '.undo'],
  ])('%s is told with its place', async ([text, place, words]) => {
    const thrown = await thrownBy(() => read(text))
    expect(thrown).toMatchObject({ code: 'task_file_invalid' })
    expect(thrown).toHaveProperty('message', expect.stringContaining(place))
    expect(thrown).toHaveProperty('message', expect.stringContaining(words))
  })

  test.for([
    'while (true) {}',
    'for (;;) await null',
    'const a = []; for (;;) a.push(new Array(1e6).fill(1))',
    'const f = () => f() + 1; f()',
    'await new Promise(() => {})',
    'export default { kind: "acme.x", version: "1", title: "x".repeat(3e6), run() {} }',
    'const a = {}; a.a = a; export default { kind: "acme.x", version: "1", title: "x", a, run() {} }',
    'export default { kind: "acme.x", version: "1", title: "x", run() {}, toJSON() { for (;;); } }',
    'export default { kind: "acme.x", version: "1", title: "x", get run() { for (;;); } }',
    'export default new Proxy({}, { ownKeys() { for (;;); } })',
    'export default { kind: "acme.x", version: "1", title: "x", run() {}, mock() { for (;;); } }',
    'export default { kind: "acme.x", version: "1", title: "x", run() {}, mock: ({ http }) => http("http://a.example") }',
    'Object.prototype.kind = "acme.x"; export default { version: "1", title: "x", run() {} }',
    'JSON.stringify = () => "{}"; export default { kind: "nodot", version: "1", title: "x", run() {} }',
    'export default { __proto__: { kind: "acme.x" }, version: "1", title: "x", run() {} }',
  ])('%s is refused, and ends', async (text) => {
    expect(await thrownBy(() => impatientDesk.read(text, '/tasks/hostile.task.js'))).toMatchObject({
      code: 'task_file_invalid',
    })
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('the code', () => {
  test.for([
    ['in its process', taskInProcess],
    ['in this one', task],
  ] as const)('gets its context, and gives what it returns, %s', async ([, by]) => {
    const text = file(`secrets: ['KEY'],
      parameters: { type: 'object', properties: { by: { type: 'number', default: 2 } } },
      run: ({ input, parameters, secrets, attempt, log }) => {
        log('by', parameters.by)
        return { from: input.from, by: parameters.by, key: secrets.KEY.length, attempt }
      }`)
    expect(await run(text, {}, { by })).toEqual({ from: 'before', by: 2, key: 12, attempt: 1 })
  })

  test('is checked: what it is told, and what it gives', async () => {
    const parameters = `parameters: { type: 'object', properties: { by: { type: 'number' } } }`
    expect(await thrownBy(() => run(file(`${parameters}, run: () => 1`), { by: 'much' }))).toMatchObject({
      code: 'task_input_invalid',
    })
    const output = `output: { type: 'object', required: ['id'], properties: {} }`
    expect(await thrownBy(() => run(file(`${output}, run: () => ({})`)))).toMatchObject({
      code: 'task_output_invalid',
    })
  })

  test.for<[string, string]>([
    ['http://127.0.0.1:1/', 'http_address_denied'],
    ['http://other.example/', 'http_address_denied'],
    ['http://[::1]/', 'http_address_denied'],
    ['http://169.254.169.254/latest/', 'http_address_denied'],
    ['file:///etc/passwd', 'http_address_denied'],
    ['not an address', 'task_input_invalid'],
  ])('can’t send to %s', async ([url, code]) => {
    const text = file(
      `hosts: ['shop.example'], run: ({ http }) => http('${url}').then(() => 'sent', (error) => error.name)`,
    )
    expect(await run(text)).toBe(code)
  })

  test('a private address that a task names is refused unless the document approves it', async () => {
    const text = file(
      `hosts: ['127.0.0.1'], run: ({ http }) => http('http://127.0.0.1:9/').catch((error) => error.name)`,
    )
    expect(await run(text, {}, { by: taskInProcess })).toBe('http_address_denied')
  })

  test.for([
    'for (;;) {}',
    'return new Promise(() => {})',
    'const a = []; for (;;) a.push(new Array(1e6).fill(1))',
    'return "x".repeat(3e7)',
  ])('%s is ended', async (code) => {
    const text = file(`run() { ${code} }`)
    const failure = await thrownBy(() => run(text, {}, { timeoutMs: 300, by: taskInProcess }))
    expect(failure).toHaveProperty(
      'code',
      expect.stringMatching(/^(script_(limit|failed)|task_output_too_large)$/),
    )
  })
})

test('the example of the documentation keeps its contract', async () => {
  const example = join(import.meta.dirname, '../engine/sdk/examples/make-a-task.ts')
  const text = readFileSync(example, 'utf8').replaceAll('../../../../src-engine/index.ts', 'sagasmith')
  const checks = await testContract(await read(text), deskOfProcesses)
  expect(checks.map(({ what, isPassed }) => [what, isPassed])).toEqual([
    ['mock', true],
    ['output', true],
    ['compensate', true],
    ['killed', true],
  ])
})

describe('no way out', () => {
  test('none of what other places offer is there', async () => {
    const text = file(
      'run: ({ parameters }) => parameters.names.filter((name) => (0, eval)(`typeof ${name}`) !== "undefined"),' +
        'parameters: { type: "object", properties: { names: { type: "array" } } }',
    )
    expect(await run(text, { names: [...foreignNames, '__http'] }, { by: taskInProcess })).toEqual([])
  })

  // In this very process: what got out of QuickJS would be found right here.
  test.for(escapePayloads)('%s', async (payload) => {
    const code = `export default { run: async function (context) { const { input, run, vars } = context; ${payload}\n} }`
    const data = { input: {}, run: {}, vars: {}, parameters: {}, secrets: {} }
    const guest = startTaskGuest(
      await newLimitedQuickJs(),
      {
        ...{ kind: 'task', role: 'run', code, isTypeScript: false, fileName: 'acme.x.js' },
        ...{ context: JSON.stringify(data), timeoutMs: 200, memoryBytes: 32 * 1024 * 1024 },
        ...{ now: 1_700_000_000_000, seed: 1 },
      },
      { send: () => {}, elapsedMs: () => performance.now() },
    )
    const message = guest.ended()
    if (message?.kind === 'returned') expect(['null', null]).toContain(message.json)
    else expect(['threw', 'limit']).toContain(message?.kind)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('in the folder', () => {
  let root = ''
  beforeEach(() => {
    root = temporaryFolder()
    createDataDirectory(dataDirectory(root))
    mkdirSync(dataDirectory(root).tasks)
  })
  const save = (text: string, name = 'charge.task.ts'): void =>
    writeFileSync(join(dataDirectory(root).tasks, name), text)
  const document = (parameters: JsonObject = {}): WorkflowDocument =>
    documentOf({ id: 'w', title: 'W', nodes: { a: { kind: 'acme.charge', parameters } } })

  test('a changed file is followed, and one that is broken leaves what it was', async () => {
    const folder = createCustomTasks(dataDirectory(root).tasks, desk)
    save(
      file(
        'run: () => 1, parameters: { type: "object", properties: { by: { type: "number", title: "By" } } }',
      ),
    )
    const first = await folder.look()
    const spec = first.specs.get('acme.charge')
    expect(inputJsonSchema(spec?.parameters ?? codeTaskSpec.parameters)).toMatchObject({
      properties: { by: { type: 'number', title: 'By' } },
    })
    expect(spec?.parameters.safeParse({}).success).toBe(true)
    expect(spec?.parameters.safeParse({ by: 'x' }).success).toBe(false)
    expect(spec?.parameters.safeParse({ other: 1 }).success).toBe(false)
    expect(await folder.look()).toBe(first)
    save(file('run: () => 1, ,'))
    const broken = await folder.look()
    expect(broken.problems).toMatchObject([{ code: 'task_file_invalid', details: { line: 2, column: 95 } }])
    expect(broken.code.get('acme.charge')?.face.version).toBe('1')
    save(file('run: () => 1').replace(`version: '1'`, `version: '2'`))
    const mended = await folder.look()
    expect(mended.problems).toEqual([])
    expect(mended.code.get('acme.charge')?.face.version).toBe('2')
  })

  test('a run keeps the code that it began with, needs no file, and names what it reaches', async () => {
    const composed = await composeEngine({
      directory: dataDirectory(root),
      clock: systemClock,
      log: silentLog,
    })
    const { engine, close } = composed
    try {
      await engine.start()
      const start = () =>
        engine.startRun({ document: document(), input: null, baseDirectory: null, requestId: null })
      save(file('hosts: ["shop.example"], run: () => "one"'))
      const first = await start()
      save(file('run: () => "two"'), 'charge.task.ts')
      const second = await start()
      expect(first.hash).not.toBe(second.hash)
      const gave = async (id: typeof first.runId) => {
        expect((await engine.waitForRun(id)).status).toBe('SUCCEEDED')
        const payload = await engine.results.read({ runId: id, nodeId: null })
        return payload.kind === 'inline' ? JSON.parse(payload.json) : payload
      }
      expect(await gave(first.runId)).toBe('one')
      expect(await gave(second.runId)).toBe('two')
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
      expect(await gave(again.runId)).toBe('one')
      expect((await engine.version(first.hash)).document).toContain('shop.example')
    } finally {
      await close()
    }
  })

  test('its undo takes a step back, with what the step gave', async () => {
    save(
      file(
        `run: () => ({ id: 7 }), compensate: ({ output, log }) => { log('undoing', output.id); return 'undone' }`,
      ),
    )
    const composed = await composeEngine({
      directory: dataDirectory(root),
      clock: systemClock,
      sandbox: sandboxHere,
      log: silentLog,
    })
    const { engine, close } = composed
    try {
      await engine.start()
      const { specs } = await createCustomTasks(dataDirectory(root).tasks, desk).look()
      const undo = specs.get('acme.charge')?.undoneBy?.({})
      const nodes = {
        a: {
          kind: 'acme.charge',
          compensation: { task: undo === undefined || undo === null ? null : { ...undo } },
        },
        b: { kind: 'stop', parameters: { status: 'failed', message: 'no' } },
      }
      const drawn = documentOf({
        id: 'w',
        title: 'W',
        nodes,
        edges: { e: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } } },
      })
      const { runId } = await engine.startRun({
        document: drawn,
        input: null,
        baseDirectory: null,
        requestId: null,
      })
      expect((await engine.waitForRun(runId)).status).toBe('COMPENSATED')
    } finally {
      await close()
    }
  })

  test('its contract is tried without touching anything', async () => {
    const folder = createCustomTasks(dataDirectory(root).tasks, desk)
    const output = `output: { type: 'object', required: ['id'], properties: { id: { type: 'number' } } }`
    save(
      file(`${output}, mock: { id: 1 }, hosts: ['shop.example'], run: () => 1,
      compensate: async ({ output, http }) => (await http('https://shop.example/' + output.id)).status`),
    )
    expect(await folder.test('acme.charge')).toEqual([
      { what: 'mock', isPassed: true, message: '{"id":1}' },
      { what: 'output', isPassed: true, message: '' },
      { what: 'compensate', isPassed: true, message: '200' },
      { what: 'killed', isPassed: true, message: 'At its one request.' },
    ])
    save(file(`${output}, mock: { name: 1 }, run: () => 1, compensate: ({ output }) => output.id.toFixed()`))
    expect(await folder.test('acme.charge')).toMatchObject([
      { what: 'mock', isPassed: true },
      { what: 'output', isPassed: false, message: expect.stringContaining('id') },
      { what: 'compensate', isPassed: false, message: expect.stringContaining('TypeError') },
    ])
    save(file('run: () => 1'))
    expect(await folder.test('acme.charge')).toMatchObject([{ what: 'mock', isPassed: false }])
    await expect(folder.test('acme.other')).rejects.toMatchObject({ code: 'task_not_found' })
  })
})
