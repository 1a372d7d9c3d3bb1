/** Commands over SSH: against a server on loopback whose commands a real shell runs. */

import { createHmac, createPrivateKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { fingerprintOf, knownKeys } from '../../../src-engine/tasks/ssh-command/host-keys.ts'
import { sshCommandMock } from '../../../src-engine/tasks/ssh-command/mock.ts'
import { createSshCommandRun } from '../../../src-engine/tasks/ssh-command/run.ts'
import { sshCommandSpec } from '../../../src-engine/tasks/ssh-command/spec.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import type { SshServer } from '../../support/ssh-server.ts'
import { sshKeys, sshServer } from '../../support/ssh-server.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const expressions = createExpressionService({ clock: systemClock })
const run = createSshCommandRun({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  evaluate: expressions.evaluateOver,
})
const approved = { approvedHosts: ['127.0.0.1', 'build.example'] }

let server: SshServer
const client = sshKeys('rsa')

beforeAll(async () => {
  server = await sshServer({ authorized: client.publicKey })
})
afterAll(async () => {
  await expressions.close()
  await server.close()
})

function execute(given: JsonObject, parts: Partial<TaskContext> = {}) {
  const { host = '127.0.0.1' } = given
  const parameters = sshCommandSpec.parameters.parse({
    ...{ host, port: server.port, hostKeys: server.publicKey, user: 'user', password: 'pass' },
    ...given,
  })
  return run.execute(parameters, taskContext({ ...approved, ...parts }))
}

const blobOf = (publicKey: string): Buffer => Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')
const other = sshKeys().publicKey

describe('a command over SSH', () => {
  test('hands on what it printed and how it ended, and tells its lines', async () => {
    const context = taskContext(approved)
    const parameters = sshCommandSpec.parameters.parse({
      ...{ host: '127.0.0.1', port: server.port, hostKeys: server.publicKey, user: 'user', password: 'pass' },
      ...{ useShell: true, commandLine: 'cat; echo late >&2; exit 3', stdin: 'one\ntwo', output: 'lines' },
      successCodes: '0, 3',
    })
    const outcome = await run.execute(parameters, context)
    expect(outputOf(outcome)).toEqual({ exitCode: 3, stdout: ['one', 'two'], stderr: 'late\n' })
    expect(context.lines).toEqual(expect.arrayContaining(['stdout info one', 'stderr warn late']))
  })

  test.for([
    [
      '; touch /tmp/pwned',
      '$(id)',
      '`id`',
      '& id',
      '| id',
      'a\nb',
      "it's",
      '"',
      '\\',
      '*',
      '',
      '-n',
      '~',
      '!!',
    ],
    ["'; id; '", "'\\''", '$HOME', '${IFS}id', '>out', '#', '\t', 'ünï', '%s', '{a,b}', '=x'],
  ])('hands over arguments as they are: %j', async (values) => {
    const script = 'for one in "$@"; do printf "%s\\0" "$one"; done'
    const outcome = await execute({ useShell: true, commandLine: script, arguments: values })
    expect(outputOf(outcome)).toMatchObject({ stdout: values.map((value) => `${value}\0`).join('') })
    const direct = await execute({ program: 'printf', arguments: ['%s\\0', ...values] })
    expect(outputOf(direct)).toMatchObject({ stdout: values.map((value) => `${value}\0`).join('') })
  })

  test('runs in the folder that is named, whatever its name', async () => {
    expect(outputOf(await execute({ program: 'pwd', cwd: '/usr' }))).toMatchObject({ stdout: '/usr\n' })
    const hostile = execute({ program: 'pwd', cwd: '/usr; echo pwned' })
    await expect(hostile).rejects.toMatchObject({ code: 'command_exit' })
  })

  test('signs in by a key', async () => {
    const given = { program: 'true', password: '', privateKey: client.privateKey.trim() }
    expect(outputOf(await execute(given))).toMatchObject({ exitCode: 0 })
  })

  test('opens a key with its passphrase, and says that it can’t with another', async () => {
    const privateKey = String(
      createPrivateKey(client.privateKey).export({
        ...{ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'opens it' },
      }),
    )
    const given = { program: 'true', password: '', privateKey }
    expect(outputOf(await execute({ ...given, passphrase: 'opens it' }))).toMatchObject({ exitCode: 0 })
    for (const passphrase of ['', 'opens nothing']) {
      const thrown = await thrownBy(() => execute({ ...given, passphrase }))
      expect(thrown).toMatchObject({ code: 'task_input_invalid', details: { field: 'privateKey' } })
      expect(JSON.stringify(thrown)).not.toMatch(/opens (it|nothing)/)
    }
  })

  test('tells apart who may not come in, and a key that is none', async () => {
    const wrong = await thrownBy(() => execute({ program: 'true', password: 'guess' }))
    expect(wrong).toMatchObject({ code: 'sign_in_refused', retryable: false })
    const broken = await thrownBy(() =>
      execute({ program: 'true', password: '', privateKey: 'no key at all' }),
    )
    expect(broken).toMatchObject({ code: 'task_input_invalid', details: { field: 'privateKey' } })
    expect(JSON.stringify(broken)).not.toContain('no key at all')
  })

  test('refuses a server with another key before anything is told to it', async () => {
    const before = server.lines.length
    const fingerprint = fingerprintOf(blobOf(server.publicKey))
    const thrown = await thrownBy(() => execute({ program: 'true', hostKeys: other }))
    expect(thrown).toMatchObject({
      code: 'host_key_unknown',
      retryable: false,
      details: { host: '127.0.0.1', fingerprint },
    })
    expect(server.lines).toHaveLength(before)
  })

  test('fails with the exit code and the last line, and once and for all where it is told so', async () => {
    const line = { useShell: true, commandLine: 'echo first >&2; echo broken >&2; exit 7' }
    const thrown = await thrownBy(() => execute(line))
    expect(thrown).toMatchObject({ code: 'command_exit', retryable: true, details: { exitCode: 7 } })
    expect(String(thrown)).toContain('broken')
    expect(await thrownBy(() => execute({ ...line, finalCodes: '5-9' }))).toMatchObject({ retryable: false })
    const ended = await thrownBy(() => execute({ useShell: true, commandLine: 'kill -9 $$' }))
    expect(ended).toMatchObject({ code: 'command_exit', details: { exitCode: null, signal: 'SIGKILL' } })
  })

  const exitMeanings = [
    { codes: '3', name: 'Nothing found' },
    { codes: '4', name: 'Changed', countsAs: 'way' },
    { codes: '5', name: 'Busy', countsAs: 'retry' },
    { codes: '0, 6', name: 'Wrong', countsAs: 'fail' },
  ]
  const ended = (code: number, given: JsonObject = {}) =>
    execute({ useShell: true, commandLine: `printf x; exit ${code}`, exitMeanings, ...given })

  test('ends as people say that its exit codes mean, by a way of its own where they say so', async () => {
    const output = (exitCode: number, outcome: string) => ({ exitCode, outcome, stdout: 'x', stderr: '' })
    expect(await ended(3)).toMatchObject({ output: output(3, 'Nothing found'), ports: ['out'] })
    expect(await ended(4)).toMatchObject({ output: output(4, 'Changed'), ports: ['exit-2'] })
    expect(await thrownBy(() => ended(5))).toMatchObject({
      message: 'The command line on 127.0.0.1 ended with exit code 5 (Busy): x',
      retryable: true,
      details: { host: '127.0.0.1', exitCode: 5, outcome: 'Busy' },
    })
    expect(await thrownBy(() => ended(0))).toMatchObject({ retryable: false, details: { outcome: 'Wrong' } })
    expect(await ended(7, { successCodes: '7' })).toMatchObject({ output: { exitCode: 7 }, ports: ['out'] })
    expect(sshCommandSpec.outputs({ exitMeanings })).toEqual([
      { id: 'out', title: 'Output' },
      { id: 'exit-2', title: 'Changed' },
    ])
  })

  test('hands on what a pattern finds in its output', async () => {
    const text = 'a.ts:3 b\nc.ts:14 d\n'
    const pattern = '^(?<file>[^:]+):(?<line>[0-9]+)'
    const given = { program: 'printf', arguments: ['%s', text], output: 'matches', pattern }
    expect(outputOf(await execute(given))).toMatchObject({
      stdout: [
        { file: 'a.ts', line: '3' },
        { file: 'c.ts', line: '14' },
      ],
    })
    const refused = (raw: JsonObject) =>
      sshCommandSpec.parameters.safeParse({
        ...{ host: 'a', hostKeys: 'b', user: 'c', password: 'd', program: 'e', output: 'matches' },
        ...raw,
      })
    for (const raw of [{ pattern: '' }, { pattern: '(' }, { pattern: '(a+)+$' }]) {
      expect(refused(raw).error?.issues[0]?.path).toEqual(['pattern'])
    }
  })

  test('ends the connection of who prints too much', async () => {
    const thrown = await thrownBy(() => execute({ program: 'yes', maxOutputBytes: 1_000 }))
    expect(thrown).toMatchObject({ code: 'task_output_too_large', details: { bytesMax: 1_000 } })
  })

  test('is over when its attempt is, and says that the program may have done its work', async () => {
    const cancel = new AbortController()
    const context = { signal: cancel.signal, log: () => cancel.abort() }
    const thrown = await thrownBy(() =>
      execute({ useShell: true, commandLine: 'echo begun; sleep 600' }, context),
    )
    expect(thrown).toMatchObject({ code: 'task_cancelled', details: { effect: 'unknown' } })
  })

  test('goes only where it may', async () => {
    const lookup = { approvedHosts: [] }
    const denied = await thrownBy(() => execute({ program: 'true', host: 'build.example' }, lookup))
    expect(denied).toMatchObject({ code: 'http_address_denied' })
    const refused = await thrownBy(() => execute({ program: 'true' }, { allowedHosts: ['*.example.com'] }))
    expect(refused).toMatchObject({ code: 'host_not_allowed' })
  })

  test('nobody there is told as that', async () => {
    const thrown = await thrownBy(() => execute({ program: 'true', port: 1 }))
    expect(thrown).toMatchObject({ code: 'connection_failed', details: { reason: 'ECONNREFUSED' } })
  })

  test('its mock connects to nobody', () => {
    const parameters = sshCommandSpec.parameters.parse({
      ...{ host: 'nowhere.example', hostKeys: other, user: 'user', password: 'pass', program: 'true' },
      exitMeanings,
    })
    const expected = { output: { exitCode: 0 }, ports: ['out'] }
    expect(sshCommandMock(parameters, taskContext())).toMatchObject(expected)
  })
})

describe('keys that are known', () => {
  const key = sshKeys().publicKey
  const place = { host: 'Build.example', port: 22 }
  const isKnown = (text: string, at = place): boolean => knownKeys(text, at).isKnown(blobOf(key))

  const hashed = createHmac('sha1', 'salt of twenty bytes').update('build.example').digest('base64')
  test.for([
    ['a bare key', key],
    ['a key with its comment', `${key} somebody@laptop`],
    ['a key after a note', `# a note\n\n${key}`],
    ['its name', `build.example ${key}`],
    ['one of several names', `other.example,build.example ${key}`],
    ['a star', `*.example ${key}`],
    ['a question mark', `b?ild.* ${key}`],
    ['its name and port', `[build.example]:22 ${key}`],
    ['its fingerprint', fingerprintOf(blobOf(key))],
    ['its fingerprint with padding', `${fingerprintOf(blobOf(key))}=`],
    [
      'its name as ssh-keygen -H has it',
      `|1|${Buffer.from('salt of twenty bytes').toString('base64')}|${hashed} ${key}`,
    ],
  ] as const)('by %s', ([, text]) => {
    expect(isKnown(text)).toBe(true)
  })

  test('other ports are other servers', () => {
    expect(isKnown(`[build.example]:2222 ${key}`, { host: 'build.example', port: 2222 })).toBe(true)
    expect(isKnown(`build.example ${key}\n${other}`, { host: 'build.example', port: 2222 })).toBe(false)
  })

  test('what is revoked is known no more', () => {
    expect(isKnown(`${other}\n${key}\n@revoked * ${key}`)).toBe(false)
  })

  test.for([
    ['the key of another server', `other.example ${key}`],
    ['a line that leaves it out', `*,!build.example ${key}`],
    ['an authority', `@cert-authority *.example ${key}`],
    ['a kind of key that is broken', 'build.example ssh-dss AAAAB3NzaC1kc3MAAACBAO'],
    ['half a key', 'build.example ssh-ed25519 AAAA'],
    ['a fingerprint by MD5', 'MD5:64:25:45:20:74:2d:3d:07:92:e9:18:f3:ce:94:5a:64'],
    ['anything', 'yes'],
  ] as const)('refuses to go by %s', ([, text]) => {
    expect(() => knownKeys(text, place)).toThrow(expect.objectContaining({ code: 'task_input_invalid' }))
  })

  test('asks a server with several keys for one that is known', () => {
    const rsa = sshKeys('rsa').publicKey
    expect(knownKeys(rsa, place).algorithms).toEqual(['rsa-sha2-512', 'rsa-sha2-256'])
    expect(knownKeys(key, place).algorithms).toEqual(['ssh-ed25519'])
    expect(knownKeys(`${key}\n${fingerprintOf(blobOf(rsa))}`, place).algorithms).toBeNull()
  })
})

test.for([
  { program: '' },
  { program: 'true', password: '' },
  { program: 'true', hostKeys: '' },
  { useShell: true },
])('its form refuses %j', (given) => {
  const whole = { host: 'a.example', hostKeys: other, user: 'user', password: 'pass', ...given }
  expect(sshCommandSpec.parameters.safeParse(whole).success).toBe(false)
})
