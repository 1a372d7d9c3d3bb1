/** JavaScript in its sandbox: what it may do, what it can't reach, and that it always ends. */

import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { runGuest } from '../../src-engine/tasks/javascript/guest.ts'
import { newLimitedQuickJs } from '../../src-engine/tasks/javascript/limited-quickjs.ts'
import { createJavaScriptRun } from '../../src-engine/tasks/javascript/run.ts'
import type { SandboxHost, SandboxProcess } from '../../src-engine/tasks/javascript/sandbox-host.ts'
import { createNodeSandboxHost } from '../../src-engine/tasks/javascript/sandbox-host.ts'
import type { SandboxMessage } from '../../src-engine/tasks/javascript/sandbox-message.ts'
import { javaScriptSpec } from '../../src-engine/tasks/javascript/spec.ts'
import type { TaskContext } from '../../src-engine/tasks/task.ts'
import { escapePayloads, foreignNames } from '../support/escapes.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { outputOf, taskContext, thrownBy } from '../support/task-context.ts'

const host = createNodeSandboxHost()
const packages = { allowed: [], folder: '/nowhere' }
const task = createJavaScriptRun({ sandbox: host, packages })
const taskHere = createJavaScriptRun({ sandbox: sandboxHere, packages })
/** For code that ends by itself: the machine may be busy with other things. */
const limits = { timeoutMs: 60_000, memoryMb: 32 }
/** For code that is to be ended. */
const tight = { timeoutMs: 200, memoryMb: 32 }

const run = async (code: string, parts: Partial<TaskContext> = {}, raw: object = limits) =>
  outputOf(await task.execute(javaScriptSpec.parameters.parse({ code, ...raw }), taskContext(parts)))

/** What code says that ends by itself; of all that comes with processes, the tests that use `run` see enough. */
const runHere = async (code: string, parts: Partial<TaskContext> = {}) =>
  outputOf(await taskHere.execute(javaScriptSpec.parameters.parse({ code, ...limits }), taskContext(parts)))

describe('code', () => {
  test.for<[string, JsonValue]>([
    ['return input.from', 'before'],
    ['return [vars.currency, run.id]', ['EUR', 'run_1']],
    ['const x = 1', null],
    ['return undefined', null],
    [
      'return { a: undefined, b: () => 1, c: NaN, d: new Date(0) }',
      { c: null, d: '1970-01-01T00:00:00.000Z' },
    ],
    ['return await Promise.resolve(4)', 4],
    ['const f = async () => 5; return f()', 5],
    ['return new Map([["a", 1]]).get("a")', 1],
    ['// nothing but a comment', null],
    ['return "ä\u2028€😀\\n"', 'ä\u2028€😀\n'],
    [
      'return [Date.now(), new Date().toISOString(), new Date(5).getTime(), new Date() instanceof Date]',
      [1_700_000_000_000, '2023-11-14T22:13:20.000Z', 5, true],
    ],
  ])('%s', async ([code, expected]) => {
    expect(await runHere(code)).toEqual(expected)
  })

  test('ctx has what its step is handed, and the secrets that it names', async () => {
    const redacting = { redact: (text: string) => text.replaceAll('s3cret-value', '•••') }
    const context = taskContext({
      attempt: 3,
      secrets: redacting as unknown as NonNullable<TaskContext['secrets']>,
    })
    const code = `ctx.log('pin', ctx.secrets.PIN, { a: 1 })
console.log('x'.repeat(3_990) + ctx.secrets.PIN)
try { ctx.secrets.PIN = 1 } catch (error) { console.log(error.name) }
if (ctx.attempt === 4) throw new Error(ctx.secrets.PIN)
return [ctx.idempotencyKey, ctx.attempt, Object.keys(ctx.secrets), typeof globalThis.__ctx, ctx.signal.aborted]`
    const raw = { code, secrets: { PIN: 's3cret-value' }, ...limits }
    const outcome = await task.execute(javaScriptSpec.parameters.parse(raw), context)
    expect(outputOf(outcome)).toEqual(['key-1', 3, ['PIN'], 'undefined', false])
    expect(context.lines).toEqual([
      'console info pin ••• {"a":1}',
      // Half of a secret is found by nobody: it is taken out before the line is cut.
      `console info ${'x'.repeat(3_990)}•••`,
      'console info TypeError',
    ])
    const again = { ...context, attempt: 4 }
    expect(await thrownBy(() => task.execute(javaScriptSpec.parameters.parse(raw), again))).toMatchObject({
      message: 'Line 4: •••',
    })
  })

  test('the key that is the same in each attempt is there, to hand to the outside', async () => {
    expect(await runHere('return run.idempotencyKey')).toBe('key-1')
  })

  test('of TypeScript runs without its types, each line where it was', async () => {
    const typed = { ...limits, language: 'typescript' }
    const code = `interface Row { readonly n: number }
type Sum = (rows: readonly Row[]) => number
const sum: Sum = (rows) => rows.reduce((a, { n }): number => a + n, 0 as number)
return sum(input as Row[])`
    expect(await run(code, { input: [{ n: 1 }, { n: 2 }] }, typed)).toBe(3)
    const late = await thrownBy(() => run('type A = string\nconst a: A = "x"\nnull!.b', {}, typed))
    expect(late).toMatchObject({ code: 'script_failed', details: { line: 3 } })
    const wrong = await thrownBy(() => run('const a: = 1', {}, typed))
    expect(wrong).toMatchObject({ code: 'script_failed', retryable: false, details: { line: 1 } })
    // What isn’t code of its own is no way out of it.
    expect(await thrownBy(() => run('return 1 }; async function b() {', {}, typed))).toMatchObject({
      code: 'script_failed',
    })
    expect(await thrownBy(() => run('const a: string = "x"'))).toMatchObject({ code: 'script_failed' })
  })

  test('what it is handed may be called like something of its own', async () => {
    expect(await runHere('const ctx = 1, input = 2; return [ctx, input, run.id]')).toEqual([1, 2, 'run_1'])
  })

  test('chance says the same for the same step', async () => {
    const first = await run('return [Math.random(), Math.random()]')
    expect(await run('return [Math.random(), Math.random()]')).toEqual(first)
  })

  test('the console writes into the log, in order and up to a limit', async () => {
    const context = taskContext()
    const code =
      'console.log("a", {b: 1}); console.warn(2); console.error(new Error("no")); for (let i = 0; i < 2000; i++) console.debug(i)'
    await task.execute(javaScriptSpec.parameters.parse({ code, ...limits }), context)
    expect(context.lines.slice(0, 3)).toEqual([
      'console info a {"b":1}',
      'console warn 2',
      'console error Error: no',
    ])
    expect(context.lines).toHaveLength(1_000)
    expect(context.lines.at(-1)).toMatch(/more lines are not kept/)
  })

  test.for<[string, number, string, boolean]>([
    ['const a = 1\n\nnull.b', 3, 'Line 3: TypeError: ', true],
    ['const f = () => {\n  throw new Error("no stock")\n}\nf()', 2, 'Line 2: no stock', true],
    ['const a = 1\nconst a = 2', 2, 'Line 2: SyntaxError: ', false],
    ['return nothere', 1, 'Line 1: ReferenceError: ', true],
  ])('%o names its line', async ([code, line, message, retryable]) => {
    const failure = await thrownBy(() => runHere(code))
    expect(failure).toMatchObject({ code: 'script_failed', retryable, details: { line } })
    expect(failure).toHaveProperty('message', expect.stringContaining(message))
  })

  test.for<[string, string]>([
    ['throw "text"', 'text'],
    ['throw { a: 1 }', '{"a":1}'],
    ['throw null', 'null'],
    ['await new Promise(() => {})', 'promise that nothing will ever resolve'],
    ['const a = {}; a.a = a; return a', 'circular'],
    ['return 1n', 'BigInt'],
  ])('%s fails with words', async ([code, words]) => {
    expect(await thrownBy(() => runHere(code))).toMatchObject({
      code: 'script_failed',
      message: expect.stringContaining(words),
    })
  })
})

describe('limits', () => {
  test.for([
    'while (true) {}',
    'for (;;) { try { for (;;) {} } catch {} }',
    'await (async () => { for (;;) await null })()',
    '/^(a+)+$/.test("a".repeat(50) + "!")',
    'const f = () => Promise.resolve().then(f); return f()',
    '"x".repeat(1e6).split("").sort(() => { for (;;); })',
    'return { toJSON() { for (;;); } }',
    'const a = []; for (;;) a.push(new Array(1e6).fill(1))',
    'let s = "x"; for (;;) s += s',
    'const a = {}; for (let i = 0; ; i++) a["k" + i] = new Uint8Array(1e5)',
    'new Array(1e9).fill(0)',
    'new ArrayBuffer(2 ** 31 - 1)',
    'const f = () => f() + 1; return f()',
    'return JSON.parse("[".repeat(2e5))',
    'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o',
    'return "x".repeat(3e7)',
    'for (;;) { try { new Array(1e7).fill({}) } catch {} }',
  ])('%s is ended', async (code) => {
    const failure = await thrownBy(() => run(code, {}, tight))
    expect(failure).toHaveProperty('code', expect.stringMatching(/^script_(limit|failed)$/))
  })

  test('calls that take long each, and look at no clock, are ended with their process', async () => {
    // The guest asks for the time once in ten thousand turns, and each of these turns takes milliseconds.
    const code =
      'const a = []; for (;;) { a.push(Array.from({ length: 1e4 })); if (a.length > 50) a.length = 0 }'
    expect(await thrownBy(() => run(code, {}, { ...tight, memoryMb: 64 }))).toMatchObject({
      code: 'script_limit',
      details: { limit: 'time' },
    })
  })

  test('a process that never answers is killed at three times the limit', async () => {
    const spans: number[] = []
    let isKilled = false
    const silent: SandboxHost = {
      start: (): SandboxProcess => ({
        send: () => {},
        onText: (receive) => receive('{"kind":"ready"}'),
        onExit: () => {},
        kill: () => {
          isKilled = true
        },
      }),
    }
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      after: (span: number, call: () => void) => {
        spans.push(span)
        if (spans.length === 2) queueMicrotask(call)
        return () => {}
      },
    }
    const hung = createJavaScriptRun({ sandbox: silent, packages })
    const parameters = javaScriptSpec.parameters.parse({ code: 'return 1', ...tight })
    expect(await thrownBy(() => hung.execute(parameters, taskContext({ clock })))).toMatchObject({
      code: 'script_limit',
    })
    expect(spans[1]).toBe(600)
    expect(isKilled).toBe(true)
  })

  test('code that asks for its signal is told when it is cancelled, and has a moment to say so', async () => {
    const controller = new AbortController()
    const context = taskContext({
      signal: controller.signal,
      // Cancelled once the code is at work.
      log: ({ text }) => {
        said.push(text)
        if (text === 'begun') controller.abort('cancel')
      },
    })
    const said: string[] = []
    const code = `ctx.signal.addEventListener('abort', () => ctx.log('heard', ctx.signal.reason.name))
console.log('begun')
while (!ctx.signal.aborted) await null
ctx.log('left')`
    const stopped = thrownBy(() =>
      task.execute(javaScriptSpec.parameters.parse({ code, ...limits }), context),
    )
    expect(await stopped).toMatchObject({ code: 'task_cancelled' })
    expect(said).toEqual(['begun', 'heard AbortError', 'left'])
  })

  test('code that is told and goes on is killed after its moment', async () => {
    const controller = new AbortController()
    const spans: number[] = []
    const clock = {
      ...systemClock,
      after: (span: number, call: () => void) => {
        spans.push(span)
        // The moment is over at once; all other spans are as long as they are.
        return systemClock.after(span === 4_711 ? 0 : span, call)
      },
    }
    const context = taskContext({
      ...{ signal: controller.signal, clock, killGraceMs: 4_711 },
      log: () => controller.abort('timeout'),
    })
    const code = 'ctx.signal; console.log("begun"); for (;;) await null'
    const stopped = thrownBy(() =>
      task.execute(javaScriptSpec.parameters.parse({ code, ...limits }), context),
    )
    expect(await stopped).toMatchObject({ code: 'task_cancelled' })
    expect(spans).toContain(4_711)
  })

  test('code whose time is short hears of it, and may give what it has', async () => {
    let looks = 0
    const request = {
      code: 'let n = 0; ctx.signal.onabort = () => { n += 1 }; while (!ctx.signal.aborted) await null; return [n, ctx.signal.reason.name]',
      ...{
        input: '{}',
        run: '{}',
        vars: '{}',
        now: 1,
        seed: 1,
        timeoutMs: 100,
        memoryBytes: 32 * 1024 * 1024,
      },
    }
    const message = await runGuest(await newLimitedQuickJs(), request, {
      send: () => {},
      elapsedMs: () => {
        looks += 1
        return looks
      },
    })
    expect(message).toEqual({ kind: 'returned', json: '[1,"TimeoutError"]' })
  })

  test('cancel ends it at once', async () => {
    const controller = new AbortController()
    const cancelled = thrownBy(() => run('for (;;) {}', { signal: controller.signal }, { timeoutMs: 60_000 }))
    controller.abort()
    expect(await cancelled).toMatchObject({ code: 'task_cancelled' })
  })

  test('a returned value larger than a step may hand on', async () => {
    const failure = await thrownBy(() => run('return "x".repeat(11e6)', {}, { ...limits, memoryMb: 256 }))
    expect(failure).toMatchObject({ code: 'task_output_too_large' })
  })
})

describe('no way out', () => {
  test('there are enough of them', () =>
    expect(foreignNames.length + escapePayloads.length).toBeGreaterThanOrEqual(60))

  test('none of what other places offer is there', async () => {
    const code = 'return input.filter((name) => (0, eval)(`typeof ${name}`) !== "undefined")'
    expect(await run(code, { input: foreignNames })).toEqual([])
  })

  // In this very process: what got out of QuickJS would be found right here.
  const attack = async (code: string): Promise<SandboxMessage> => {
    const message = { input: '{}', run: '{}', vars: '{}', now: 1_700_000_000_000, seed: 1 }
    const request = { ...message, code, timeoutMs: 200, memoryBytes: 32 * 1024 * 1024 }
    return runGuest(await newLimitedQuickJs(), request, {
      send: () => {},
      elapsedMs: () => performance.now(),
    })
  }

  test.for(escapePayloads)('%s', async (code) => {
    const message = await attack(code)
    if (message.kind === 'returned') expect(['null', null]).toContain(message.json)
    else expect(['threw', 'limit']).toContain(message.kind)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('even its process can neither read the user’s files nor start programs', async () => {
    const texts: string[] = []
    const child = host.start()
    const ended = new Promise<void>((resolve) => child.onExit(resolve))
    child.onText((text) => texts.push(text))
    child.send('this is no request')
    await ended
    expect(texts).toEqual(['{"kind":"ready"}'])
  })
})
