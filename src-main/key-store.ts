/**
 * The system's key store for the engine's vault: macOS Keychain, Windows DPAPI, a Linux keyring. Only the
 * main process can ask it. On Linux without a keyring Electron would encrypt with a key that everybody
 * knows; that protects nothing, so it is refused.
 */

import type { SafeStorage } from 'electron'
import type { ErrorRecord } from '../src-engine/model/errors.ts'
import { errorRecord } from '../src-engine/model/errors.ts'

export type KeyStoreRequest =
  /** Whether it protects anything. */
  | { readonly op: 'check' }
  | { readonly op: 'encrypt'; readonly text: string }
  /** Base64 of what `encrypt` gave. */
  | { readonly op: 'decrypt'; readonly data: string }

export type KeyStoreAnswer =
  /** `text` is base64 for `encrypt` and empty for `check`; stale means: encrypt it again. */
  | { readonly ok: true; readonly text: string; readonly isStale: boolean }
  | { readonly ok: false; readonly error: ErrorRecord }

export type KeyStore = (request: KeyStoreRequest) => Promise<KeyStoreAnswer>

/** What is used of Electron's safe storage: the asynchronous part, which stays. */
export type SafeStorageLike = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>

/** Backends that protect nothing. */
const uselessBackends: readonly string[] = ['basic_text', 'unknown']

/** The key store. Never rejects: what went wrong is an answer. */
export function createKeyStore(safeStorage: SafeStorageLike, platform: NodeJS.Platform): KeyStore {
  const unavailable = async (): Promise<ErrorRecord | null> => {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return errorRecord('vault_unavailable')
    if (platform !== 'linux') return null
    const backend = safeStorage.getSelectedStorageBackend()
    if (!uselessBackends.includes(backend)) return null
    return errorRecord('vault_unavailable', { details: { backend } })
  }
  return async (request) => {
    try {
      const error = await unavailable()
      if (error !== null) return { ok: false, error }
      if (request.op === 'check') return { ok: true, text: '', isStale: false }
      if (request.op === 'encrypt') {
        const bytes = await safeStorage.encryptStringAsync(request.text)
        return { ok: true, text: bytes.toString('base64'), isStale: false }
      }
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(
        Buffer.from(request.data, 'base64'),
      )
      return { ok: true, text: result, isStale: shouldReEncrypt }
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      const message = `The system’s key store refused: ${reason}`
      const hint =
        'Unlock the keychain of your session and try again; a key of another user or machine opens nothing.'
      return {
        ok: false,
        error: errorRecord(request.op === 'decrypt' ? 'vault_wrong_key' : 'vault_unavailable', {
          message,
          hint,
        }),
      }
    }
  }
}
