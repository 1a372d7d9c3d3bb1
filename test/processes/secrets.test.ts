/** `sagasmith secrets` as people and scripts call it: values through the input, and never out again. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { ended, endOf, startProgram } from './sagasmith.ts'

const value = 'canary-4711-value'

type Ended = Awaited<ReturnType<typeof ended>>

/** Runs a command, with something piped in when it isn't empty. */
function sagasmith(input: string, ...args: readonly string[]): Promise<Ended> {
  if (input === '') return ended(args)
  const child = startProgram(args)
  child.stdin?.end(input)
  return endOf(child)
}

const workflow = (nodes: object): string =>
  JSON.stringify({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'orders',
    title: 'Orders',
    nodes,
    edges: {},
  })

test('a secret goes in by a pipe, is listed, bound, renamed and removed, and is never printed', async () => {
  const data = temporaryFolder()
  const call = (input: string, ...args: readonly string[]) =>
    sagasmith(input, 'secrets', ...args, '--data', data)
  const told: Ended[] = []
  const say = async (input: string, ...args: readonly string[]): Promise<Ended> => {
    const ended = await call(input, ...args)
    told.push(ended)
    return ended
  }
  expect(await say(`${value}\n`, 'set', 'GITHUB', '--kind', 'token', '--note', 'for releases')).toMatchObject(
    { code: 0 },
  )
  expect(
    await say('', 'bind', 'GITHUB', '--hosts', 'api.github.com', '--kinds', 'http-request'),
  ).toMatchObject({ code: 0 })
  const listed = await say('', 'list', '--json')
  const [vault, secret] = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(vault).toMatchObject({ type: 'vault', status: 'open', provider: 'key-file' })
  expect(secret).toMatchObject({
    type: 'secret',
    name: 'GITHUB',
    kind: 'token',
    note: 'for releases',
    hosts: ['api.github.com'],
    kinds: ['http-request'],
    nodes: null,
    lastUsedAt: null,
  })
  expect(await say('', 'rename', 'GITHUB', 'GH')).toMatchObject({ code: 0 })
  expect(await say('', 'check')).toMatchObject({ code: 0, out: 'well   GH\n' })
  expect(await say('', 'remove', 'GH')).toMatchObject({ code: 0, out: 'GH is removed.\n' })
  expect(await say('', 'remove', 'GH')).toMatchObject({ code: 1 })
  expect(JSON.stringify(told)).not.toContain(value)
  expect(readFileSync(join(data, 'vault.json'), 'utf8')).not.toContain(value)
})

test('a value on the command line is bad usage, and says why', async () => {
  const ended = await sagasmith('', 'secrets', 'set', 'GITHUB', value, '--data', temporaryFolder())
  expect(ended).toMatchObject({ code: 2 })
  expect(ended.err).toContain('A value on the command line can be seen by everybody')
  expect(ended.out + ended.err).not.toContain(value)
})

test('a step uses a secret, its output doesn’t; without it the step fails and says which one it needs', async () => {
  const data = temporaryFolder()
  const file = join(temporaryFolder(), 'orders.json')
  const code = 'console.log(process.env.TOKEN.length, process.env.TOKEN)'
  const parameters = {
    program: process.execPath,
    arguments: ['-e', code],
    env: { TOKEN: '{{ secrets.GITHUB }}' },
  }
  writeFileSync(file, workflow({ show: { kind: 'shell-command', parameters } }))
  const missing = await sagasmith('', 'run', file, '--data', data, '--json')
  expect(missing.code).toBe(1)
  expect(missing.out).toContain('secret_missing')
  expect(missing.out).toContain(
    '“show” needs a secret that is not there. There is no secret “GITHUB” in the vault.',
  )
  mkdirSync(join(data, 'workflows'), { recursive: true })
  writeFileSync(
    join(data, 'workflows', 'orders.json'),
    workflow({ show: { kind: 'shell-command', parameters } }),
  )
  expect(await sagasmith('', 'secrets', 'check', '--data', data)).toMatchObject({
    code: 1,
    out: 'missing GITHUB: the step “show” of “Orders” names it\n',
  })
  await sagasmith(value, 'secrets', 'set', 'GITHUB', '--data', data)
  const ran = await sagasmith('', 'run', file, '--data', data, '--json')
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.out).toContain(`${value.length} (secret GITHUB)`)
  expect(ran.out + ran.err).not.toContain(value)
})
