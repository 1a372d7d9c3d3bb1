/**
 * A vault in memory, with a clock that stands still until it is told. What costs whoever guesses a passphrase would cost
 * these tests as much, so a key is derived from it with a hash; the real one is proven by itself.
 */

import { createHash } from 'node:crypto'
import type { KeyFiles } from '../../../../src-engine/runtime/vault/key-file.ts'
import { createKeyFileProvider } from '../../../../src-engine/runtime/vault/key-file.ts'
import type { KeyProvider } from '../../../../src-engine/runtime/vault/key-provider.ts'
import type { DeriveKey } from '../../../../src-engine/runtime/vault/passphrase.ts'
import { createPassphraseProvider } from '../../../../src-engine/runtime/vault/passphrase.ts'
import type { Vault } from '../../../../src-engine/runtime/vault/vault.ts'
import { createVault } from '../../../../src-engine/runtime/vault/vault.ts'
import type { VaultFiles } from '../../../../src-engine/runtime/vault/vault-file.ts'

/** A file in memory; its text can be looked at and changed. */
export interface MemoryFile extends VaultFiles {
  text: string | null
}

function memoryFile(path: string): MemoryFile {
  const file: MemoryFile = {
    path,
    text: null,
    read: () => Promise.resolve(file.text),
    write: (text) => {
      file.text = text
      return Promise.resolve()
    },
  }
  return file
}

export interface VaultScene {
  readonly vault: Vault
  readonly file: MemoryFile
  readonly keyFile: { text: string | null }
  /** Another process with the same files. */
  readonly again: () => Vault
  now: number
}

const quickKey: DeriveKey = (text, salt, cost) =>
  Promise.resolve(
    createHash('sha256')
      .update(`${cost} ${salt.toString('hex')} ${text}`)
      .digest(),
  )

/** The vault; with `passphrase` its key comes from one, else from a key file. */
export function vaultScene(first: 'key-file' | 'passphrase' | KeyProvider = 'key-file'): VaultScene {
  const file = memoryFile('vault.json')
  const uses = memoryFile('vault-uses.json')
  const keyFile: { text: string | null } = { text: null }
  const keyFiles: KeyFiles = {
    path: 'vault.key',
    read: () => Promise.resolve(keyFile.text),
    create: (text) => {
      if (keyFile.text !== null) return Promise.resolve(false)
      keyFile.text = text
      return Promise.resolve(true)
    },
  }
  let count = 0
  const again = (): Vault => {
    let passphrase: string | null = null
    const byPassphrase = createPassphraseProvider(() => passphrase, quickKey)
    const byKeyFile = createKeyFileProvider(keyFiles)
    const own = first === 'key-file' ? byKeyFile : first === 'passphrase' ? byPassphrase : first
    return createVault({
      files: file,
      uses,
      providers: [own, byKeyFile, byPassphrase],
      preferred: () => own,
      givePassphrase: (text) => {
        const before = passphrase
        passphrase = text
        return before
      },
      clock: { now: () => scene.now, monotonic: () => scene.now, after: () => () => {} },
      ids: {
        next: () => {
          count += 1
          return `id${String(count).padStart(4, '0')}`
        },
      },
    })
  }
  const scene: VaultScene = {
    now: 1_000_000,
    file,
    keyFile,
    again,
    get vault() {
      return shared
    },
  }
  const shared = again()
  return scene
}
