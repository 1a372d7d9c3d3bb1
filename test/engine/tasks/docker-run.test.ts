/** Containers: by a stand-in for the engine's command line, which runs the command here and keeps what it was told. */

import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { runWords } from '../../../src-engine/tasks/docker-run/command-line.ts'
import { dockerRunMock } from '../../../src-engine/tasks/docker-run/mock.ts'
import { createDockerRun } from '../../../src-engine/tasks/docker-run/run.ts'
import { dockerRunSpec } from '../../../src-engine/tasks/docker-run/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

/** What follows the image runs with the variables that are named, as in a container; one image can't be started. */
const standIn = `#!${process.execPath}
const { appendFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const words = process.argv.slice(2)
appendFileSync(process.env.HOME + '/calls', JSON.stringify({ words, env: process.env }) + '\\n')
if (words[0] === 'run') {
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('--'))
  if (words[at] === 'broken') {
    process.stderr.write('docker: Error response from daemon: no space left.\\nSee docker run --help\\n')
    process.exit(125)
  }
  const names = words.filter((word) => word.startsWith('--env=')).map((word) => word.slice(6))
  const env = { PATH: process.env.PATH, ...Object.fromEntries(names.map((name) => [name, process.env[name]])) }
  const [file, ...rest] = words.slice(at + 1)
  spawn(file, rest, { stdio: 'inherit', env }).on('close', (code) => process.exit(code ?? 137))
}
`
interface Call {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const expressions = createExpressionService({ clock: systemClock })
afterAll(() => expressions.close())
let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sagasmith-docker-')))
  for (const engine of ['docker', 'podman']) {
    await writeFile(join(folder, engine), standIn)
    await chmod(join(folder, engine), 0o755)
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const calls = async (): Promise<readonly Call[]> =>
  (await readFile(join(folder, 'calls'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call)

function execute(
  raw: JsonObject,
  parts: Partial<TaskContext> = {},
  path = `${folder}:${process.env['PATH']}`,
) {
  const environment = { PATH: path, HOME: folder, DOCKER_HOST: 'unix:///engine.sock', OTHER: 'not for it' }
  const run = createDockerRun({ environment, evaluate: expressions.evaluateOver })
  const parameters = dockerRunSpec.parameters.parse({ image: 'alpine:3', ...raw })
  return run.execute(parameters, taskContext({ baseDirectory: folder, ...parts }))
}

describe('a program in a container', () => {
  test('is given its words, variables and input as they are, and hands on what it printed', async () => {
    const context = taskContext({ baseDirectory: folder })
    const script = 'cat; printf "%s|%s|%s\\n" "$TOKEN" "$OTHER" "$SAGASMITH_ATTEMPT"; echo late >&2; exit 3'
    const outcome = await execute(
      {
        command: ['sh', '-c', script, '; rm -rf /', '$(id)'],
        ...{ env: { TOKEN: 's3cret $x' }, stdin: 'one\n', output: 'lines', successCodes: '0, 3' },
      },
      { log: context.log },
    )
    expect(outputOf(outcome)).toEqual({ exitCode: 3, stdout: ['one', 's3cret $x||1'], stderr: 'late\n' })
    expect(context.lines).toEqual(expect.arrayContaining(['stdout info one', 'stderr warn late']))
    const [call, ...others] = await calls()
    expect(others).toEqual([])
    expect(call?.words.slice(-5)).toEqual(['sh', '-c', script, '; rm -rf /', '$(id)'])
    // Whoever looks at the processes of the machine sees the names, and no value.
    expect(call?.words).toEqual(expect.arrayContaining(['--env=TOKEN', '--interactive', '--network=none']))
    expect(JSON.stringify(call?.words)).not.toContain('s3cret')
    expect(call?.env).toMatchObject({ DOCKER_HOST: 'unix:///engine.sock', TOKEN: 's3cret $x' })
    expect(call?.env).not.toHaveProperty('OTHER')
  })

  test('is run by the engine that is named, and within the limits that are set', async () => {
    const limits = { memoryMb: 64, cpus: 0.5, processes: 9, network: 'bridge', pull: 'never' }
    await execute({ engine: 'podman', command: ['true'], cwd: '/w', user: '1000:1000', ...limits })
    expect((await calls())[0]?.words).toEqual([
      ...['run', '--rm', '--init', expect.stringMatching(/^--name=sagasmith-[0-9a-f]{24}$/), '--pull=never'],
      ...['--network=bridge', '--memory=64m', '--memory-swap=64m', '--cpus=0.5', '--pids-limit=9'],
      ...['--security-opt=no-new-privileges', '--workdir=/w', '--user=1000:1000'],
      ...['RUN_ID', 'NODE_ID', 'ATTEMPT', 'IDEMPOTENCY_KEY'].map((name) => `--env=SAGASMITH_${name}`),
      ...['alpine:3', 'true'],
    ])
  })

  test('ends as its exit codes mean, by a way of its own where they say so', async () => {
    const exitMeanings = [{ codes: '4', name: 'Changed', countsAs: 'way' }]
    const outcome = await execute({ command: ['sh', '-c', 'exit 4'], exitMeanings })
    expect(outcome).toMatchObject({ output: { exitCode: 4, outcome: 'Changed' }, ports: ['exit-1'] })
    expect(dockerRunSpec.outputs({ exitMeanings })).toHaveLength(2)
    const failed = await thrownBy(() => execute({ command: ['sh', '-c', 'echo no >&2; exit 7'] }))
    expect(failed).toMatchObject({
      code: 'command_exit',
      message: '“alpine:3” ended with exit code 7: no',
      details: { image: 'alpine:3', exitCode: 7 },
    })
  })

  test('that can’t be started is told in the words of its engine, and may be tried again', async () => {
    const failed = await thrownBy(() => execute({ image: 'broken' }))
    expect(failed).toMatchObject({ code: 'container_not_started', retryable: true })
    expect(String(failed)).toContain('Error response from daemon: no space left.')
    const missing = await thrownBy(() => execute({}, {}, '/nowhere'))
    expect(missing).toMatchObject({ code: 'command_not_found', details: { program: 'docker' } })
  })
})

describe('what is left of a container', () => {
  const removing = (call: Call | undefined, name: string | undefined) =>
    expect(call?.words).toEqual(['rm', '--force', name?.replace('--name=', '')])
  const nameIn = (call: Call | undefined) => call?.words.find((word) => word.startsWith('--name='))

  test('is removed when its attempt is over before it is', async () => {
    const cancel = new AbortController()
    const given = { command: ['sh', '-c', 'echo begun; sleep 600'] }
    const thrown = await thrownBy(() => execute(given, { signal: cancel.signal, log: () => cancel.abort() }))
    expect(thrown).toMatchObject({ code: 'task_cancelled' })
    const [run, rest] = await calls()
    removing(rest, nameIn(run))
  })

  test('is removed when it prints too much', async () => {
    const thrown = await thrownBy(() => execute({ command: ['yes'], maxOutputBytes: 1_000 }))
    expect(thrown).toMatchObject({ code: 'task_output_too_large' })
    const [run, rest] = await calls()
    removing(rest, nameIn(run))
  })

  test('is removed before the next attempt, whose container has the same name; other steps have others', async () => {
    await execute({ command: ['true'] })
    await execute({ command: ['true'] }, { attempt: 2 })
    await execute({ command: ['true'] }, { idempotencyKey: 'key-2' })
    const [first, removal, second, other] = await calls()
    removing(removal, nameIn(first))
    expect(nameIn(second)).toBe(nameIn(first))
    expect(nameIn(other)).not.toBe(nameIn(first))
  })
})

describe('what a container sees', () => {
  const mountsOf = (call: Call | undefined) => call?.words.filter((word) => word.startsWith('--mount='))

  test('are the folders that are named, at their real places, to be read unless they may be written', async () => {
    await mkdir(join(folder, 'a,"b'))
    await mkdir(join(folder, 'out'))
    const mounts = [
      { source: 'a,"b', target: '/in' },
      { source: 'out', target: '/out', isWritable: true },
    ]
    await execute({ command: ['true'], mounts })
    expect(mountsOf((await calls())[0])).toEqual([
      `--mount=type=bind,"source=${folder}/a,""b",target=/in,readonly`,
      `--mount=type=bind,source=${folder}/out,target=/out`,
    ])
  })

  test('is nothing that the workflow may not use, nor what isn’t there', async () => {
    const mounting = (source: string, more: JsonObject = {}, parts: Partial<TaskContext> = {}) =>
      thrownBy(() => execute({ command: ['true'], mounts: [{ source, target: '/in', ...more }] }, parts))
    expect(await mounting('gone')).toMatchObject({ code: 'file_not_found' })
    const outside = await mounting('/etc', {}, { approvedFolders: ['.'] })
    expect(outside).toMatchObject({ code: 'file_place_denied' })
    const guarded = await mounting(join(homedir(), '.ssh'), { isWritable: true })
    expect(guarded).toMatchObject({ code: 'file_place_denied' })
    await expect(calls()).rejects.toThrow('ENOENT')
  })
})

test.for<[string, JsonObject, string]>([
  ['an option as an image', { image: '--privileged' }, 'image'],
  ['no image', { image: '' }, 'image'],
  ['a variable that says where the engine is', { env: { DOCKER_HOST: 'tcp://x' } }, 'env'],
  ['a variable that says which engine it is', { env: { PATH: '/tmp' } }, 'env'],
  ['a proxy of the engine', { env: { https_proxy: 'x' } }, 'env'],
  ['a place that is none', { mounts: [{ source: 'a', target: 'b' }] }, 'mounts'],
  ['a user that is an option', { user: 'a b' }, 'user'],
  ['a pattern that may never end', { output: 'matches', pattern: '(a+)+$' }, 'pattern'],
])('%s is refused', ([, raw, field]) => {
  const read = dockerRunSpec.parameters.safeParse({ image: 'alpine', ...raw })
  expect(read.error?.issues[0]?.path[0]).toBe(field)
})

test('a variable with an engine’s beginning in its own word is the program’s', () => {
  const read = dockerRunSpec.parameters.safeParse({ image: 'alpine', env: { GOAL: '1', PATHS: '2' } })
  expect(read.success).toBe(true)
})

test('what it may touch is the command with its folders and its network', () => {
  const told = (raw: JsonObject, image: string) =>
    dockerRunSpec.reach.flatMap((field) => ('told' in field ? [field.told(raw, image)] : [field.field]))
  const raw = {
    ...{ image: 'alpine:3', command: ['cat', '/in/a b'], env: { A: 'x y' }, stdin: 'z', network: 'bridge' },
    mounts: [
      { source: 'in', target: '/in' },
      { source: 'out', target: '/out', isWritable: true },
    ],
  }
  expect(told(raw, 'alpine:3')).toEqual([
    'docker run --network=bridge -v in:/in:ro -v out:/out -e A="x y" alpine:3 cat "/in/a b" <<< "z"',
    'mounts.*.source',
  ])
  expect(told({ image: 'a' }, 'a')[0]).toBe('docker run --network=none a')
})

test('no word of data becomes an option of the engine', () => {
  const parameters = dockerRunSpec.parameters.parse({
    image: 'a',
    command: ['--privileged', '-v', '/:/host'],
  })
  const words = runWords(parameters, { name: 'n', mounts: [], variables: [], hasInput: false })
  expect(words.slice(words.indexOf('a'))).toEqual(['a', '--privileged', '-v', '/:/host'])
  expect(words.slice(1, words.indexOf('a')).every((word) => word.startsWith('--'))).toBe(true)
})

test('its mock runs none', () => {
  const parameters = dockerRunSpec.parameters.parse({ image: 'alpine', exitMeanings: [] })
  expect(dockerRunMock(parameters, taskContext())).toMatchObject({ output: { exitCode: 0 }, ports: null })
  expect(dockerRunSpec.summary({ image: 'alpine', command: ['ls', '-l'] })).toBe('alpine ls -l')
})
