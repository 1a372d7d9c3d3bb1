/**
 * The vault: secrets of a workspace in one file, each value sealed with the vault's data key, which a key
 * provider wraps. The file is read anew at every use, for other processes change it too; the data key stays
 * in memory until it is wrapped differently.
 */

import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type {
  KeyProviderKind,
  SecretChange,
  SecretCheck,
  SecretEntry,
  VaultState,
} from '../../model/secret.ts'
import { boundToNothing } from '../../model/secret.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { OpenVault } from './kept-secrets.ts'
import { entryOf, findSecret, listOf, problemOf, unknownSecret, valueOf } from './kept-secrets.ts'
import type { KeyProvider, UnwrappedKey, WrappedKey } from './key-provider.ts'
import type { LentKey } from './lent-key.ts'
import { checkPassphrase } from './passphrase.ts'
import { newKey, seal } from './sealing.ts'
import { checkChange, checkName } from './secret-change.ts'
import type { KeptSecret, VaultContent, VaultFiles } from './vault-file.ts'
import { aboutKey, aboutSecret, parseVault, vaultText } from './vault-file.ts'
import { createVaultUses } from './vault-uses.ts'

/** A secret with its value: for the process that uses it, never for anybody's eyes. */
export interface OpenedSecret {
  readonly entry: SecretEntry
  readonly value: string
}

export interface Vault {
  /** Whether it can be used now; never throws. */
  readonly state: () => Promise<VaultState>
  /** Everything but the values, by name; also while it is locked. Throws `vault_damaged`, `vault_too_new`. */
  readonly list: () => Promise<readonly SecretEntry[]>
  /** Adds a secret or changes one. Throws `bad_request` for what no secret can be. */
  readonly set: (change: SecretChange) => Promise<SecretEntry>
  /** Throws `secret_not_found`, `secret_exists`. */
  readonly rename: (names: { readonly from: string; readonly to: string }) => Promise<SecretEntry>
  /** Throws `secret_not_found`. */
  readonly remove: (name: string) => Promise<void>
  /** Whether each value can be read. */
  readonly check: () => Promise<readonly SecretCheck[]>
  /** The named secrets, in that order. Throws `secret_not_found`, `vault_locked` and what else is wrong. */
  readonly open: (names: readonly string[]) => Promise<readonly OpenedSecret[]>
  /**
   * Protects the vault otherwise: a new data key, every value sealed anew, wrapped by that provider. The old
   * file opens nothing of the new one. Throws what keeps it from being opened, or the provider from working.
   */
  readonly protect: (by: VaultProtection) => Promise<VaultState>
  /**
   * The data key, for a process that this one starts to work in its place; null where there is no vault. Throws what
   * `open` throws.
   */
  readonly lend: () => Promise<LentKey | null>
  /** Takes a passphrase, and throws `vault_wrong_key` when it is another one's. */
  readonly unlock: (passphrase: string) => Promise<VaultState>
}

/** What a vault is to be protected by from now on. */
export interface VaultProtection {
  readonly provider: KeyProviderKind
  /** For a passphrase: the new one. */
  readonly passphrase: string | null
}

export interface VaultOptions {
  readonly files: VaultFiles
  /** Instants of last uses; losing them harms nobody. */
  readonly uses: VaultFiles
  /** All that can open one; the file says which one does. */
  readonly providers: readonly KeyProvider[]
  /** The one that makes a new vault. */
  readonly preferred: () => KeyProvider
  /** Hands a passphrase to the provider that wants one, null takes it back; gives the one before. */
  readonly givePassphrase: (text: string | null) => string | null
  readonly clock: Clock
  readonly ids: Ids
}

/** The vault of these files. */
export function createVault(options: VaultOptions): Vault {
  return new FileVault(options)
}

/** How long `state` repeats a refusal instead of asking for the key again; using a secret always asks. */
const refusalKeptMs: Millis = 30 * second

type KnownKey = UnwrappedKey & { readonly wrapped: string }

class FileVault implements Vault {
  readonly #options: VaultOptions
  readonly #uses: ReturnType<typeof createVaultUses>
  /** The data key, and the wrapping that it was taken out of. */
  #known: KnownKey | null = null
  /** Why the key did not come the last time. */
  #refused: { readonly wrapped: string; readonly error: unknown; readonly at: Millis } | null = null
  /** Changes happen one after another. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: VaultOptions) {
    this.#options = options
    this.#uses = createVaultUses(options.uses, options.clock)
  }

  async state(): Promise<VaultState> {
    const preferred = this.#options.preferred()
    let content: VaultContent | null = null
    try {
      content = await this.#read()
      if (content === null) {
        await preferred.requireWorking?.()
        return { status: 'empty', provider: preferred.kind, problem: null }
      }
      this.#refuseAsBefore(content)
      await this.#dataKeyOf(content)
      return { status: 'open', provider: content.key.provider, problem: null }
    } catch (thrown) {
      const { code, message, hint } = recordOfThrown(thrown)
      const status = code === 'vault_damaged' || code === 'vault_too_new' ? 'damaged' : 'locked'
      const provider = content?.key.provider ?? preferred.kind
      return { status, provider, problem: { code, message, hint } }
    }
  }

  async list(): Promise<readonly SecretEntry[]> {
    const content = await this.#read()
    if (content === null) return []
    const usedAt = await this.#uses.all()
    return Object.entries(content.secrets)
      .map(([id, kept]) => entryOf(kept, usedAt[id] ?? null))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
  }

  set(change: SecretChange): Promise<SecretEntry> {
    return this.#changing(async () => {
      checkChange(change)
      const open = await this.#openForChange()
      const found = findSecret(open.content, change.name)
      const value = change.value ?? (found === null ? null : valueOf(open, found))
      if (value === null) {
        throw new SagasmithError('bad_request', {
          message: `The secret “${change.name}” is new: it needs a value.`,
          hint: 'Give the value too.',
        })
      }
      const id = found?.id ?? this.#options.ids.next()
      return this.#write(open, { id, before: found?.kept ?? null, change, value })
    })
  }

  rename({ from, to }: { readonly from: string; readonly to: string }): Promise<SecretEntry> {
    return this.#changing(async () => {
      checkName(to)
      const open = await this.#openForChange()
      const found = findSecret(open.content, from)
      if (found === null) throw unknownSecret(from)
      if (from !== to && findSecret(open.content, to) !== null) {
        throw new SagasmithError('secret_exists', {
          message: `There is a secret “${to}” already.`,
          details: { name: to },
        })
      }
      const value = valueOf(open, found)
      return this.#write(open, { id: found.id, before: found.kept, change: { name: to }, value })
    })
  }

  remove(name: string): Promise<void> {
    return this.#changing(async () => {
      // Removing needs no key: nobody should have to keep a secret because the key is lost.
      const content = await this.#read()
      const found = content === null ? null : findSecret(content, name)
      if (content === null || found === null) throw unknownSecret(name)
      const { [found.id]: _removed, ...secrets } = content.secrets
      await this.#options.files.write(vaultText({ ...content, secrets }))
    })
  }

  async check(): Promise<readonly SecretCheck[]> {
    const content = await this.#read()
    if (content === null) return []
    const dataKey = await this.#dataKeyOf(content)
    return Object.entries(content.secrets)
      .map(([id, kept]) => ({ name: kept.name, problem: problemOf({ content, dataKey }, { id, kept }) }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
  }

  async open(names: readonly string[]): Promise<readonly OpenedSecret[]> {
    const content = await this.#read()
    const found = names.map((name) => {
      const secret = content === null ? null : findSecret(content, name)
      if (secret === null) throw unknownSecret(name)
      return secret
    })
    if (content === null || found.length === 0) return []
    const open = { content, dataKey: await this.#dataKeyOf(content) }
    const opened = found.map((secret) => ({
      entry: entryOf(secret.kept, null),
      value: valueOf(open, secret),
    }))
    this.#uses.note(found.map(({ id }) => id))
    return opened
  }

  async lend(): Promise<LentKey | null> {
    const content = await this.#read()
    if (content === null) return null
    const dataKey = await this.#dataKeyOf(content)
    return { wrapped: content.key, dataKey: dataKey.toString('base64') }
  }

  protect({ provider: kind, passphrase }: VaultProtection): Promise<VaultState> {
    return this.#changing(async () => {
      const open = await this.#openForChange()
      const { workspace, secrets } = open.content
      // The old one is forgotten only for one that will do.
      if (passphrase !== null) checkPassphrase(passphrase)
      if (passphrase !== null) this.#options.givePassphrase(passphrase)
      const dataKey = newKey()
      const key = await this.#providerOf({ provider: kind }).wrap(dataKey, aboutKey(workspace))
      const sealedAnew = Object.entries(secrets).map(([id, kept]): [string, KeptSecret] => {
        const about = aboutSecret(workspace, id, kept)
        return [
          id,
          { ...kept, sealed: seal(Buffer.from(valueOf(open, { id, kept }), 'utf8'), dataKey, about) },
        ]
      })
      await this.#options.files.write(vaultText({ workspace, key, secrets: Object.fromEntries(sealedAnew) }))
      this.#known = { wrapped: JSON.stringify(key), dataKey, isStale: false }
      return this.state()
    })
  }

  async unlock(passphrase: string): Promise<VaultState> {
    // One that is chosen is refused while it is asked for, not with the first secret that is kept.
    if ((await this.#options.files.read()) === null) checkPassphrase(passphrase)
    const before = this.#options.givePassphrase(passphrase)
    const opened = this.#known
    this.#refused = null
    const state = await this.state()
    // A key that is known already says nothing about this passphrase.
    const isRight = opened === null || (await this.#isPassphraseOf(opened))
    if (state.problem === null && isRight) return state
    this.#options.givePassphrase(before)
    if (isRight && state.problem?.code !== 'vault_wrong_key') return state
    throw new SagasmithError('vault_wrong_key', {
      message: 'That is not the passphrase of the vault.',
      hint: 'Try again: mind capitals and the keyboard’s language.',
    })
  }

  /** Whether what was given last opens what is open; true for a vault that no passphrase protects. */
  async #isPassphraseOf({ wrapped }: KnownKey): Promise<boolean> {
    const content = await this.#read()
    if (content?.key.provider !== 'passphrase' || JSON.stringify(content.key) !== wrapped) return true
    try {
      await this.#providerOf(content.key).unwrap(content.key, aboutKey(content.workspace))
      return true
    } catch (thrown) {
      if (recordOfThrown(thrown).code === 'vault_wrong_key') return false
      throw thrown
    }
  }

  async #read(): Promise<VaultContent | null> {
    const { files } = this.#options
    const text = await files.read()
    return text === null ? null : parseVault(text, files.path)
  }

  async #openForChange(): Promise<OpenVault> {
    const content = await this.#read()
    if (content !== null) {
      const dataKey = await this.#dataKeyOf(content)
      if (this.#known?.isStale !== true) return { content, dataKey }
      const key = await this.#providerOf(content.key).wrap(dataKey, aboutKey(content.workspace))
      this.#known = { wrapped: JSON.stringify(key), dataKey, isStale: false }
      return { content: { ...content, key }, dataKey }
    }
    const provider = this.#options.preferred()
    const workspace = this.#options.ids.next()
    const dataKey = newKey()
    const key = await provider.wrap(dataKey, aboutKey(workspace))
    this.#known = { wrapped: JSON.stringify(key), dataKey, isStale: false }
    return { content: { workspace, key, secrets: {} }, dataKey }
  }

  async #dataKeyOf({ key, workspace }: VaultContent): Promise<Buffer> {
    const wrapped = JSON.stringify(key)
    if (this.#known?.wrapped === wrapped) return this.#known.dataKey
    try {
      const unwrapped = await this.#providerOf(key).unwrap(key, aboutKey(workspace))
      this.#known = { wrapped, ...unwrapped }
      this.#refused = null
      return unwrapped.dataKey
    } catch (error) {
      this.#refused = { wrapped, error, at: this.#options.clock.monotonic() }
      throw error
    }
  }

  /** A look at the vault neither guesses a passphrase again and again nor has the system ask a person. */
  #refuseAsBefore({ key }: VaultContent): void {
    const { clock } = this.#options
    const refused = this.#refused
    if (refused === null || refused.wrapped !== JSON.stringify(key)) return
    if (clock.monotonic() - refused.at < refusalKeptMs) throw refused.error
  }

  #providerOf(key: Pick<WrappedKey, 'provider'>): KeyProvider {
    const provider = this.#options.providers.find(({ kind }) => kind === key.provider)
    if (provider !== undefined) return provider
    throw new SagasmithError('vault_locked', {
      message: 'The key of the vault lies in the key store of the desktop, which this process can’t ask.',
      hint: 'Do it in the Sagasmith app, or while the app runs on this data directory.',
      details: { provider: key.provider },
    })
  }

  async #write(
    { content, dataKey }: OpenVault,
    parts: {
      readonly id: string
      readonly before: KeptSecret | null
      readonly change: SecretChange
      readonly value: string
    },
  ): Promise<SecretEntry> {
    const { id, before, change, value } = parts
    const now = this.#options.clock.now()
    const base = before ?? {
      ...boundToNothing,
      kind: 'other' as const,
      note: '',
      createdAt: now,
      changedAt: now,
    }
    const plain = {
      name: change.name,
      kind: change.kind ?? base.kind,
      note: change.note ?? base.note,
      createdAt: base.createdAt,
      changedAt: change.value === undefined ? base.changedAt : now,
      hosts: listOf(change.hosts, base.hosts),
      kinds: listOf(change.kinds, base.kinds),
      nodes: listOf(change.nodes, base.nodes),
    }
    const about = aboutSecret(content.workspace, id, plain)
    const kept: KeptSecret = { ...plain, sealed: seal(Buffer.from(value, 'utf8'), dataKey, about) }
    await this.#options.files.write(vaultText({ ...content, secrets: { ...content.secrets, [id]: kept } }))
    return entryOf(kept, (await this.#uses.all())[id] ?? null)
  }

  #changing<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(change)
    // A refused change must not keep the next ones from theirs.
    this.#last = done.catch(() => undefined)
    return done
  }
}
