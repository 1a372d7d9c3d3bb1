/** Having a pulled run go on where it came from: on its own version, or on a changed one. */

import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ResumeRequest } from '../../protocol/teleport.ts'
import { boundDocument, documentInPlace } from '../../runtime/teleport/bound-document.ts'
import { refuseMovedOn } from '../../runtime/teleport/moved-on.ts'
import { notPulled } from '../../runtime/teleport/not-pulled.ts'
import { stepsToRetry } from '../../runtime/teleport/retry-preview.ts'
import type { Store } from '../../store/store.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { ClusterHost } from '../clusters/cluster-host.ts'
import type { Handlers } from '../handlers/contract.ts'
import { validationOptions } from '../validate-json.ts'
import type { TeleportDesk } from './desk.ts'
import type { TeleportDeskParts } from './desk-parts.ts'

export function createResuming(parts: TeleportDeskParts): Pick<TeleportDesk, 'preview' | 'resume'> {
  return {
    async preview(request) {
      const prepared = await prepare(parts, request)
      const { cluster, record, host, methods, json } = prepared
      const { baseDirectory } = record
      const push =
        json === null ? null : await methods['workflows.preview']({ document: json, baseDirectory })
      const { again, refusal } = await judge(parts, prepared, request)
      return { cluster, push, again, refusal: host.readOnly ? readOnlyAt(cluster) : refusal }
    },
    async resume(request) {
      const { cluster, pulled, record, host, methods, json } = await prepare(parts, request)
      await refuseMovedOn(host.store, pulled, record)
      const { runId, nodeId, by, reason } = request
      const answer = await methods['runs.retry']({
        runId,
        nodeId,
        input: null,
        version: json === null ? 'same' : 'newest',
        document: json,
        by,
        reason,
        // Somebody may be faster than this call.
        ifVersion: record.version,
      })
      parts.log.info('teleport.resumed', { runId, cluster, generation: answer.generation })
      return { ...answer, cluster }
    },
  }
}

interface Prepared {
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
async function prepare(
  { pulled: runs, clusters, methodsOf }: TeleportDeskParts,
  { runId, cluster, document: given }: ResumeRequest,
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

/** What would happen, as far as it can be told before it does. */
async function judge(
  { clock }: TeleportDeskParts,
  { host, pulled, record, store, bound, document }: Prepared,
  { runId, nodeId }: ResumeRequest,
): Promise<{ readonly again: readonly NodeId[]; readonly refusal: ErrorRecord | null }> {
  try {
    await refuseMovedOn(host.store, pulled, record)
    const question = { runId, bound, document, nodeId, now: clock.now() }
    return { again: await stepsToRetry(store, taskSpecsByKind, question), refusal: null }
  } catch (thrown) {
    if (!(thrown instanceof SagasmithError)) throw thrown
    return { again: [], refusal: recordOfThrown(thrown) }
  }
}

const readOnlyAt = (cluster: string): ErrorRecord =>
  toErrorRecord(
    new SagasmithError('cluster_read_only', {
      message: `The connection to ${cluster} is read-only.`,
      details: { cluster },
    }),
  )
