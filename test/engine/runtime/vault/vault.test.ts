/** The vault: what it keeps, what it refuses, and what nobody can do to its file unnoticed. */

import { scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { secretUseGrainMs } from '../../../../src-engine/model/limits.ts'
import { createPassphraseProvider } from '../../../../src-engine/runtime/vault/passphrase.ts'
import { keyBytes, newKey, unseal } from '../../../../src-engine/runtime/vault/sealing.ts'
import { thrownBy } from '../../../support/task-context.ts'
import { vaultScene } from './vault-scene.ts'

const sealedKey = z.object({ salt: z.string(), nonce: z.string(), data: z.string() })

const value = 'canary-4711-value'

/** The file's JSON, to be meddled with. */
function meddled(text: string | null, change: (json: never) => void): string {
  const json = JSON.parse(text ?? '') as never
  change(json)
  return JSON.stringify(json)
}

describe('keeping', () => {
  test('a value comes back by its name, in this process and in the next', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'GITHUB', value, kind: 'token', note: 'for releases' })
    expect(await scene.vault.open(['GITHUB'])).toMatchObject([{ value }])
    expect(await scene.again().open(['GITHUB'])).toMatchObject([{ value }])
  })

  test('the file holds neither value nor key, whatever the encoding', async () => {
    const { vault, file, keyFile } = vaultScene()
    await vault.set({ name: 'GITHUB', value })
    for (const text of [value, Buffer.from(value).toString('base64'), Buffer.from(value).toString('hex')]) {
      expect(file.text).not.toContain(text)
    }
    expect(file.text).not.toContain(keyFile.text?.trim().split(':')[1] ?? 'no key')
  })

  test('the same value sealed twice looks different', async () => {
    const { vault, file } = vaultScene()
    await vault.set({ name: 'A', value })
    const first = file.text
    await vault.set({ name: 'A', value })
    expect(file.text).not.toBe(first)
  })

  test('a list has names, notes, bindings and instants, and no value', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'B', value, hosts: ['api.example.com'] })
    scene.now += 5
    await scene.vault.set({ name: 'A', value, kind: 'password', note: 'mine' })
    scene.now += 5
    await scene.vault.set({ name: 'B', note: 'theirs' })
    await scene.vault.set({ name: 'A', value: 'another-value' })
    const nothing = { lastUsedAt: null, kinds: null, nodes: null }
    expect(await scene.vault.list()).toEqual([
      {
        name: 'A',
        kind: 'password',
        note: 'mine',
        createdAt: 1_000_005,
        changedAt: 1_000_010,
        hosts: null,
        ...nothing,
      },
      {
        name: 'B',
        kind: 'other',
        note: 'theirs',
        createdAt: 1_000_000,
        changedAt: 1_000_000,
        hosts: ['api.example.com'],
        ...nothing,
      },
    ])
  })

  test('a use is noted, no more often than its grain', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    const usedAt = async () => (await scene.vault.list())[0]?.lastUsedAt
    await scene.vault.open(['A'])
    expect(await usedAt()).toBe(1_000_000)
    scene.now += secretUseGrainMs - 1
    await scene.vault.open(['A'])
    expect(await usedAt()).toBe(1_000_000)
    scene.now += 1
    await scene.vault.open(['A'])
    expect(await usedAt()).toBe(1_000_000 + secretUseGrainMs)
    expect((await scene.again().list())[0]?.lastUsedAt).toBe(1_000_000 + secretUseGrainMs)
  })

  test('a renamed secret keeps its value, its binding and its last use', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value, kinds: ['http-request'] })
    await scene.vault.open(['A'])
    await scene.vault.rename({ from: 'A', to: 'B' })
    expect(await scene.vault.open(['B'])).toMatchObject([{ value }])
    expect(await scene.vault.list()).toMatchObject([
      { name: 'B', kinds: ['http-request'], lastUsedAt: 1_000_000 },
    ])
    expect(await thrownBy(() => scene.vault.open(['A']))).toMatchObject({ code: 'secret_not_found' })
  })

  test('a removed secret is gone, also while the vault is locked', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.keyFile.text = null
    await scene.again().remove('A')
    expect(await scene.vault.list()).toEqual([])
  })

  test('changes made at once all count', async () => {
    const { vault } = vaultScene()
    await Promise.all(['A', 'B', 'C', 'D'].map((name) => vault.set({ name, value: `${name}-${value}` })))
    expect((await vault.list()).map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D'])
  })
})

describe('refusals', () => {
  test.for<[string, object, string]>([
    ['a name that no expression could say', { name: 'my-token', value }, 'is no name of a secret'],
    ['a new secret without a value', { name: 'A' }, 'it needs a value'],
    ['a value too short to be kept out of logs', { name: 'A', value: 'abc' }, 'shorter than 4'],
    ['a value larger than a vault is for', { name: 'A', value: 'x'.repeat(70_000) }, 'larger than 64 KB'],
    ['a host that is an address', { name: 'A', value, hosts: ['https://example.com/x'] }, 'is no host'],
  ])('%s', async ([, change, message]) => {
    const { vault, file } = vaultScene()
    const thrown = await thrownBy(() => vault.set(change as never))
    expect(thrown).toMatchObject({ code: 'bad_request', message: expect.stringContaining(message) as string })
    expect(JSON.stringify(thrown)).not.toContain(value)
    expect(file.text).toBeNull()
  })

  test('a name that is taken', async () => {
    const { vault } = vaultScene()
    await vault.set({ name: 'A', value })
    await vault.set({ name: 'B', value })
    const thrown = await thrownBy(() => vault.rename({ from: 'A', to: 'B' }))
    expect(thrown).toMatchObject({ code: 'secret_exists' })
  })

  test('an unknown secret is named', async () => {
    const { vault } = vaultScene()
    for (const work of [() => vault.open(['NOPE']), () => vault.remove('NOPE')]) {
      expect(await thrownBy(work)).toMatchObject({ code: 'secret_not_found', details: { name: 'NOPE' } })
    }
  })
})

describe('keys', () => {
  test('an empty vault says where its key would come from', async () => {
    const { vault } = vaultScene()
    expect(await vault.state()).toEqual({ status: 'empty', provider: 'key-file', problem: null })
  })

  test('without its key file it is locked and says so; the list stays', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.keyFile.text = null
    const next = scene.again()
    expect(await next.state()).toMatchObject({ status: 'locked', problem: { code: 'vault_key_missing' } })
    expect(await thrownBy(() => next.open(['A']))).toMatchObject({ code: 'vault_key_missing' })
    expect(await thrownBy(() => next.set({ name: 'B', value }))).toMatchObject({ code: 'vault_key_missing' })
    expect(await next.list()).toMatchObject([{ name: 'A' }])
  })

  test('another key file is a wrong key, and text that is no key is told from it', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    const other = vaultScene()
    await other.vault.set({ name: 'A', value })
    scene.keyFile.text = other.keyFile.text
    expect(await thrownBy(() => scene.again().open(['A']))).toMatchObject({ code: 'vault_wrong_key' })
    scene.keyFile.text = 'hello'
    const thrown = await thrownBy(() => scene.again().open(['A']))
    expect(thrown).toMatchObject({ message: 'vault.key is not a key file of a vault.' })
  })

  test('a passphrase opens it, a wrong one does not, and none leaves it locked', async () => {
    const scene = vaultScene('passphrase')
    expect(await thrownBy(() => scene.vault.set({ name: 'A', value }))).toMatchObject({
      code: 'vault_locked',
    })
    await scene.vault.unlock('four words of nonsense')
    await scene.vault.set({ name: 'A', value })
    const next = scene.again()
    expect(await next.state()).toMatchObject({ status: 'locked', provider: 'passphrase' })
    expect(await thrownBy(() => next.unlock('five words of nonsense'))).toMatchObject({
      code: 'vault_wrong_key',
    })
    expect(await thrownBy(() => next.open(['A']))).toMatchObject({ code: 'vault_locked' })
    expect(await next.unlock('four words of nonsense')).toMatchObject({ status: 'open' })
    expect(await next.open(['A'])).toMatchObject([{ value }])
  })

  test('a wrong passphrase is refused while the vault is open, which stays so', async () => {
    const scene = vaultScene('passphrase')
    await scene.vault.unlock('four words of nonsense')
    await scene.vault.set({ name: 'A', value })
    expect(await thrownBy(() => scene.vault.unlock('five words of nonsense'))).toMatchObject({
      code: 'vault_wrong_key',
    })
    expect(await scene.vault.open(['A'])).toMatchObject([{ value }])
    // The one that it was opened with is still the one that its changes are kept under.
    await scene.vault.protect({ provider: 'passphrase', passphrase: null })
    expect(await scene.again().unlock('four words of nonsense')).toMatchObject({ status: 'open' })
    expect(await scene.vault.unlock('four words of nonsense')).toMatchObject({ status: 'open' })
  })

  test('a passphrase costs whoever guesses it scrypt with N = 2^17', async () => {
    const dataKey = newKey()
    const wrapped = await createPassphraseProvider(() => 'four words of nonsense').wrap(dataKey, 'about')
    const { salt, nonce, data } = sealedKey.parse(wrapped)
    const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }
    const key = scryptSync('four words of nonsense', Buffer.from(salt, 'base64'), keyBytes, options)
    expect(unseal({ nonce, data }, key, 'about')).toEqual(dataKey)
  })

  test('a file that asks for less of it is somebody else’s doing', async () => {
    const scene = vaultScene('passphrase')
    await scene.vault.unlock('four words of nonsense')
    await scene.vault.set({ name: 'A', value })
    expect(JSON.parse(scene.file.text ?? '')).toMatchObject({
      key: { provider: 'passphrase', cost: 2 ** 17 },
    })
    scene.file.text = meddled(scene.file.text, (json: { key: { cost: number } }) => {
      json.key.cost = 1_024
    })
    expect(await scene.again().unlock('four words of nonsense')).toMatchObject({ status: 'damaged' })
  })

  test('a short passphrase makes no vault', async () => {
    const scene = vaultScene('passphrase')
    expect(await thrownBy(() => scene.vault.unlock('short'))).toMatchObject({ code: 'bad_request' })
    expect(await thrownBy(() => scene.vault.set({ name: 'A', value }))).toMatchObject({
      code: 'vault_locked',
    })
    expect(scene.file.text).toBeNull()
    // One that was given from outside is heard of when it is to make a key.
    const given = createPassphraseProvider(() => 'short')
    expect(await thrownBy(() => given.wrap(Buffer.alloc(32), 'about'))).toMatchObject({
      code: 'bad_request',
    })
  })

  test('who only looks asks for the key no more often than every 30 seconds; who uses it, always', async () => {
    let asked = 0
    const refuse = () => {
      asked += 1
      return Promise.reject(new SagasmithError('vault_wrong_key'))
    }
    const wrap = () => Promise.resolve({ provider: 'safe-storage' as const, data: 'x' })
    const scene = vaultScene({ kind: 'safe-storage', wrap, unwrap: refuse })
    await scene.vault.set({ name: 'A', value })
    const next = scene.again()
    for (let look = 0; look < 3; look += 1) expect(await next.state()).toMatchObject({ status: 'locked' })
    expect(asked).toBe(1)
    await thrownBy(() => next.open(['A']))
    expect(asked).toBe(2)
    scene.now += 30_000
    await next.state()
    expect(asked).toBe(3)
  })

  test('a vault of a key store that this process can’t ask is locked, not damaged', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.file.text = meddled(scene.file.text, (json: { key: { provider: string } }) => {
      json.key.provider = 'safe-storage'
    })
    expect(await scene.again().state()).toMatchObject({ status: 'locked', provider: 'safe-storage' })
  })
})

describe('protecting it otherwise', () => {
  test('every value is sealed anew, under a new key; the old key opens nothing', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value, hosts: ['a.example'] })
    await scene.vault.set({ name: 'B', value: `${value}-b` })
    const before = JSON.parse(scene.file.text ?? '') as { secrets: Record<string, { sealed: object }> }
    const passphrase = 'four words of nonsense'
    expect(await scene.vault.protect({ provider: 'passphrase', passphrase })).toMatchObject({
      status: 'open',
      provider: 'passphrase',
    })
    const after = JSON.parse(scene.file.text ?? '') as typeof before
    for (const [id, { sealed }] of Object.entries(before.secrets)) {
      expect(after.secrets[id]?.sealed).not.toEqual(sealed)
    }
    const next = scene.again()
    expect(await thrownBy(() => next.open(['A']))).toMatchObject({ code: 'vault_locked' })
    await next.unlock(passphrase)
    expect(await next.open(['A', 'B'])).toMatchObject([{ value }, { value: `${value}-b` }])
    expect(await next.list()).toMatchObject([{ name: 'A', hosts: ['a.example'] }, { name: 'B' }])
    await next.protect({ provider: 'key-file', passphrase: null })
    expect(await scene.again().open(['A'])).toMatchObject([{ value }])
  })

  test('what can’t protect it leaves it as it was', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    const before = scene.file.text
    for (const passphrase of ['short', null]) {
      await thrownBy(() => scene.vault.protect({ provider: 'passphrase', passphrase }))
    }
    await thrownBy(() => scene.vault.protect({ provider: 'safe-storage', passphrase: null }))
    expect(scene.file.text).toBe(before)
    expect(await scene.vault.open(['A'])).toMatchObject([{ value }])
  })
})

describe('meddling with the file', () => {
  interface Kept {
    secrets: Record<string, { name: string; hosts: string[] | null; sealed: object }>
    workspace: string
  }

  test.for<[string, (json: Kept) => void]>([
    [
      'a loosened binding',
      ({ secrets }) => {
        for (const secret of Object.values(secrets)) secret.hosts = null
      },
    ],
    [
      'values that were swapped',
      ({ secrets }) => {
        const [first, second] = Object.values(secrets)
        if (first !== undefined && second !== undefined)
          [first.sealed, second.sealed] = [second.sealed, first.sealed]
      },
    ],
    [
      'names that were swapped',
      ({ secrets }) => {
        const [first, second] = Object.values(secrets)
        if (first !== undefined && second !== undefined) [first.name, second.name] = [second.name, first.name]
      },
    ],
  ])('%s is noticed', async ([, meddle]) => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value, hosts: ['a.example.com'] })
    await scene.vault.set({ name: 'B', value: `${value}-b`, hosts: ['b.example.com'] })
    scene.file.text = meddled(scene.file.text, meddle)
    const next = scene.again()
    expect(await thrownBy(() => next.open(['A']))).toMatchObject({ code: 'vault_damaged' })
    expect(await next.check()).toMatchObject([
      { name: 'A', problem: { code: 'vault_damaged' } },
      { name: 'B', problem: { code: 'vault_damaged' } },
    ])
  })

  test('a file moved to another vault’s name opens with nobody’s key', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.file.text = meddled(scene.file.text, (json: Kept) => {
      json.workspace = 'elsewhere'
    })
    expect(await thrownBy(() => scene.again().open(['A']))).toMatchObject({ code: 'vault_wrong_key' })
  })

  test.for<[string, string]>([
    ['half a file', '{"format":"sagasm'],
    ['another file', '{"hello":1}'],
    ['an empty file', ''],
  ])('%s is damaged, and is left as it is', async ([, text]) => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.file.text = text
    const next = scene.again()
    expect(await next.state()).toMatchObject({ status: 'damaged', problem: { code: 'vault_damaged' } })
    expect(await thrownBy(() => next.set({ name: 'B', value }))).toMatchObject({ code: 'vault_damaged' })
    expect(scene.file.text).toBe(text)
  })

  test('a newer form is told from a damaged one', async () => {
    const scene = vaultScene()
    await scene.vault.set({ name: 'A', value })
    scene.file.text = meddled(scene.file.text, (json: { version: number }) => {
      json.version = 2
    })
    expect(await thrownBy(() => scene.again().list())).toMatchObject({ code: 'vault_too_new' })
  })
})
