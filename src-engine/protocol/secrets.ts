/** What can be asked and said about secrets. Values go in and never come out. */

import type { DefinitionHash, WorkflowId } from '../model/ids.ts'
import type { SecretCheck, SecretEntry, VaultState } from '../model/secret.ts'
import type { SecretPlace } from '../model/secret-uses.ts'
import type { Instant } from '../model/time.ts'

/** Everything but the values. */
export interface SecretsView {
  readonly vault: VaultState
  /** By name; empty when the vault can't be read. */
  readonly secrets: readonly SecretEntry[]
}

/** A step or a trigger of a workflow file that names a secret. */
export interface SecretUser extends SecretPlace {
  readonly workflowId: WorkflowId
  readonly title: string
  /** Absolute path of the file. */
  readonly path: string
}

/** The newest published version of a workflow, which names a secret: it stays as it is. */
export interface PublishedSecretUser {
  readonly name: string
  readonly workflowId: WorkflowId
  readonly title: string
  readonly hash: DefinitionHash
  readonly publishedAt: Instant
}

/** Whether the values can be read; none when the vault itself can't be. */
export interface SecretsCheck {
  readonly vault: VaultState
  readonly checks: readonly SecretCheck[]
}
