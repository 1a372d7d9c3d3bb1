/** Trust in definitions as people set it up: the commands, and runners on a live Redis that keep to it. */

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedis } from '../support/redis-servers.ts'
import { add, addTo, bound, chain, startRunner } from './runner-processes.ts'
import { sagasmith, textOf } from './sagasmith.ts'

async function newRedis(): Promise<string> {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  return `redis://${redis.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
}

function workflowFile(folder: string, name: string, nodes: Readonly<Record<string, JsonObject>>): string {
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify({ ...chain(nodes), id: name }))
  return path
}

const permissionsOf = (path: string): number => statSync(path).mode & 0o777

test('what is trusted is listed, approved and revoked, in a file for its owner alone', async () => {
  const data = temporaryFolder()
  const trust = (...words: readonly string[]) => sagasmith(data, 'trust', ...words)
  const file = workflowFile(data, 'one', { add: add() })
  expect((await trust('list')).lines).toEqual([{ type: 'trust', approved: [], revoked: [], keys: [] }])
  const approved = await trust('approve', file)
  const hash = textOf(approved.lines[0], 'hash')
  expect(approved).toMatchObject({ code: 0, lines: [{ type: 'trust.approved' }] })
  expect(hash).toMatch(/^w1_[0-9a-f]{64}$/)
  expect(permissionsOf(join(data, 'trust.json'))).toBe(0o600)
  expect((await trust('approve', hash)).code).toBe(0)
  expect((await trust('list')).lines).toMatchObject([{ approved: [hash], revoked: [] }])
  expect((await trust('revoke', hash)).code).toBe(0)
  expect((await trust('list')).lines).toMatchObject([{ approved: [], revoked: [hash] }])
  expect((await trust('approve', 'w1_short')).code).not.toBe(0)
  expect((await trust('forget', hash)).code).toBe(2)
  writeFileSync(join(data, 'trust.json'), '{')
  expect((await trust('list')).lines).toMatchObject([{ error: { code: 'trust_list_damaged' } }])
})

test('a key is made once, never shown, refused when others can read it, and trusted by its public half', async () => {
  const data = temporaryFolder()
  const trust = (...words: readonly string[]) => sagasmith(data, 'trust', ...words)
  const made = await trust('key', 'create', 'ada')
  expect(made).toMatchObject({ code: 0, lines: [{ type: 'trust.key-created', name: 'ada' }] })
  const path = join(data, 'signing-keys', 'ada.pem')
  expect(permissionsOf(path)).toBe(0o600)
  const secret = readFileSync(path, 'utf8').split('\n')[1] ?? ''
  expect(made.text).not.toContain(secret)
  expect((await trust('key', 'create', 'ada')).lines).toMatchObject([
    { error: { code: 'signing_key_exists' } },
  ])
  expect((await trust('key', 'create', '../ada')).code).toBe(2)
  const key = textOf(made.lines[0], 'key')
  expect((await trust('keys', 'add', 'ada', key)).code).toBe(0)
  expect((await trust('keys', 'add', 'bob', 'ed25519:short')).code).toBe(2)
  expect((await trust('keys', 'list')).lines).toEqual([{ type: 'trust.key', name: 'ada', key }])
  expect((await trust('keys', 'remove', 'ada')).code).toBe(0)
  expect((await trust('keys', 'remove', 'ada')).code).toBe(2)
  chmodSync(path, 0o644)
  const file = workflowFile(data, 'one', { add: add() })
  const push = ['push', file, '--cluster', 'redis://127.0.0.1:1', '--yes', '--sign'] as const
  expect((await sagasmith(data, ...push, 'ada')).lines).toMatchObject([
    { error: { code: 'signing_key_exposed' } },
  ])
  expect((await sagasmith(data, ...push, 'eve')).lines).toMatchObject([
    { error: { code: 'signing_key_not_found' } },
  ])
})

test('runners on Redis do what is approved or signed where they are, and leave the rest [C3]', async () => {
  const address = await newRedis()
  const [data, careful, strict] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const made = await sagasmith(data, 'trust', 'key', 'create', 'ada')
  await sagasmith(strict, 'trust', 'keys', 'add', 'ada', textOf(made.lines[0], 'key'))
  await startRunner(address, ['--trust', 'approved'], { SAGASMITH_DATA: careful })
  await startRunner(address, ['--trust', 'signed'], { SAGASMITH_DATA: strict })
  const run = (file: string) => sagasmith(data, 'run', file, '--input', '1', '--store', address)

  const signed = workflowFile(data, 'signed', { add: add(), again: addTo('add') })
  const push = await sagasmith(data, 'push', signed, '--cluster', address, '--yes', '--sign', 'ada')
  expect(push.lines[0]).toMatchObject({ runners: 2, trusting: 0 })
  expect(push.lines.map(({ type }) => type)).toEqual([
    'workflow.preview',
    'workflow.signed',
    'workflow.published',
  ])
  const done = await run(signed)
  expect(done.code).toBe(0)
  expect(done.lines.at(-1)).toMatchObject({ output: 3 })

  const other = workflowFile(data, 'other', { add: add() })
  const ended = run(other)
  const why = async (): Promise<unknown> => {
    const { lines } = await sagasmith(data, 'runs', 'list', '--cluster', address)
    const waiting = lines.find(({ workflowId }) => workflowId === 'other')
    if (waiting === undefined) return null
    const told = await sagasmith(data, 'runs', 'why', textOf(waiting, 'id'), '--cluster', address)
    return told.lines[0]?.['code'] ?? null
  }
  await expect.poll(why, bound).toBe('not_trusted')
  expect((await sagasmith(careful, 'trust', 'approve', other)).code).toBe(0)
  expect((await ended).code, 'approved while the runner works').toBe(0)
  const trusting = async (): Promise<unknown> =>
    (await sagasmith(data, 'push', other, '--cluster', address, '--preview')).lines[0]?.['trusting']
  await expect.poll(trusting, bound).toBe(1)
})
