/** The vault of a data directory: its files, and where its key comes from. */

import { open } from 'node:fs/promises'
import { SagasmithError } from '../model/errors.ts'
import type { Clock } from '../model/ports.ts'
import type { KeyProviderKind, SecretEntry } from '../model/secret.ts'
import type { ShellSettings } from '../model/settings/shell-settings.ts'
import { createSystemIds, systemClock } from '../runtime/system-ports.ts'
import type { KeyFiles } from '../runtime/vault/key-file.ts'
import { createKeyFileProvider } from '../runtime/vault/key-file.ts'
import type { KeyProvider } from '../runtime/vault/key-provider.ts'
import type { LentKey } from '../runtime/vault/lent-key.ts'
import { createLentKeyProvider } from '../runtime/vault/lent-key.ts'
import { createPassphraseProvider } from '../runtime/vault/passphrase.ts'
import type { Vault } from '../runtime/vault/vault.ts'
import { createVault } from '../runtime/vault/vault.ts'
import type { VaultFiles } from '../runtime/vault/vault-file.ts'
import { parseVault } from '../runtime/vault/vault-file.ts'
import { fileError, isSystemError, textIfThere, writeFileAtomically, writeForOwner } from './atomic-file.ts'
import type { DataDirectory } from './data-directory.ts'
import { dataDirectory } from './data-directory.ts'

/** Only its owner may read and write. */
const ownerOnly = 0o600
/** The bits of everybody else. */
const othersBits = 0o077

export interface OpenVaultInput {
  readonly directory: Pick<DataDirectory, 'vault' | 'vaultUses' | 'vaultKey'>
  readonly settings: Pick<ShellSettings, 'vaultPassphrase' | 'vaultKeyFile'>
  readonly clock: Clock
  /** The key store of the desktop: it makes new vaults where there is one. */
  readonly keyStore?: KeyProvider
  /** What the process that started this one told it. */
  readonly lent?: LentKey
}

/** The vault; nothing is read or made before it is used. */
export function openVault({ directory, settings, clock, keyStore, lent }: OpenVaultInput): Vault {
  let passphrase: string | null = settings.vaultPassphrase === '' ? null : settings.vaultPassphrase
  const keyPath = settings.vaultKeyFile === '' ? directory.vaultKey : settings.vaultKeyFile
  const byPassphrase = createPassphraseProvider(() => passphrase)
  const byKeyFile = createKeyFileProvider(keyFiles(keyPath))
  return createVault({
    files: ownFile(directory.vault),
    uses: ownFile(directory.vaultUses),
    providers: [
      ...(lent === undefined ? [] : [createLentKeyProvider(lent)]),
      ...(keyStore === undefined ? [] : [keyStore]),
      byKeyFile,
      byPassphrase,
    ],
    // Who gives a passphrase wants it to be what protects a new vault.
    preferred: () => (passphrase === null ? (keyStore ?? byKeyFile) : byPassphrase),
    givePassphrase: (text) => {
      const before = passphrase
      passphrase = text
      return before
    },
    clock,
    ids: createSystemIds(clock),
  })
}

/** What the vault keeps, for checking documents; undefined when it can't be read. */
export async function knownSecrets(settings: ShellSettings): Promise<readonly SecretEntry[] | undefined> {
  const vault = openVault({ directory: dataDirectory(settings.data), settings, clock: systemClock })
  try {
    return await vault.list()
  } catch {
    // Whoever asks for the secrets themselves hears why.
    return undefined
  }
}

/** What protects the vault of a data directory; null where there is none, or none that can be read. */
export async function vaultProvider({
  vault: path,
}: Pick<DataDirectory, 'vault'>): Promise<KeyProviderKind | null> {
  const text = await textIfThere(path)
  if (text === null) return null
  try {
    return parseVault(text, path).key.provider
  } catch {
    // Whoever opens it hears why.
    return null
  }
}

function ownFile(path: string): VaultFiles {
  return {
    path,
    read: () => textIfThere(path),
    write: (text) => writeForOwner(path, text),
  }
}

function keyFiles(path: string): KeyFiles {
  return {
    path,
    read: () => privateText(path),
    create: async (text) => {
      try {
        return await writeFileAtomically(path, text, { exclusive: true, mode: ownerOnly })
      } catch (cause) {
        throw fileError(path, cause)
      }
    },
  }
}

/** The text of a file that nobody else may read; asked of the open file, so that it can't be swapped. */
async function privateText(path: string): Promise<string | null> {
  try {
    const file = await open(path, 'r')
    try {
      const { mode, uid } = await file.stat()
      // Windows has no such bits: there the folder of the user decides.
      if (process.platform !== 'win32') refuseExposed(path, { mode, uid })
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return null
    throw fileError(path, cause)
  }
}

function refuseExposed(path: string, { mode, uid }: { readonly mode: number; readonly uid: number }): void {
  const own = process.getuid?.() ?? uid
  if ((mode & othersBits) === 0 && uid === own) return
  const shown = (mode & 0o777).toString(8).padStart(3, '0')
  throw new SagasmithError('vault_key_exposed', {
    message:
      uid === own
        ? `Others can read the key file of the vault, ${path} (mode ${shown}).`
        : `The key file of the vault, ${path}, belongs to somebody else.`,
    hint: `Make it yours alone: chmod 600 ${path}. If somebody may have read it, replace the secrets.`,
    details: { path, mode: shown },
  })
}
