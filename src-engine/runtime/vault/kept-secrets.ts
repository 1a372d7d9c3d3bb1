/** The secrets of a vault that was read: finding one, opening it, telling what may be told of it. */

import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { SecretCheck, SecretEntry } from '../../model/secret.ts'
import { unseal } from './sealing.ts'
import type { KeptSecret, VaultContent } from './vault-file.ts'
import { aboutSecret } from './vault-file.ts'

/** A vault with the key that opens its values. */
export interface OpenVault {
  readonly content: VaultContent
  readonly dataKey: Buffer
}

/** A list of a binding after a change: what isn't named stays. */
export function listOf(
  changed: readonly string[] | null | undefined,
  before: readonly string[] | null,
): string[] | null {
  const list = changed === undefined ? before : changed
  return list === null ? null : list.map((text) => text.trim())
}

/** A secret with its id, which never changes. */
interface FoundSecret {
  readonly id: string
  readonly kept: KeptSecret
}

/** The secret of that name; null when there is none. */
export function findSecret({ secrets }: VaultContent, name: string): FoundSecret | null {
  const found = Object.entries(secrets).find(([, kept]) => kept.name === name)
  return found === undefined ? null : { id: found[0], kept: found[1] }
}

/** The value. Throws `vault_damaged` when anything about the secret was changed outside. */
export function valueOf({ content, dataKey }: OpenVault, { id, kept }: FoundSecret): string {
  const plain = unseal(kept.sealed, dataKey, aboutSecret(content.workspace, id, kept))
  if (plain !== null) return plain.toString('utf8')
  throw new SagasmithError('vault_damaged', {
    message: `The secret “${kept.name}” was changed outside of Sagasmith and can’t be trusted.`,
    hint: 'Enter its value anew, and check where it may go; the other secrets are not affected.',
    details: { name: kept.name },
  })
}

/** Why a value can't be read; null when it can. */
export function problemOf(open: OpenVault, found: FoundSecret): SecretCheck['problem'] {
  try {
    valueOf(open, found)
    return null
  } catch (thrown) {
    const { code, message, hint }: ErrorRecord = recordOfThrown(thrown)
    return { code, message, hint }
  }
}

/** Everything but the value. */
export function entryOf(
  { name, kind, note, createdAt, changedAt, hosts, kinds, nodes }: KeptSecret,
  lastUsedAt: number | null,
): SecretEntry {
  return { name, kind, note, createdAt, changedAt, lastUsedAt, hosts, kinds, nodes }
}

/** Nobody has put it there. */
export const unknownSecret = (name: string): SagasmithError =>
  new SagasmithError('secret_not_found', {
    message: `There is no secret “${name}” in the vault.`,
    details: { name },
  })
