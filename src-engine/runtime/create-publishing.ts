/** Publishes versions on the store of an engine. */

import { SagasmithError } from '../model/errors.ts'
import type { DefinitionHash } from '../model/ids.ts'
import { pageSizeMax } from '../model/limits.ts'
import { parseDocument } from '../model/read-document.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine, runStatuses } from '../model/run-status.ts'
import type { VersionChange } from '../model/version-changes.ts'
import { versionChanges } from '../model/version-changes.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { PushPreview, StartedWorkflow } from '../protocol/push.ts'
import type { BoundRun } from './blast-radius.ts'
import { runsAhead } from './blast-radius.ts'
import type { EngineParts } from './engine-parts.ts'
import { versionOf } from './published-version.ts'
import type { Publishing, PublishRequest } from './publishing.ts'
import type { PushedWorkflows } from './push-reach.ts'
import { missingKindsOf, secretsOf } from './push-reach.ts'
import { livingRunners, mayTrust } from './routing/missing-runner.ts'
import { keepSignature } from './trust/signatures.ts'
import { startedDocuments, startedVersions } from './trust/started-versions.ts'

const openStatuses: readonly RunStatus[] = runStatuses.filter((status) => !runMachine.final.has(status))
/** Runs in flight that are counted; whoever has more knows that there are many. */
const countedMax = 10 * pageSizeMax

export function createPublishing(parts: EngineParts): Publishing {
  const { admission, pins, definitions, dependencies } = parts
  const { specsByKind } = dependencies.executor.host
  const bound = async ({ document: drawn, baseDirectory }: PublishRequest) => {
    const { document, versions } = await pins.pin(drawn, baseDirectory)
    const hash = admission.admit(document)
    return { document, versions, hash, known: await definitions.isPublished(hash) }
  }
  return {
    async preview(request) {
      const { document, versions, hash, known } = await bound(request)
      const newest = await newestVersion(parts, document)
      const started = await startedDocuments({ definitions, specsByKind }, document, versions)
      const starts = [...started.keys()]
      const { runs, moreInFlight } = await runsInFlight(parts, document)
      return {
        hash,
        known,
        starts,
        startedWorkflows: await startedWorkflows(parts, started),
        newest: newest === null ? null : { hash: newest.hash, publishedAt: newest.publishedAt },
        changes: newest === null ? [] : changesSince(parts, newest, document),
        ...(await whatRunnersMiss(parts, [document, ...started.values()], [hash, ...starts])),
        inFlight: countsOf(runs),
        moreInFlight,
        ahead: await runsAhead(parts, { document, hash }, runs),
      }
    },
    async publish(request) {
      const { document, versions, hash, known } = await bound(request)
      if (!known) await pins.publish([...versions, versionOf(document, hash, dependencies.clock.now())])
      // Equal versions may have other triggers: who publishes a known one may publish those.
      await parts.triggers.published({ document, hash, baseDirectory: request.baseDirectory })
      return { hash, isNew: !known }
    },
    async starts(hash) {
      if (!(await definitions.isPublished(hash))) return []
      const { document } = await definitions.version(hash)
      // Documents are JSON by construction.
      return startedVersions({ definitions, specsByKind }, JSON.parse(document) as WorkflowDocument, [])
    },
    sign: (hash, signature) => keepSignature(parts, hash, signature),
  }
}

async function newestVersion(
  { dependencies: { store, partition } }: EngineParts,
  { id }: Pick<WorkflowDocument, 'id'>,
): Promise<WorkflowVersion | null> {
  const page = { after: null, limit: 1 }
  const [newest] = await store.list(partition, 'workflowVersions', { filter: { workflowId: id }, page })
  return newest ?? null
}

function startedWorkflows(
  parts: EngineParts,
  started: ReadonlyMap<DefinitionHash, WorkflowDocument>,
): Promise<readonly StartedWorkflow[]> {
  return Promise.all(
    [...started].map(async ([hash, { id, title }]): Promise<StartedWorkflow> => {
      const isThere = await parts.definitions.isPublished(hash)
      const there = isThere ? 'same' : (await newestVersion(parts, { id })) === null ? 'new' : 'other'
      return { id, title, hash, there }
    }),
  )
}

function changesSince(
  { dependencies }: EngineParts,
  newest: WorkflowVersion,
  document: WorkflowDocument,
): readonly VersionChange[] {
  const read = parseDocument(JSON.parse(newest.document))
  if (!read.ok) {
    throw new SagasmithError('document_invalid', {
      message: `The version ${newest.hash} that is published there can’t be read by this Sagasmith.`,
      details: { hash: newest.hash },
    })
  }
  return versionChanges(read.value.document, document, dependencies.executor.host.specsByKind)
}

async function whatRunnersMiss(
  { dependencies: { store, partition, clock } }: EngineParts,
  documents: PushedWorkflows,
  hashes: readonly DefinitionHash[],
): Promise<Pick<PushPreview, 'runners' | 'trusting' | 'missingKinds' | 'secrets' | 'secretStandings'>> {
  const page = { after: null, limit: pageSizeMax }
  const living = livingRunners(await store.list(partition, 'runners', { filter: null, page }), clock.now())
  const trusting = living.filter((runner) => hashes.every((hash) => mayTrust(runner, hash))).length
  return {
    runners: living.length,
    trusting,
    missingKinds: missingKindsOf(documents, living),
    ...secretsOf(documents, living),
  }
}

async function runsInFlight(
  { dependencies: { store, partition } }: EngineParts,
  { id }: WorkflowDocument,
): Promise<{ readonly runs: readonly BoundRun[]; readonly moreInFlight: boolean }> {
  const runs: BoundRun[] = []
  for (;;) {
    const page: readonly BoundRun[] = await store.list(partition, 'runs', {
      filter: { statuses: openStatuses, workflowId: id, includeCore: false },
      page: { after: runs.at(-1)?.id ?? null, limit: pageSizeMax },
    })
    runs.push(...page)
    const more = page.length === pageSizeMax
    if (!more || runs.length >= countedMax) return { runs, moreInFlight: more }
  }
}

function countsOf(runs: readonly BoundRun[]): PushPreview['inFlight'] {
  const counts = new Map<DefinitionHash, number>()
  for (const { definitionHash } of runs) counts.set(definitionHash, (counts.get(definitionHash) ?? 0) + 1)
  return [...counts].map(([hash, count]) => ({ hash, count }))
}
