/** What publishing a version on a store would do there. */

import type { DefinitionHash, NodeId, RunId, WorkflowId } from '../model/ids.ts'
import type { SecretShortfall } from '../model/runner-secrets.ts'
import type { Instant } from '../model/time.ts'
import type { VersionChange } from '../model/version-changes.ts'

export interface PushPreview {
  readonly hash: DefinitionHash
  /** Whether the store has this very version already. */
  readonly known: boolean
  /** The versions of other workflows that its steps start, and theirs. */
  readonly starts: readonly DefinitionHash[]
  /** The same with how they stand there. */
  readonly startedWorkflows: readonly StartedWorkflow[]
  /** The newest version of the workflow there; null when there is none. */
  readonly newest: { readonly hash: DefinitionHash; readonly publishedAt: Instant } | null
  /** From the newest there to this one; none when there is no version yet. */
  readonly changes: readonly VersionChange[]
  /** Runners that are alive there. */
  readonly runners: number
  /** Those of them that would execute it and all that it starts, as far as they tell. */
  readonly trusting: number
  /** Task kinds that no living runner can do, with the nodes that need them, here and in what it starts. */
  readonly missingKinds: readonly MissingKind[]
  /** Secrets that its steps name, and those of what it starts: every runner needs them in its own vault. */
  readonly secrets: readonly string[]
  /** Who there has them, for each. */
  readonly secretStandings: readonly SecretStanding[]
  /** Runs of the workflow that haven't ended, by the version they are bound to: none of them changes. */
  readonly inFlight: readonly { readonly hash: DefinitionHash; readonly count: number }[]
  /** Whether there are more of them than were counted. */
  readonly moreInFlight: boolean
  /** The newest of them, with what still lies ahead of each that the new version changes. */
  readonly ahead: readonly RunAhead[]
}

/** A run in flight, as a new version finds it. It ends as it began: nothing of it is changed by publishing. */
export interface RunAhead {
  readonly runId: RunId
  /** The version that it is bound to. */
  readonly hash: DefinitionHash
  /** Steps that it may still come to and that are others in the new version, or gone. */
  readonly steps: readonly ChangedAhead[]
}

export interface ChangedAhead {
  readonly nodeId: NodeId
  readonly title: string
  readonly change: 'changed' | 'removed'
}

/** Another workflow that a push takes along. */
export interface StartedWorkflow {
  readonly id: WorkflowId
  readonly title: string
  readonly hash: DefinitionHash
  /** `same`: this very version is there; `other`: only others are, which stay; `new`: none of the workflow is. */
  readonly there: 'same' | 'other' | 'new'
}

export interface MissingKind {
  readonly kind: string
  /** Which of the workflows that it starts the nodes are of; null for the pushed one. */
  readonly workflow: string | null
  readonly nodes: readonly NodeId[]
}

/** How the living runners stand to a secret; each counts that could do a step which names it. */
export interface SecretStanding {
  readonly name: string
  /** Which of the workflows that it starts the nodes are of; null for the pushed one. */
  readonly workflow: string | null
  readonly nodes: readonly NodeId[]
  /** Runners that could give it to all of these steps. */
  readonly having: number
  readonly lacking: number
  /** Runners that don't tell. */
  readonly silent: number
  /** What those lack that can't give it. */
  readonly reasons: readonly SecretShortfall[]
}
