/** Sealed values as people set them up: the setting, the commands, and machines on Redis with the key and without. */

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { startRedis } from '../support/redis-servers.ts'
import { add, chain, startRunner } from './runner-processes.ts'
import { sagasmithGiven } from './sagasmith.ts'

const canary = 47_114_711

const seal = (data: string, ...words: readonly string[]) => sagasmithGiven(data, ['seal', ...words])

function workflowFile(folder: string): string {
  const path = join(folder, 'one.json')
  writeFileSync(path, JSON.stringify({ ...chain({ add: add() }), id: 'one' }))
  return path
}

/** A text of a line that is there. */
function textOf(line: JsonObject | undefined, field: string): string {
  const value = line?.[field]
  if (typeof value !== 'string') throw new Error(`the line has no text ${field}`)
  return value
}

/** A directory whose data file seals, by the setting. */
async function sealingData(): Promise<{ readonly data: string; readonly file: string }> {
  const data = temporaryFolder()
  const file = workflowFile(data)
  const environment = { SAGASMITH_SEAL_PAYLOADS: 'true' }
  const done = await sagasmithGiven(data, ['run', file, '--input', String(canary)], { environment })
  expect(done.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED', output: canary + 1 })
  return { data, file }
}

test('a data file seals once it was told to, and remembers it when nobody says it again', async () => {
  const empty = temporaryFolder()
  expect((await seal(empty, 'list')).lines).toMatchObject([{ type: 'seal', key: null, keys: [] }])
  expect((await seal(empty, 'rotate')).lines).toMatchObject([{ error: { code: 'seal_off' } }])
  const { data, file } = await sealingData()
  const again = await sagasmithGiven(data, ['run', file, '--input', String(canary)])
  expect(again.lines.at(-1)).toMatchObject({ output: canary + 1 })
  expect(readFileSync(join(data, 'sagasmith.db')).includes(String(canary))).toBe(false)
})

test('keys are changed, forgotten, and handed to another directory by a file', async () => {
  const { data } = await sealingData()
  const key = textOf((await seal(data, 'list')).lines[0], 'key')
  expect((await seal(data, 'rotate', '--prepare')).lines[0]).toMatchObject({ key })
  const rotated = (await seal(data, 'rotate')).lines[0]
  expect(rotated).toMatchObject({ problem: null, keys: [{ id: key }, { id: rotated?.['key'] }] })
  expect(rotated?.['key']).not.toBe(key)

  const keys = join(data, 'keys.json')
  expect((await seal(data, 'export', keys)).code).toBe(0)
  expect(statSync(keys).mode & 0o777).toBe(0o600)
  expect((await seal(data, 'export', keys)).code, 'nothing is overwritten').toBe(2)
  const other = temporaryFolder()
  chmodSync(keys, 0o644)
  expect((await seal(other, 'import', keys)).lines).toMatchObject([{ error: { code: 'vault_key_exposed' } }])
  chmodSync(keys, 0o600)
  const workspace = textOf(rotated, 'workspace')
  expect((await seal(other, 'import', keys)).lines).toMatchObject([{ type: 'seal.imported', workspace }])

  expect((await seal(data, 'remove', key)).code).toBe(2)
  expect((await seal(data, 'remove', textOf(rotated, 'key'), '--yes')).lines).toMatchObject([
    { error: { code: 'seal_key_in_use' } },
  ])
  expect((await seal(data, 'remove', key, '--yes')).lines).toMatchObject([{ keys: [{}] }])
})

test('on Redis a machine without the key only looks, and works once it has it', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const address = `redis://${redis.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
  const [owner, guest] = [temporaryFolder(), temporaryFolder()]
  await startRunner(address, ['--seal'], { SAGASMITH_DATA: owner })
  const file = workflowFile(owner)
  const run = (data: string) =>
    sagasmithGiven(data, ['run', file, '--input', String(canary), '--store', address])
  const missing = { error: { code: 'seal_key_missing' } }

  const [refused, idle, done] = await Promise.all([
    run(guest),
    sagasmithGiven(guest, ['runner', '--store', address]),
    run(owner),
  ])
  expect(refused.lines.at(-1)).toMatchObject(missing)
  expect(idle.lines).toMatchObject([missing])
  expect(done.lines.at(-1)).toMatchObject({ status: 'SUCCEEDED', output: canary + 1 })

  const id = textOf(done.lines.at(-1), 'runId')
  const keys = join(owner, 'keys.json')
  const passphrase = { typed: 'four words of none\n' }
  const [shown, tested, doctor, exported] = await Promise.all([
    sagasmithGiven(guest, ['runs', 'show', id, '--cluster', address]),
    sagasmithGiven(guest, ['clusters', 'test', address]),
    sagasmithGiven(guest, ['doctor', '--cluster', address]),
    sagasmithGiven(owner, ['seal', 'export', keys, '--passphrase', '--cluster', address], passphrase),
  ])
  const sealed = { sealed: { message: expect.stringContaining('which this machine doesn’t have') } }
  expect(shown.lines[0]).toMatchObject({ status: 'SUCCEEDED', input: sealed, output: sealed })
  expect(JSON.stringify(shown.lines)).not.toContain(String(canary))
  expect(tested.lines).toMatchObject([{ sealing: { problem: { code: 'seal_key_missing' } } }])
  expect(doctor.lines).toContainEqual(
    expect.objectContaining({ check: 'sealing', message: expect.stringContaining('0 of 1 runners') }),
  )
  expect(exported.code).toBe(0)

  expect((await sagasmithGiven(guest, ['seal', 'import', keys, '--passphrase'], passphrase)).code).toBe(0)
  expect((await run(guest)).lines.at(-1)).toMatchObject({ output: canary + 1 })
})
