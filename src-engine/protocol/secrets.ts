/** What can be asked and said about secrets. Values go in and never come out. */

import type { NodeId, WorkflowId } from '../model/ids.ts'
import type { SecretCheck, SecretEntry, VaultState } from '../model/secret.ts'

/** Everything but the values. */
export interface SecretsView {
  readonly vault: VaultState
  /** By name; empty when the vault can't be read. */
  readonly secrets: readonly SecretEntry[]
}

/** A step of a workflow file that names a secret. */
export interface SecretUser {
  readonly name: string
  readonly workflowId: WorkflowId
  readonly title: string
  /** Absolute path of the file. */
  readonly path: string
  readonly nodeId: NodeId
}

/** Whether the values can be read; none when the vault itself can't be. */
export interface SecretsCheck {
  readonly vault: VaultState
  readonly checks: readonly SecretCheck[]
}
