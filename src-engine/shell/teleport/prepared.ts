/** What a pulled run needs to go on, wherever that is. */

import type { ErrorRecord } from '../../model/errors.ts'
import { SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ResumeRequest } from '../../protocol/teleport.ts'
import { boundDocument, documentInPlace } from '../../runtime/teleport/bound-document.ts'
import { notPulled } from '../../runtime/teleport/not-pulled.ts'
import type { Store } from '../../store/store.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { ClusterHost } from '../clusters/cluster-host.ts'
import type { Handlers } from '../handlers/contract.ts'
import { validationOptions } from '../validate-json.ts'
import type { TeleportDeskParts } from './desk-parts.ts'

export interface Prepared {
  readonly cluster: string
  readonly pulled: PulledRun
  readonly record: RunRecord
  /** The copy. */
  readonly store: Store
  readonly host: ClusterHost
  readonly methods: Handlers
  readonly bound: WorkflowDocument
  /** What it is to go on with, as a document and as JSON; null to stay on its version. */
  readonly document: WorkflowDocument | null
  readonly json: JsonObject | null
}

/** Throws `teleport_not_pulled`, `document_invalid`, `bad_request`, and what keeps the cluster from being reached. */
export async function prepareResume(
  { pulled: runs, clusters, methodsOf }: TeleportDeskParts,
  { runId, cluster, document: given }: Pick<ResumeRequest, 'runId' | 'cluster' | 'document'>,
): Promise<Prepared> {
  const file = await runs.file()
  const reader = await runs.readerOf(runId)
  const pulled = file?.find(runId) ?? null
  const record = file?.record(runId) ?? null
  if (reader === null || pulled === null || record === null) throw notPulled(runId)
  const { store } = reader.composed.engine
  const bound = await boundDocument(store, record.definitionHash)
  const rules = { specsByKind: taskSpecsByKind, validation: validationOptions }
  const document = given === null ? null : documentInPlace(given, bound, { runId, rules })
  const name = cluster ?? pulled.origin.cluster
  const host = await clusters.open(name)
  return {
    cluster: name,
    pulled,
    record,
    store,
    host,
    methods: methodsOf(host),
    bound,
    document,
    // A document is plain JSON data.
    json: document as unknown as JsonObject | null,
  }
}

/** The refusal of a connection that changes nothing. */
export const readOnlyAt = (cluster: string): ErrorRecord =>
  toErrorRecord(
    new SagasmithError('cluster_read_only', {
      message: `The connection to ${cluster} is read-only.`,
      details: { cluster },
    }),
  )
