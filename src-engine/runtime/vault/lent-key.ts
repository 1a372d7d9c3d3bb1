/** The key of a vault in a process that another one started: it was told over the line between the two. */

import { SagasmithError } from '../../model/errors.ts'
import type { KeyProvider, WrappedKey } from './key-provider.ts'

export interface LentKey {
  /** As it lay in the vault's file when it was lent. */
  readonly wrapped: WrappedKey
  /** Base64. Never in a file, an argument or an environment. */
  readonly dataKey: string
}

/** Opens the vault while it is wrapped as it was, and wraps nothing. */
export function createLentKeyProvider({ wrapped, dataKey }: LentKey): KeyProvider {
  const lent = JSON.stringify(wrapped)
  const refusal = (): SagasmithError =>
    new SagasmithError('vault_locked', {
      message: 'The vault’s key was changed since it was lent to this process.',
    })
  return {
    kind: wrapped.provider,
    wrap: () => Promise.reject(refusal()),
    unwrap: (asked) =>
      JSON.stringify(asked) === lent
        ? Promise.resolve({ dataKey: Buffer.from(dataKey, 'base64'), isStale: false })
        : Promise.reject(refusal()),
  }
}
