/** Shell commands: data never becomes command text, and nothing is left running. */

import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Clock } from '../../../src-engine/model/ports.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { shellCommandMock } from '../../../src-engine/tasks/shell-command/mock.ts'
import { createShellCommandRun } from '../../../src-engine/tasks/shell-command/run.ts'
import { shellCommandSpec } from '../../../src-engine/tasks/shell-command/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const secret = 'must-not-be-seen'
const environment = { PATH: process.env['PATH'], HOME: tmpdir(), LANG: 'C.UTF-8', SECRET: secret }
const expressions = createExpressionService({ clock: systemClock })
const task = createShellCommandRun({ environment, evaluate: expressions.evaluateOver })
afterAll(() => expressions.close())
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-shell-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const run = async (raw: JsonObject, parts: Partial<TaskContext> = {}) => {
  const context = taskContext({ baseDirectory: folder, ...parts })
  return outputOf(await task.execute(shellCommandSpec.parameters.parse(raw), context)) as JsonObject
}
const shell = (commandLine: string, raw: JsonObject = {}, parts: Partial<TaskContext> = {}) =>
  run({ useShell: true, commandLine, ...raw }, parts)

describe('output', () => {
  test.for<[string, string, unknown]>([
    ['text', 'a\nb\n', 'a\nb\n'],
    ['lines', 'a\nb\n', ['a', 'b']],
    ['json', '{"a":1}', { a: 1 }],
    ['jsonl', '1\n\n{"a":2}\n', [1, { a: 2 }]],
    ['none', 'x', null],
  ])('as %s', async ([output, text, expected]) => {
    expect(await run({ program: 'printf', arguments: ['%s', text], output })).toEqual({
      exitCode: 0,
      stdout: expected,
      stderr: '',
    })
  })

  test('every line is in the log', async () => {
    const context = taskContext({ baseDirectory: folder })
    const raw = { useShell: true, commandLine: 'echo one; echo two >&2; printf three' }
    await task.execute(shellCommandSpec.parameters.parse(raw), context)
    expect([...context.lines].sort()).toEqual(['stderr warn two', 'stdout info one', 'stdout info three'])
  })

  test('letters that are cut by the pipe are whole in the log', async () => {
    const context = taskContext({ baseDirectory: folder })
    const raw = { useShell: true, commandLine: "printf '\\303'; sleep 0.05; printf '\\244\\n'" }
    await task.execute(shellCommandSpec.parameters.parse(raw), context)
    expect(context.lines).toEqual(['stdout info ä'])
  })

  test.for<[string, string]>([
    ['json', '{'],
    ['jsonl', '1\n{'],
  ])('%s that is none fails', async ([output, text]) => {
    const failure = await thrownBy(() => run({ program: 'printf', arguments: ['%s', text], output }))
    expect(failure).toMatchObject({ code: 'task_failed', retryable: false })
  })

  test.for<[string, string, unknown]>([
    [
      '^(?<file>[^:]+):(?<line>[0-9]+)(?: (?<note>.+))?$',
      'a.ts:1 odd\nb.ts:22\nnone\n',
      [
        { file: 'a.ts', line: '1', note: 'odd' },
        { file: 'b.ts', line: '22', note: null },
      ],
    ],
    [
      String.raw`(\d+)/([)(\]/])`,
      '1/) 2/] 3//',
      [
        ['1', ')'],
        ['2', ']'],
        ['3', '/'],
      ],
    ],
    [String.raw`\\[a-z]`, String.raw`\a \1`, [String.raw`\a`]],
    ['x]', 'x] x', ['x]']],
    ['(?<=a)b', 'ab cb', ['b']],
    ['(?<a>x)(y)', 'xy', [{ a: 'x' }]],
    ['nothing', 'x', []],
  ])('what %s finds', async ([pattern, text, found]) => {
    const output = await run({ program: 'printf', arguments: ['%s', text], output: 'matches', pattern })
    expect(output['stdout']).toEqual(found)
  })

  test('a pattern that takes too long is ended, and the others go on', async () => {
    const hurried = createExpressionService({ clock: systemClock, limitMs: 20 })
    const slow = createShellCommandRun({ environment, evaluate: hurried.evaluateOver })
    const matching = (pattern: string) =>
      slow.execute(
        shellCommandSpec.parameters.parse({
          ...{ program: 'printf', arguments: ['%s', 'a'.repeat(20_000)], output: 'matches', pattern },
        }),
        taskContext({ baseDirectory: folder }),
      )
    expect(await thrownBy(() => matching('a*a*a*a*a*b'))).toMatchObject({ code: 'expression_too_slow' })
    expect(await matching('^a')).toMatchObject({ output: { stdout: ['a'] } })
    await hurried.close()
  })

  test.for(['', '(a+)+', '(', String.raw`(a)\1`, 'x'.repeat(300)])('%s is no pattern', (pattern) => {
    const raw = { program: 'x', output: 'matches', pattern }
    expect(shellCommandSpec.parameters.safeParse(raw).error?.issues).toMatchObject([{ path: ['pattern'] }])
  })

  test('too much of it ends the program', async () => {
    const failure = await thrownBy(() => run({ program: 'yes', maxOutputBytes: 1_000 }))
    expect(failure).toMatchObject({ code: 'task_output_too_large', details: { bytesMax: 1_000 } })
  })
})

describe('what an exit code means', () => {
  const exitMeanings = [
    { codes: '3, 10-19', name: 'Nothing found' },
    { codes: '4', name: 'Changed', countsAs: 'way' },
    { codes: '5', name: 'Busy', countsAs: 'retry' },
    { codes: '0, 6', name: 'Wrong', countsAs: 'fail' },
  ]
  const ended = (code: number, raw: JsonObject = {}) =>
    task.execute(
      shellCommandSpec.parameters.parse({
        ...{ useShell: true, commandLine: `printf x; exit ${code}`, exitMeanings, ...raw },
      }),
      taskContext({ baseDirectory: folder }),
    )

  test.for<[number, string, string]>([
    [3, 'Nothing found', 'out'],
    [12, 'Nothing found', 'out'],
    [4, 'Changed', 'exit-2'],
  ])('%i is a success: %s', async ([exitCode, outcome, way]) => {
    const output = { exitCode, outcome, stdout: 'x', stderr: '' }
    expect(await ended(exitCode)).toEqual({ kind: 'completed', output, ports: [way] })
  })

  test.for<[number, string, boolean]>([
    [5, 'Busy', true],
    [6, 'Wrong', false],
    [0, 'Wrong', false],
  ])('%i is a failure: %s', async ([exitCode, outcome, retryable]) => {
    const message = expect.stringContaining(`ended with exit code ${exitCode} (${outcome}): x`)
    const failure = { code: 'command_exit', retryable, message, details: { exitCode, outcome } }
    expect(await thrownBy(() => ended(exitCode))).toMatchObject(failure)
  })

  test('other codes are what the lists say', async () => {
    const lists = { successCodes: '7', finalCodes: '8' }
    expect(await ended(7, lists)).toMatchObject({ output: { exitCode: 7 }, ports: ['out'] })
    expect(await thrownBy(() => ended(8, lists))).toMatchObject({ retryable: false })
    expect(await thrownBy(() => ended(9, lists))).toMatchObject({ retryable: true })
  })

  test('who is ended by a signal has no code that could mean anything', async () => {
    const raw = { commandLine: 'kill -9 $$', exitMeanings: [{ codes: '0-255', name: 'Any' }] }
    expect(await thrownBy(() => ended(0, raw))).toMatchObject({
      details: { signal: 'SIGKILL' },
      retryable: true,
    })
  })

  test('each meaning with a way of its own is one out of the step; on mocks the usual one is taken', () => {
    expect(shellCommandSpec.outputs({ exitMeanings })).toEqual([
      { id: 'out', title: 'Output' },
      { id: 'exit-2', title: 'Changed' },
    ])
    const parameters = shellCommandSpec.parameters.parse({ program: 'x', exitMeanings })
    expect(shellCommandMock(parameters, taskContext())).toMatchObject({ ports: ['out'] })
  })
})

describe('what it is given', () => {
  test('standard input, as text or JSON', async () => {
    expect(await run({ program: 'cat', stdin: 'a$b' })).toMatchObject({ stdout: 'a$b' })
    expect(await run({ program: 'cat', stdin: { a: [1] } })).toMatchObject({ stdout: '{"a":[1]}' })
    expect(await run({ program: 'true', stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 })
  })

  test('a folder', async () => {
    expect(await run({ program: 'pwd' })).toMatchObject({ stdout: `${folder}\n` })
    expect(await run({ program: 'pwd', cwd: '/' })).toMatchObject({ stdout: '/\n' })
    expect(await thrownBy(() => run({ program: 'pwd', cwd: 'missing' }))).toMatchObject({
      code: 'file_not_found',
    })
  })

  test('an allow-list of the environment, what was declared, and who is asking', async () => {
    const { stdout } = await run({ program: 'env', env: { MINE: 'x', COUNT: 3 }, output: 'lines' })
    const names = (stdout as string[]).map((line) => line.split('=')[0])
    expect(stdout).toEqual(expect.arrayContaining(['MINE=x', 'COUNT=3', 'SAGASMITH_IDEMPOTENCY_KEY=key-1']))
    expect(names).not.toContain('SECRET')
    expect(names).toHaveLength(9)
  })
})

describe('payloads stay data', () => {
  const payloads = [
    '; touch pwned',
    '$(touch pwned)',
    '`touch pwned`',
    '| touch pwned',
    '&& touch pwned',
    '|| touch pwned',
    '& touch pwned',
    '\ntouch pwned\n',
    '> pwned',
    '< /etc/passwd',
    "'; touch pwned; '",
    '"; touch pwned; "',
    '$HOME',
    '${IFS}',
    '*',
    '~',
    '\\',
    '-n',
    '--help',
    '%s%n',
    '!history',
    '#comment',
    '{a,b}',
    '$((1+1))',
    'ä\u2028€',
  ]
  test.for(payloads)('%o as an argument', async (payload) => {
    expect(await run({ program: 'printf', arguments: ['[%s]', payload] })).toMatchObject({
      stdout: `[${payload}]`,
    })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
  test.for(payloads)('%o as a variable of a command line', async (payload) => {
    expect(await shell('printf "[%s]" "$DATA"', { env: { DATA: payload } })).toMatchObject({
      stdout: `[${payload}]`,
    })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
  test('as the name of a program', async () => {
    expect(await thrownBy(() => run({ program: 'true; touch pwned' }))).toMatchObject({
      code: 'command_not_found',
    })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
  test('a character that ends a C string is refused', async () => {
    expect(await thrownBy(() => run({ program: 'printf', arguments: ['a\0b'] }))).toMatchObject({
      code: 'task_input_invalid',
    })
    expect(await thrownBy(() => run({ program: 'env', env: { A: 'a\0b' } }))).toMatchObject({
      code: 'task_input_invalid',
    })
  })
})

describe('endings', () => {
  test('an exit code fails the step and says the last line of what was printed', async () => {
    expect(await thrownBy(() => shell('echo bad luck >&2; exit 3'))).toMatchObject({
      code: 'command_exit',
      message: expect.stringContaining('ended with exit code 3: bad luck'),
      details: { exitCode: 3, stderr: 'bad luck\n' },
      retryable: true,
    })
  })
  test('codes can be mapped to success, or to never again', async () => {
    expect(await shell('exit 4', { successCodes: '0, 3-5' })).toMatchObject({ exitCode: 4 })
    expect(await thrownBy(() => shell('exit 4', { finalCodes: '4' }))).toMatchObject({ retryable: false })
    expect(await thrownBy(() => shell('exit 0', { successCodes: '1' }))).toMatchObject({
      code: 'command_exit',
    })
  })
  test('a signal is named', async () => {
    expect(await thrownBy(() => shell('kill -9 $$'))).toMatchObject({
      details: { exitCode: null, signal: 'SIGKILL' },
    })
  })
  test.for(['no-such-program-here', '/etc/passwd'])('%s does not start', async (program) => {
    expect(await thrownBy(() => run({ program }))).toMatchObject({ code: 'command_not_found' })
  })
  test('a program or a command line is needed', () => {
    expect(shellCommandSpec.parameters.safeParse({}).success).toBe(false)
    expect(shellCommandSpec.parameters.safeParse({ useShell: true, program: 'ls' }).success).toBe(false)
    expect(shellCommandSpec.parameters.safeParse({ program: 'ls', env: { 'A B': '1' } }).success).toBe(false)
  })
})

describe('nothing is left running', () => {
  /** A process that has ended but whose parent hasn't looked yet counts as gone. */
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
      return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  /** What has not happened by then never will. */
  const bound = { timeout: 120_000, interval: 10 }
  /** Grace times pass twenty times as fast. */
  const clock: Clock = { ...systemClock, after: (span, call) => systemClock.after(span / 20, call) }
  const grandchild = async () => {
    const file = join(folder, 'pid')
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), bound)
    return vi.waitFor(async () => {
      const pid = Number(await readFile(file, 'utf8'))
      expect(pid).toBeGreaterThan(1)
      return pid
    }, bound)
  }
  const isGone = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), bound)

  test('cancel ends the program and what it started', async () => {
    const controller = new AbortController()
    const line = "sh -c 'sleep 600 & echo $! > pid; wait' & wait"
    const cancelled = thrownBy(() => shell(line, {}, { signal: controller.signal, clock }))
    const pid = await grandchild()
    expect(isAlive(pid)).toBe(true)
    controller.abort()
    expect(await cancelled).toMatchObject({ code: 'task_cancelled' })
    await isGone(pid)
  })

  test('what ignores the request to end is ended by force, after the grace that is set', async () => {
    const controller = new AbortController()
    const graces: number[] = []
    const watched: Clock = {
      ...clock,
      after: (span, call) => {
        graces.push(span)
        return clock.after(span, call)
      },
    }
    const line =
      "sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 0.1; done' & trap '' TERM; wait; wait"
    const cancelled = thrownBy(() =>
      shell(line, {}, { signal: controller.signal, clock: watched, killGraceMs: 700 }),
    )
    const pid = await grandchild()
    controller.abort()
    expect(await cancelled).toMatchObject({ code: 'task_cancelled' })
    await isGone(pid)
    expect(graces).toEqual([700])
  })

  test('a background process goes when its program has ended', async () => {
    expect(await shell('sleep 600 & echo $! > pid; echo done')).toMatchObject({ stdout: 'done\n' })
    await isGone(await grandchild())
  })

  test('a cancel that came first starts nothing', async () => {
    expect(await thrownBy(() => shell('touch pwned', {}, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'task_cancelled',
    })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
})
