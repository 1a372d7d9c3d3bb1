/** What a method's handler is and what handlers work with; one file per group of methods beside this one. */

import type { DefinitionHash } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Problem } from '../../model/problem.ts'
import type { SecretEntry } from '../../model/secret.ts'
import type { SettingReport } from '../../model/settings/setting-report.ts'
import type { EngineInfo, InputOf, Method, OutputOf } from '../../protocol/api.ts'
import type { Engine } from '../../runtime/engine.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import type { AllowedPackages } from '../../tasks/javascript/packages/package-graph.ts'
import type { Checkpoints } from '../checkpoints.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { CrashDesk } from '../crash/crash-desk.ts'
import type { CustomTaskFolder } from '../custom-tasks.ts'
import type { DocumentTrust } from '../document-trust.ts'
import type { Drafts } from '../drafts.ts'
import type { Library } from '../library.ts'
import type { Samples } from '../samples.ts'
import type { SigningKeys } from '../signing-keys.ts'
import type { TeleportDesk } from '../teleport/desk.ts'
import type { TrustListFile } from '../trust-list.ts'
import type { UndoLogs } from '../undo-logs.ts'
import type { WebhookAddresses } from '../webhooks/webhook-addresses.ts'
import type { WebhookServer } from '../webhooks/webhook-server.ts'

/** A handler per method. Inputs were checked by the method's schema; a SagasmithError becomes the reply. */
export type Handlers<Methods extends Method = Method> = {
  readonly [M in Methods]: (input: InputOf<M>) => Promise<OutputOf<M>>
}

export interface HandlerDeps {
  readonly engine: Engine
  readonly info: EngineInfo
  readonly settings: readonly SettingReport[]
  readonly configFile: string
  readonly library: Library
  readonly customTasks: CustomTaskFolder
  /** Which code may import. */
  readonly packages: AllowedPackages
  readonly samples: Samples
  readonly drafts: Drafts
  readonly undoLogs: UndoLogs
  readonly checkpoints: Checkpoints
  readonly vault: Vault
  readonly clusters: Clusters
  readonly documentTrust: DocumentTrust
  readonly trustList: TrustListFile
  readonly signingKeys: SigningKeys
  /** Null where no data directory stands behind the engine. */
  readonly teleport: TeleportDesk | null
  /** Null where no worker of this machine may be crashed. */
  readonly crash: CrashDesk | null
  /** Gives null where nobody listens for web calls. */
  readonly webhooks: () => WebhookServer | null
  readonly webhookAddresses: WebhookAddresses
  readonly validate: (
    document: JsonObject,
    secrets?: readonly SecretEntry[],
  ) => {
    readonly problems: readonly Problem[]
    readonly hash: DefinitionHash | null
  }
}
