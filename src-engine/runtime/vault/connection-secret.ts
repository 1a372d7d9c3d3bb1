/** A secret for a connection of the program itself, such as the password of a cluster: bound like any other. */

import { SagasmithError } from '../../model/errors.ts'
import type { SecretHost } from '../../model/secret.ts'
import { isHostAllowed } from '../../model/secret.ts'
import type { Vault } from './vault.ts'

/** What wants to connect, and to whom. */
export interface SecretConnection {
  /** What a secret's `kinds` call it. */
  readonly kind: 'cluster'
  /** Every host that may get it. */
  readonly hosts: readonly SecretHost[]
}

/**
 * The value. Throws `secret_not_allowed` for a secret that is meant for steps, `secret_host_denied` for a host
 * that it isn't bound to, and what the vault throws.
 */
export async function openForConnection(
  vault: Pick<Vault, 'open'>,
  name: string,
  { kind, hosts }: SecretConnection,
): Promise<string> {
  const [opened] = await vault.open([name])
  if (opened === undefined) throw new SagasmithError('secret_not_found', { details: { name } })
  const { entry, value } = opened
  if (entry.nodes !== null || (entry.kinds !== null && !entry.kinds.includes(kind))) {
    throw new SagasmithError('secret_not_allowed', {
      message: `The secret “${name}” is meant for steps, not for connections to a ${kind}.`,
      hint: `Use another one, or bind it to ${kind}: sagasmith secrets bind ${name} --kinds ${kind}.`,
      details: { name, kind },
    })
  }
  const refused = hosts.find((host) => !isHostAllowed(entry, host))
  if (refused === undefined) return value
  const host = `${refused.hostname}:${refused.port}`
  throw new SagasmithError('secret_host_denied', {
    message: `The secret “${name}” may not be sent to ${host}.`,
    details: { name, host, allowed: [...(entry.hosts ?? [])] },
  })
}
