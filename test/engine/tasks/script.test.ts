/** Scripts: JSON in, JSON out, by whatever interpreter there is; and nothing of them is left. */

import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { scriptMock } from '../../../src-engine/tasks/script/mock.ts'
import { createScriptRun } from '../../../src-engine/tasks/script/run.ts'
import { scriptSpec } from '../../../src-engine/tasks/script/spec.ts'
import type { Pausable, TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const expressions = createExpressionService({ clock: systemClock })
afterAll(() => expressions.close())
let folder = ''
/** Programs of the test's own, found before all others. */
let programs = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sagasmith-scripted-')))
  programs = join(folder, 'programs')
  await mkdir(programs)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Tells how it was called instead of reading the script. */
const standIn = `#!${process.execPath}
const { readFileSync } = require('node:fs')
const file = process.argv.find((word) => word.includes('sagasmith-script-'))
const rest = process.argv.slice(process.argv.indexOf(file) + 1)
const code = readFileSync(file, 'utf8')
const { PATH, PYTHONUNBUFFERED, VIRTUAL_ENV, MINE } = process.env
const called = { as: process.argv[1], options: process.argv.slice(2, process.argv.indexOf(file)), rest, code }
console.log(JSON.stringify({ ...called, file, PATH, PYTHONUNBUFFERED, VIRTUAL_ENV, MINE }))
`
async function programIs(path: string): Promise<void> {
  await writeFile(path, standIn)
  await chmod(path, 0o755)
}

function execute(
  raw: JsonObject,
  parts: Partial<TaskContext> = {},
  path = `${programs}:${process.env['PATH']}`,
) {
  const environment = { PATH: path, HOME: folder, SECRET: 'must-not-be-seen' }
  const run = createScriptRun({ environment, evaluate: expressions.evaluateOver })
  return run.execute(scriptSpec.parameters.parse(raw), taskContext({ baseDirectory: folder, ...parts }))
}
const outcomeOf = async (raw: JsonObject): Promise<unknown> => {
  try {
    return await execute(raw)
  } catch (thrown) {
    return thrown
  }
}
const run = async (raw: JsonObject, parts: Partial<TaskContext> = {}) => outputOf(await execute(raw, parts))
const shell = (code: string, raw: JsonObject = {}, parts: Partial<TaskContext> = {}) =>
  run({ language: 'shell', code, ...raw }, parts)

const leftOver = async (): Promise<readonly string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('sagasmith-script-'))

describe('data', () => {
  test('comes as JSON, what arrived unless something else is given, and what is printed goes on', async () => {
    expect(await shell('cat')).toEqual({ from: 'before' })
    expect(await shell('cat', { input: { rows: [1] } })).toEqual({ rows: [1] })
    // Texts too, so that a script reads the same in every case.
    expect(await shell('cat', { input: 'a "text"' })).toBe('a "text"')
  })

  test('is worked on by a language of the machine, with its own arguments and variables', async () => {
    const code = `
import { readFileSync } from 'node:fs'
const input = JSON.parse(readFileSync(0, 'utf8'))
const [first] = process.argv.slice(2)
console.log(JSON.stringify({ sum: input.reduce((a, b) => a + b, 0), first, token: process.env.TOKEN }))
`
    const raw = { language: 'node', interpreter: process.execPath, code, input: [1, 2, 3] }
    const given = { arguments: ['$(id) "x"'], env: { TOKEN: 's3cret' } }
    expect(await run({ ...raw, ...given })).toEqual({ sum: 6, first: '$(id) "x"', token: 's3cret' })
  })

  test.for<[string, JsonObject, unknown]>([
    ['echo working; echo \'{"a":1}\'', {}, { a: 1 }],
    ['printf \'{\\n  "a": 1\\n}\\n\'', {}, { a: 1 }],
    ['true', {}, null],
    ['printf "1\\n2\\n"', { output: 'jsonl' }, [1, 2]],
    ['printf "a\\nb\\n"', { output: 'lines' }, ['a', 'b']],
    ['printf "a"', { output: 'text' }, 'a'],
    ['printf "x=1 x=2"', { output: 'matches', pattern: 'x=(?<x>\\d)' }, [{ x: '1' }, { x: '2' }]],
    ['echo ignored', { output: 'none' }, null],
  ])('%j is read %j', async ([code, raw, expected]) => {
    expect(await shell(code, raw)).toEqual(expected)
  })

  test('that is no JSON is told, and every line was in the log at once', async () => {
    const context = taskContext({ baseDirectory: folder })
    const failed = await thrownBy(() => shell('echo one; echo two >&2', {}, { log: context.log }))
    expect(failed).toMatchObject({ code: 'task_failed', retryable: false })
    expect([...context.lines].sort()).toEqual(['stderr warn two', 'stdout info one'])
  })

  test('of the engine’s own environment stays out, but for what every program needs', async () => {
    const seen = await shell('env', { output: 'lines', env: { MINE: 'x' } })
    expect(seen).toEqual(expect.arrayContaining(['MINE=x', `HOME=${folder}`, 'SAGASMITH_ATTEMPT=1']))
    expect(JSON.stringify(seen)).not.toContain('must-not-be-seen')
  })
})

describe('the end of a script', () => {
  test('with an exit code fails the step, and names no place that is gone', async () => {
    const failed = await thrownBy(() => shell('echo "$0: bad" >&2; exit 3'))
    expect(failed).toMatchObject({
      code: 'command_exit',
      message: 'The Shell script ended with exit code 3: script.sh: bad',
      details: { exitCode: 3, language: 'shell' },
    })
  })

  test('goes the way that its exit code means', async () => {
    const exitMeanings = [{ codes: '4', name: 'Changed', countsAs: 'way' }]
    const raw = { language: 'shell', code: 'echo 1; exit 4', exitMeanings }
    expect(await execute(raw)).toEqual({ kind: 'completed', output: 1, ports: ['exit-1'] })
    expect(scriptSpec.outputs({ exitMeanings })).toHaveLength(2)
    expect(scriptMock(scriptSpec.parameters.parse(raw), taskContext())).toEqual({
      ...{ kind: 'completed', output: null },
      ports: ['out'],
    })
  })

  test('leaves nothing of it on the disk, whatever it was', async () => {
    const before = await leftOver()
    await shell('echo 1')
    await thrownBy(() => shell('exit 1'))
    await thrownBy(() => shell('yes', { maxOutputBytes: 1_000 }))
    const cancel = new AbortController()
    const parts = { signal: cancel.signal, log: () => cancel.abort() }
    expect(await thrownBy(() => shell('echo begun; sleep 600', {}, parts))).toMatchObject({
      code: 'task_cancelled',
    })
    const left = (await leftOver()).filter((name) => !before.includes(name))
    expect(left).toEqual([])
  })

  test('too much of its output ends it', async () => {
    const failed = await thrownBy(() => shell('yes', { maxOutputBytes: 1_000 }))
    expect(failed).toMatchObject({ code: 'task_output_too_large' })
  })

  test('may wait: a pause has it stand still, and it goes on', async () => {
    const said: string[] = []
    const programs: (Pausable | null)[] = []
    const held = run(
      { language: 'shell', code: 'echo begun; read -r line; echo "$line"', output: 'lines' },
      {
        input: 'go',
        setPausable: (program) => programs.push(program),
        log: ({ text }) => {
          if (said.length === 0) {
            expect(programs.at(-1)?.pause()).toBe(true)
            programs.at(-1)?.resume()
          }
          said.push(text)
        },
      },
    )
    expect(await held).toEqual(['begun', '"go"'])
    expect(programs.at(-1)).toBeNull()
  })
})

describe('the interpreter', () => {
  test('of Python is the first of its names, and prints at once', async () => {
    await programIs(join(programs, 'python'))
    const raw = { code: 'print(1)', arguments: ['a', 2], options: ['-X', 'dev'] }
    const alone = outputOf(await execute(raw, {}, programs)) as JsonObject
    expect(alone).toMatchObject({
      ...{ as: join(programs, 'python'), options: ['-X', 'dev'], rest: ['a', '2'] },
      ...{ code: 'print(1)', PYTHONUNBUFFERED: '1' },
    })
    await programIs(join(programs, 'python3'))
    expect(await run(raw)).toMatchObject({ as: join(programs, 'python3') })
    expect(alone).toMatchObject({ file: expect.stringMatching(/sagasmith-script-\w+\/script\.py$/) })
    // What a step says of the environment counts more.
    expect(await run({ ...raw, env: { PYTHONUNBUFFERED: '0' } })).toMatchObject({ PYTHONUNBUFFERED: '0' })
  })

  test('of a virtual environment is its own, and its programs come first', async () => {
    await mkdir(join(folder, '.venv/bin'), { recursive: true })
    await programIs(join(folder, 'base'))
    await symlink(join(folder, 'base'), join(folder, '.venv/bin/python'))
    const called = (await run({ code: 'x', venv: '.venv' })) as JsonObject
    expect(called).toMatchObject({ as: join(folder, '.venv/bin/python'), VIRTUAL_ENV: join(folder, '.venv') })
    expect(called).toMatchObject({ PATH: expect.stringContaining(`${folder}/.venv/bin:${programs}`) })
    const missing = await thrownBy(() => run({ code: 'x', venv: 'other' }))
    expect(missing).toMatchObject({
      code: 'interpreter_not_found',
      hint: expect.stringContaining('python3 -m venv other'),
    })
  })

  test('that may not be used is refused before anything runs', async () => {
    const failed = await thrownBy(() => run({ code: 'x', venv: '/opt/x' }, { approvedFolders: ['inside'] }))
    expect(failed).toMatchObject({ code: 'file_place_denied' })
  })

  test('of another language is what the step names, with the ending that it goes by', async () => {
    await programIs(join(programs, 'lua'))
    const raw = { language: 'other', interpreter: 'lua', extension: 'lua', code: 'return 1' }
    expect(await run(raw)).toMatchObject({ file: expect.stringMatching(/script\.lua$/), code: 'return 1' })
    expect(scriptSpec.parameters.safeParse({ language: 'other', code: 'x' }).success).toBe(false)
    expect(scriptSpec.parameters.safeParse({ interpreter: 'a', venv: 'b', code: 'x' }).success).toBe(false)
  })

  test.for([
    ['python', '“python3” or “python”', 'Install Python 3'],
    ['ruby', '“ruby”', 'Install Ruby'],
    ['r', '“Rscript”', 'Install R'],
  ])('that isn’t there is told with what to do: %s', async ([language = '', names = '', install = '']) => {
    const failed = await thrownBy(() => execute({ language, code: 'x' }, {}, programs))
    expect(failed).toMatchObject({
      code: 'interpreter_not_found',
      message: expect.stringContaining(names),
      hint: expect.stringContaining(install),
      retryable: false,
    })
    expect(existsSync(join(folder, 'script'))).toBe(false)
  })

  test('that is really there counts and says where it failed; where none is, that is said', async () => {
    const sum = 'import json, sys\nprint(json.dumps(sum(json.load(sys.stdin))))'
    const result = await outcomeOf({ code: sum, input: [1, 2, 3] })
    const isMissing = result instanceof Error
    expect(result).toMatchObject(isMissing ? { code: 'interpreter_not_found' } : { output: 6 })
    const failed = await thrownBy(() => execute({ code: 'import json\n\n1 / 0\n' }))
    expect(failed).toMatchObject(
      isMissing
        ? { code: 'interpreter_not_found' }
        : {
            message: 'The Python script ended with exit code 1: ZeroDivisionError: division by zero',
            details: { stderr: expect.stringContaining('File "script.py", line 3') },
          },
    )
  })
})

describe('a script as it is told', () => {
  const told = (raw: JsonObject & { readonly code: string }) => scriptSpec.reach[0]?.told?.(raw, raw.code)

  test('has its whole text, its interpreter, and what it is given', () => {
    expect(told({ code: 'print(1)' })).toBe('python script\nprint(1)')
    const raw = { language: 'ruby', interpreter: '/opt/ruby', options: ['-W'], arguments: ['a b'] }
    expect(told({ ...raw, code: 'x', env: { A: '{{ input.a }}' }, input: [1], asUser: 'www' })).toBe(
      'sudo -u www A="{{ input.a }}" /opt/ruby -W script "a b" <<< [1]\nx',
    )
    expect(told({ venv: '.venv', code: 'x' })).toBe('.venv/bin/python script\nx')
  })

  test('is the first line that does something, on its card', () => {
    expect(scriptSpec.summary({ code: '# why\nimport json\n\nprint(1)' })).toBe('Python: print(1)')
    expect(scriptSpec.summary({ language: 'other', interpreter: 'lua', code: '' })).toBe('lua')
  })
})
