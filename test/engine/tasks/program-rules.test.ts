/** As whom a program runs and what it may use: enforced by the system, and refused where it can't be. */

import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { foundProgram } from '../../../src-engine/tasks/find-program.ts'
import type { CountingHost } from '../../../src-engine/tasks/process-count.ts'
import { limitProcesses } from '../../../src-engine/tasks/process-count.ts'
import { limitedCommand } from '../../../src-engine/tasks/program-limits.ts'
import type { UserHost } from '../../../src-engine/tasks/program-user.ts'
import { programUser } from '../../../src-engine/tasks/program-user.ts'
import { createScriptRun } from '../../../src-engine/tasks/script/run.ts'
import { scriptSpec } from '../../../src-engine/tasks/script/spec.ts'
import { createShellCommandRun } from '../../../src-engine/tasks/shell-command/run.ts'
import { shellCommandSpec } from '../../../src-engine/tasks/shell-command/spec.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const ports = { environment: { PATH: process.env['PATH'] }, evaluate: async () => null }
let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sagasmith-rules-')))
  await chmod(folder, 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const shell = async (commandLine: string, raw: JsonObject = {}) => {
  const parameters = shellCommandSpec.parameters.parse({ useShell: true, commandLine, ...raw })
  const context = taskContext({ baseDirectory: folder })
  return outputOf(await createShellCommandRun(ports).execute(parameters, context)) as JsonObject
}

describe('another user', () => {
  const www = { name: 'www', uid: 33, gid: 33, home: '/var/www' }
  const host = (parts: Partial<UserHost>): UserHost => ({
    ...{ platform: 'linux', uid: 0 },
    find: async (name) => (name === 'www' ? www : null),
    ...parts,
  })

  test('is who root makes a program run as; nobody named is the engine’s own', async () => {
    expect(await programUser('www', host({}))).toEqual(www)
    expect(await programUser('', host({}))).toBeNull()
    expect(await programUser('www', host({ uid: 33 }))).toBeNull()
  })

  test.for<[string, Partial<UserHost>, string]>([
    ['an engine that isn’t root', { uid: 1000 }, 'doesn’t run as root'],
    ['Windows', { platform: 'win32', uid: null }, 'On Windows'],
  ])('is refused by %s', async ([, parts, words]) => {
    const failed = await thrownBy(() => programUser('www', host(parts)))
    expect(failed).toMatchObject({
      code: 'user_switch_denied',
      message: expect.stringContaining(words),
      hint: expect.stringContaining('Run as'),
      retryable: false,
    })
  })

  test('that there isn’t is told by its name', async () => {
    const failed = await thrownBy(() => programUser('nobody-here', host({})))
    expect(failed).toMatchObject({ code: 'task_input_invalid', details: { user: 'nobody-here' } })
    expect(await thrownBy(() => shell('id -un', { asUser: 'nobody-here' }))).toMatchObject({
      code: 'task_input_invalid',
    })
  })

  test('runs commands and scripts, with no right of the engine’s; or the engine says that it can’t', async () => {
    const script = scriptSpec.parameters.parse({
      ...{ language: 'shell', code: 'id -un; ls -l "$0" | cut -c1-10', output: 'lines', asUser: 'nobody' },
    })
    const context = taskContext({ baseDirectory: folder })
    if (process.getuid?.() !== 0) {
      const refusal = { code: 'user_switch_denied' }
      expect(await thrownBy(() => shell('id -un', { asUser: 'nobody' }))).toMatchObject(refusal)
      expect(await thrownBy(() => createScriptRun(ports).execute(script, context))).toMatchObject(refusal)
      return
    }
    await writeFile(join(folder, 'private'), 'x', { mode: 0o600 })
    const line = 'id -un; id -Gn; echo "$USER"; cat private 2>&1 || true'
    const { stdout } = await shell(line, { asUser: 'nobody', output: 'lines' })
    const [name, groups, user, denied] = stdout as readonly string[]
    expect([name, user]).toEqual(['nobody', 'nobody'])
    expect(groups).not.toMatch(/\broot\b/)
    expect(denied).toMatch(/denied/i)
    // It can read its script; nobody else can.
    expect(outputOf(await createScriptRun(ports).execute(script, context))).toEqual(['nobody', '-rw-------'])
  })

  test('is part of what somebody allows', () => {
    const told = shellCommandSpec.reach[0]?.told?.({ asUser: 'www', env: { A: 1 } }, 'ls')
    expect(told).toBe('sudo -u www A=1 ls')
  })
})

describe('limits', () => {
  const command = {
    file: 'sh',
    arguments: ['-c', 'true'],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
  }

  test('are the system’s: what takes too much processor time is ended, and told so', async () => {
    const failed = await thrownBy(() =>
      shell('while :; do :; done', {
        useShell: false,
        program: 'sh',
        arguments: ['-c', 'while :; do :; done'],
        cpuSeconds: 1,
      }),
    )
    expect(failed).toMatchObject({
      code: 'command_exit',
      message: expect.stringContaining('took more processor time than it may'),
      details: { signal: 'SIGXCPU' },
    })
  })

  test('reach the program as they were set, and all that it starts', async () => {
    const raw = { cpuSeconds: 7, memoryMb: 512, output: 'lines' }
    const { stdout } = await shell('ulimit -S -t; ulimit -H -t; sh -c "ulimit -v"', raw)
    expect(stdout).toEqual(['7', '8', '524288'])
    const { stdout: without } = await shell('ulimit -v', { output: 'lines' })
    expect(without).toEqual(['unlimited'])
  })

  test('change nothing of a command: its words, its code, and that it isn’t there', async () => {
    const words = ['$(id)', 'a b', '"; exit 9']
    const raw = { useShell: false, program: 'printf', arguments: ['[%s]', ...words], cpuSeconds: 5 }
    expect(await shell('', raw)).toMatchObject({ stdout: words.map((word) => `[${word}]`).join('') })
    expect(await shell('exit 4', { successCodes: '4', cpuSeconds: 5 })).toMatchObject({ exitCode: 4 })
    const missing = { useShell: false, program: 'no-such-program-here', cpuSeconds: 5 }
    expect(await thrownBy(() => shell('', missing))).toMatchObject({ code: 'command_not_found' })
  })

  test.for<[string, { cpuSeconds: number; memoryMb: number; procs: null }]>([
    ['win32', { cpuSeconds: 1, memoryMb: 0, procs: null }],
    ['darwin', { cpuSeconds: 0, memoryMb: 64, procs: null }],
  ])('that %s doesn’t have are refused, not forgotten', async ([platform, limits]) => {
    const failed = await thrownBy(() => limitedCommand(command, limits, platform))
    expect(failed).toMatchObject({ code: 'program_limits_unsupported', details: { platform } })
  })

  test('of nothing leave a command as it is', async () => {
    expect(await limitedCommand(command, { cpuSeconds: 0, memoryMb: 0, procs: null }, 'win32')).toBe(command)
  })
})

describe('the number of processes', () => {
  /** A system whose control groups are plain folders: their files appear only where a test writes them. */
  const host = (parts: Partial<CountingHost> = {}): CountingHost => ({
    ...{ platform: 'linux', pid: 4_711, root: folder, isAlive: () => false },
    ownGroups: async () => '0::/own.slice\n',
    ...parts,
  })

  test.for<[string, Partial<CountingHost>, number | null, string]>([
    ['Windows', { platform: 'win32' }, null, 'Windows counts none'],
    ['macOS', { platform: 'darwin' }, null, 'macOS counts none'],
    [
      'a Linux without control groups',
      { ownGroups: () => Promise.reject(new Error('none')) },
      null,
      'no control groups',
    ],
    ['an engine that may make none', {}, null, 'may make no control group'],
    ['a program that runs as another user', {}, 33, 'only their owner moves programs'],
  ])('is refused by %s, with the reason, and not forgotten', async ([, parts, uid, words]) => {
    expect(await thrownBy(() => limitProcesses(3, uid, host(parts)))).toMatchObject({
      code: 'program_limits_unsupported',
      message: expect.stringContaining(words),
      retryable: false,
    })
  })

  test('needs a group that counts: one that doesn’t is removed again', async () => {
    await mkdir(join(folder, 'own.slice'))
    expect(await thrownBy(() => limitProcesses(3, null, host()))).toMatchObject({
      message: expect.stringContaining('may make no control group that counts processes'),
    })
    expect(await readdir(join(folder, 'own.slice'))).toEqual([])
  })

  test('groups of engines that were killed are removed, and those of others stay', async () => {
    const own = join(folder, 'own.slice')
    for (const name of ['sagasmith-12-1', 'sagasmith-13-1', 'other'])
      await mkdir(join(own, name), { recursive: true })
    await thrownBy(() => limitProcesses(3, null, host({ isAlive: (pid) => pid === 13 })))
    expect(await readdir(own)).toEqual(['other', 'sagasmith-13-1'])
  })

  /** What of this machine is so, is tested so: it counts, or it refuses. */
  const isCounted = () =>
    limitProcesses(9, null).then(
      (group) => group.close().then(() => true),
      () => false,
    )

  test('holds for the program and all that it starts, together, and is told', async () => {
    const context = taskContext({ baseDirectory: folder })
    const run = (raw: JsonObject) => {
      const parameters = shellCommandSpec.parameters.parse({ useShell: true, output: 'lines', ...raw })
      return createShellCommandRun(ports).execute(parameters, context)
    }
    const forks = 'n=0; for i in 1 2 3 4 5 6; do (exec sleep 60) & n=$((n+1)); echo $n; done'
    if (!(await isCounted())) {
      expect(await thrownBy(() => run({ commandLine: forks, processesMax: 4 }))).toMatchObject({
        code: 'program_limits_unsupported',
      })
      return
    }
    expect(await thrownBy(() => run({ commandLine: forks, processesMax: 4 }))).toMatchObject({
      code: 'command_exit',
    })
    expect(context.lines).toContain('stdout info 3')
    expect(context.lines).not.toContain('stdout info 4')
    expect(context.lines).toContain(
      'task warn The program wanted to start more processes than it may: those were refused.',
    )
    const fits = await run({ commandLine: 'echo a | cat', processesMax: 4 })
    expect(outputOf(fits)).toMatchObject({ stdout: ['a'] })
    expect(context.lines.filter((line) => line.startsWith('task warn'))).toHaveLength(1)
  })

  test('ends what left the group of its program, too, and leaves nothing behind', async () => {
    if (!(await isCounted()))
      return expect(await thrownBy(() => limitProcesses(9, null))).toBeInstanceOf(Error)
    const { stdout } = await shell('setsid sleep 600 >/dev/null 2>&1 & echo $!', {
      processesMax: 9,
      output: 'lines',
    })
    const [pid] = stdout as readonly string[]
    expect(Number(pid)).toBeGreaterThan(1)
    await expect.poll(() => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'gone')).toBe('gone')
    const again = await limitProcesses(9, null)
    const groups = await readdir(dirname(dirname(again.procs)))
    await again.close()
    expect(groups.filter((name) => name.startsWith(`sagasmith-${process.pid}-`))).toHaveLength(1)
  })

  test('holds a program that runs as somebody else, where it can be had', async () => {
    const group = await limitProcesses(9, 65_534).catch((thrown: unknown) => thrown)
    if (group instanceof Error) return expect(group).toMatchObject({ code: 'program_limits_unsupported' })
    await (group as { close: () => Promise<void> }).close()
    const { stdout } = await shell('id -u; cat /proc/self/cgroup', {
      asUser: 'nobody',
      processesMax: 9,
      output: 'lines',
    })
    expect(stdout).toEqual(expect.arrayContaining(['65534', expect.stringContaining('/sagasmith-')]))
  })
})

test('a program is found on the PATH or by its path, and never in a folder that nobody named', async () => {
  await writeFile(join(folder, 'tool'), '', { mode: 0o755 })
  await writeFile(join(folder, 'text'), '', { mode: 0o644 })
  const env = { PATH: `.:${folder}` }
  expect(await foundProgram('tool', { env, cwd: '/' })).toBe(join(folder, 'tool'))
  expect(await foundProgram('./tool', { env, cwd: folder })).toBe(join(folder, 'tool'))
  expect(await foundProgram('text', { env, cwd: '/' })).toBeNull()
  expect(await foundProgram('tool', { env: { PATH: '.' }, cwd: folder })).toBeNull()
})
