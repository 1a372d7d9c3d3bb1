/** The system's key store, as the vault of the desktop uses it: through the main process, or not at all. */

import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { createEngineKeyStore } from '../../src-main/engine-key-store.ts'
import type { SafeStorageLike } from '../../src-main/key-store.ts'
import { createKeyStore } from '../../src-main/key-store.ts'
import { vaultScene } from '../engine/runtime/vault/vault-scene.ts'
import { thrownBy } from '../support/task-context.ts'

const value = 'canary-4711-value'

interface Parts {
  readonly backend?: string
  readonly isAvailable?: boolean
  readonly platform?: NodeJS.Platform
}

/** Electron's safe storage, of one user's session. */
function scene({ backend = 'gnome_libsecret', isAvailable = true, platform = 'linux' }: Parts = {}) {
  const state = { user: 'anna', isStale: false, encrypted: 0 }
  const safeStorage: SafeStorageLike = {
    isAsyncEncryptionAvailable: () => Promise.resolve(isAvailable),
    getSelectedStorageBackend: () => backend as 'unknown',
    encryptStringAsync: (text) => {
      state.encrypted += 1
      return Promise.resolve(Buffer.from(`${state.user}:${text}`))
    },
    decryptStringAsync: (bytes) => {
      const text = bytes.toString('utf8')
      if (!text.startsWith(`${state.user}:`)) return Promise.reject(new Error('wrong user'))
      return Promise.resolve({ result: text.slice(state.user.length + 1), shouldReEncrypt: state.isStale })
    },
  }
  const main = createKeyStore(safeStorage, platform)
  const engine = createEngineKeyStore((id, request) => {
    void main(request).then((answer) => engine.answered(id, answer))
  })
  return { state, vault: vaultScene(engine.provider) }
}

test('a vault of the desktop has its key from the system, and opens in the next process', async () => {
  const { vault } = scene()
  expect(await vault.vault.state()).toEqual({ status: 'empty', provider: 'safe-storage', problem: null })
  await vault.vault.set({ name: 'A', value })
  expect(JSON.parse(vault.file.text ?? '')).toMatchObject({ key: { provider: 'safe-storage' } })
  expect(vault.keyFile.text).toBeNull()
  expect(await vault.again().open(['A'])).toMatchObject([{ value }])
})

test.for<[string, Parts]>([
  ['Linux without a keyring', { backend: 'basic_text' }],
  ['Linux where nobody knows', { backend: 'unknown' }],
  ['a system without one', { isAvailable: false, platform: 'win32' }],
])('%s protects nothing, so it is refused and nothing is written', async ([, parts]) => {
  const { vault, state } = scene(parts)
  expect(await vault.vault.state()).toMatchObject({ problem: { code: 'vault_unavailable' } })
  expect(await thrownBy(() => vault.vault.set({ name: 'A', value }))).toMatchObject({
    code: 'vault_unavailable',
  })
  expect([vault.file.text, state.encrypted]).toEqual([null, 0])
})

test('macOS and Windows have no backends to choose from', async () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const { vault } = scene({ backend: 'basic_text', platform })
    expect(await vault.vault.state()).toMatchObject({ status: 'empty', problem: null })
  }
})

test('the session of another user opens nothing', async () => {
  const { vault, state } = scene()
  await vault.vault.set({ name: 'A', value })
  state.user = 'bert'
  expect(await thrownBy(() => vault.again().open(['A']))).toMatchObject({ code: 'vault_wrong_key' })
})

test('the key of another vault opens nothing, though the system gives it', async () => {
  const { vault } = scene()
  await vault.vault.set({ name: 'A', value })
  const json = JSON.parse(vault.file.text ?? '') as { workspace: string }
  vault.file.text = JSON.stringify({ ...json, workspace: 'elsewhere' })
  expect(await thrownBy(() => vault.again().open(['A']))).toMatchObject({ code: 'vault_wrong_key' })
})

test('a key that the system wants encrypted anew is, with the next change', async () => {
  const { vault, state } = scene()
  await vault.vault.set({ name: 'A', value })
  state.isStale = true
  const next = vault.again()
  await next.open(['A'])
  expect(state.encrypted).toBe(1)
  await next.set({ name: 'B', value })
  await next.set({ name: 'C', value })
  expect(state.encrypted).toBe(2)
  expect(await vault.again().open(['A', 'C'])).toMatchObject([{ value }, { value }])
})
