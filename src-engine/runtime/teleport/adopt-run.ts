/** Brings a pulled run among the runs of this machine, with the payloads and versions that it needs to go on. */

import type { TaskSpecs } from '../../model/definition-hash.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { BlobHash, RunId } from '../../model/ids.ts'
import type { Cause, InvocationRecord } from '../../model/invocation.ts'
import { isFleeting } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { Store } from '../../store/store.ts'
import { invalidCheckpoint } from '../commit-errors.ts'
import { partitionOfRun } from '../run-place.ts'
import { unreadable } from '../sealing/sealed-store.ts'
import type { ValueChange } from '../sealing/walk-values.ts'
import { walkValues } from '../sealing/walk-values.ts'
import { startedVersions } from '../trust/started-versions.ts'
import { adoptable, adoptingCheckpoint, hereIdOf, refuseNotAdoptable } from './adopted-run.ts'

export interface AdoptParts {
  /** The copies. */
  readonly source: Store
  readonly local: Pick<Store, 'info' | 'load' | 'commit' | 'putBlob'>
  readonly specsByKind: TaskSpecs
}

/**
 * Makes the run that goes on here, ended as it ended there; the one that is there already where somebody asked before.
 * Throws `run_not_final`, `run_not_retryable`, `blob_missing`, `seal_key_missing`, `sealed_value_damaged`,
 * `definition_altered`.
 */
export async function adoptRun(
  parts: AdoptParts,
  run: RunRecord,
  { at, cause }: { readonly at: Instant; readonly cause: Cause },
): Promise<RunId> {
  const { source, local } = parts
  const id = hereIdOf(run)
  const partition = partitionOfRun(local.info, id)
  if ((await local.load(partition, 'run', { runId: id })) !== null) return id
  const from = partitionOfRun(source.info, run.id)
  const all = await source.load(from, 'invocations', { runId: run.id })
  refuseNotAdoptable(run, all)
  const invocations = adoptable(all)
  const problem = unreadable([run, ...invocations])
  if (problem !== null) throw problem
  const brought = await bringPayloads(parts, { run, invocations })
  const versions = await versionsOf(parts, run)
  const checkpoint = adoptingCheckpoint({ ...brought, versions, partition, at, cause })
  const [answer] = await local.commit(partition, [checkpoint])
  if (answer?.kind !== 'refused') return id
  if (answer.refusal.kind === 'invalid') throw invalidCheckpoint(answer.refusal.problems)
  // Somebody else asked at the same moment.
  if ((await local.load(partition, 'run', { runId: id })) !== null) return id
  throw new SagasmithError('lost_race', { details: { runId: id } })
}

interface Records {
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
}

/** Payloads beside the records come along; where this machine seals them they have other names. */
async function bringPayloads({ source, local }: AdoptParts, records: Records): Promise<Records> {
  const found = new Set<BlobHash>()
  const place = { scope: '', path: '' }
  const look: ValueChange = {
    ...keeping,
    payload(value) {
      // What isn't kept stays where it is: steps that need it say so.
      if (value.kind === 'blob' && !isFleeting(value)) found.add(value.hash)
      return value
    },
  }
  walkValues(records, place, look)
  const names = new Map<BlobHash, BlobHash>()
  for (const hash of found) names.set(hash, await local.putBlob(await source.getBlob(hash)))
  return walkValues(records, place, {
    ...keeping,
    payload(value) {
      const hash = value.kind === 'blob' ? names.get(value.hash) : undefined
      return hash === undefined || value.kind !== 'blob' || hash === value.hash ? value : { ...value, hash }
    },
  })
}

const keeping: ValueChange = {
  payload: (value) => value,
  error: (value) => value,
  text: (value) => value,
}

async function versionsOf(
  { source, specsByKind }: AdoptParts,
  { definitionHash }: RunRecord,
): Promise<readonly WorkflowVersion[]> {
  const home = source.info.partitions[0] ?? 0
  const versionOf = async (hash: typeof definitionHash): Promise<WorkflowVersion> => {
    const version = await source.load(home, 'workflowVersion', { hash })
    if (version === null) throw new SagasmithError('workflow_not_found', { details: { hash } })
    return version
  }
  const own = await versionOf(definitionHash)
  // A published version is a document that passed validation.
  const document = JSON.parse(own.document) as WorkflowDocument
  const hashes = await startedVersions({ definitions: { version: versionOf }, specsByKind }, document, [])
  return [own, ...(await Promise.all(hashes.map(versionOf)))]
}
