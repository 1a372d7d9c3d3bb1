/**
 * The form of a vault's file. What people may see (names, notes, bindings, instants) is plain, so that it can
 * be listed while the vault is locked; values are sealed together with their name and binding, so that nobody
 * without the key can loosen a binding or pass one secret off as another.
 */

import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'
import { canonicalJson } from '../../model/json.ts'
import { secretsMax } from '../../model/limits.ts'
import type { SecretBinding } from '../../model/secret.ts'
import { keyProviders, secretKinds, secretNamePattern } from '../../model/secret.ts'
import type { WrappedKey } from './key-provider.ts'
import type { Sealed } from './sealing.ts'

const vaultFormat = 'sagasmith-vault'
/** The form that this version writes. */
const vaultVersion = 1

/** Where a vault's text lies. */
export interface VaultFiles {
  /** Names the file, for messages. */
  readonly path: string
  /** The text; null when nothing was ever kept. */
  readonly read: () => Promise<string | null>
  /** Replaces it as a whole, for its owner alone: a crash leaves the old text or the new one. */
  readonly write: (text: string) => Promise<void>
}

const texts = z.array(z.string()).nullable()

const secretForm = z.object({
  name: z.string().regex(secretNamePattern),
  kind: z.enum(secretKinds),
  note: z.string(),
  createdAt: z.number(),
  changedAt: z.number(),
  hosts: texts,
  kinds: texts,
  nodes: texts,
  sealed: z.object({ nonce: z.string(), data: z.string() }),
})

const fileForm = z.object({
  format: z.literal(vaultFormat),
  version: z.literal(vaultVersion),
  /** Made up with the vault: what is sealed in one can't be put into another. */
  workspace: z.string().min(1),
  key: z.looseObject({ provider: z.enum(keyProviders) }),
  secrets: z.record(z.string().min(1), secretForm),
})

/** A secret as it is kept. */
export interface KeptSecret extends z.infer<typeof secretForm> {
  readonly sealed: Sealed
}

/** A vault as it is kept: secrets by their ids, which never change. */
export interface VaultContent {
  readonly workspace: string
  readonly key: WrappedKey
  readonly secrets: Readonly<Record<string, KeptSecret>>
}

/** Reads a file's text. Throws `vault_damaged` and `vault_too_new`. */
export function parseVault(text: string, path: string): VaultContent {
  const json = jsonOf(text)
  if (typeof json === 'object' && json !== null && 'version' in json) {
    const { version } = json
    if (typeof version === 'number' && version > vaultVersion) {
      throw new SagasmithError('vault_too_new', { details: { path, version } })
    }
  }
  const parsed = fileForm.safeParse(json)
  if (!parsed.success) throw damaged(path)
  const { workspace, key, secrets } = parsed.data
  // It came out of a JSON parser, and its provider was checked.
  return { workspace, key: key as WrappedKey, secrets }
}

/** The text of a vault. Throws when there are more secrets than a vault takes. */
export function vaultText({ workspace, key, secrets }: VaultContent): string {
  if (Object.keys(secrets).length > secretsMax) {
    throw new SagasmithError('bad_request', {
      message: `A vault holds at most ${secretsMax} secrets.`,
      hint: 'Remove some that no workflow uses.',
    })
  }
  const file = { format: vaultFormat, version: vaultVersion, workspace, key, secrets }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** What a sealed value is bound to. */
export function aboutSecret(
  workspace: string,
  id: string,
  { name, hosts, kinds, nodes }: SecretBinding & { readonly name: string },
): string {
  return canonicalJson(['secret', vaultVersion, workspace, id, name, hosts, kinds, nodes])
}

/** What a wrapped data key is bound to. */
export const aboutKey = (workspace: string): string => canonicalJson(['data-key', vaultVersion, workspace])

/** A vault that can't be read. */
const damaged = (path: string): SagasmithError =>
  new SagasmithError('vault_damaged', {
    message: `The vault of secrets, ${path}, is damaged.`,
    details: { path },
  })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A text that is no JSON is no vault either; the form says so.
    return null
  }
}
