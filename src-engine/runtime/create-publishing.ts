/** Publishes versions on the store of an engine. */

import { SagasmithError } from '../model/errors.ts'
import type { DefinitionHash, NodeId } from '../model/ids.ts'
import { pageSizeMax } from '../model/limits.ts'
import { parseDocument } from '../model/read-document.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine, runStatuses } from '../model/run-status.ts'
import { secretUses } from '../model/secret-uses.ts'
import type { VersionChange } from '../model/version-changes.ts'
import { versionChanges } from '../model/version-changes.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { PushPreview } from '../protocol/push.ts'
import type { EngineParts } from './engine-parts.ts'
import { versionOf } from './published-version.ts'
import type { Publishing, PublishRequest } from './publishing.ts'
import { livingRunners, mayTrust } from './routing/missing-runner.ts'
import { secretStandings } from './secret-standings.ts'
import { keepSignature } from './trust/signatures.ts'
import { startedVersions } from './trust/started-versions.ts'

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
      const starts = await startedVersions({ definitions, specsByKind }, document, versions)
      return {
        hash,
        known,
        starts,
        newest: newest === null ? null : { hash: newest.hash, publishedAt: newest.publishedAt },
        changes: newest === null ? [] : changesSince(parts, newest, document),
        secrets: [...new Set(secretUses(document).map(({ name }) => name))].sort(),
        ...(await whatRunnersMiss(parts, document, [hash, ...starts])),
        ...(await runsInFlight(parts, document)),
      }
    },
    async publish(request) {
      const { document, versions, hash, known } = await bound(request)
      if (!known) await pins.publish([...versions, versionOf(document, hash, dependencies.clock.now())])
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
  { id }: WorkflowDocument,
): Promise<WorkflowVersion | null> {
  const page = { after: null, limit: 1 }
  const [newest] = await store.list(partition, 'workflowVersions', { filter: { workflowId: id }, page })
  return newest ?? null
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
  document: WorkflowDocument,
  hashes: readonly DefinitionHash[],
): Promise<Pick<PushPreview, 'runners' | 'trusting' | 'missingKinds' | 'secretStandings'>> {
  const page = { after: null, limit: pageSizeMax }
  const living = livingRunners(await store.list(partition, 'runners', { filter: null, page }), clock.now())
  const able = new Set(living.flatMap(({ capabilities }) => capabilities))
  const nodesByKind = Map.groupBy(
    Object.entries(document.nodes).filter(([, { kind, disabled }]) => disabled !== true && !able.has(kind)),
    ([, { kind }]) => kind,
  )
  // Keys of `nodes` are node ids.
  const missingKinds = [...nodesByKind].map(([kind, items]) => ({
    kind,
    nodes: items.map(([id]) => id as NodeId),
  }))
  const trusting = living.filter((runner) => hashes.every((hash) => mayTrust(runner, hash))).length
  return {
    runners: living.length,
    trusting,
    missingKinds,
    secretStandings: secretStandings(document, living),
  }
}

async function runsInFlight(
  { dependencies: { store, partition } }: EngineParts,
  { id }: WorkflowDocument,
): Promise<Pick<PushPreview, 'inFlight' | 'moreInFlight'>> {
  const counts = new Map<DefinitionHash, number>()
  let counted = 0
  let after: string | null = null
  for (;;) {
    const page: readonly { readonly id: string; readonly definitionHash: DefinitionHash }[] =
      await store.list(partition, 'runs', {
        filter: { statuses: openStatuses, workflowId: id, includeCore: false },
        page: { after, limit: pageSizeMax },
      })
    for (const { definitionHash } of page) counts.set(definitionHash, (counts.get(definitionHash) ?? 0) + 1)
    counted += page.length
    after = page.at(-1)?.id ?? null
    const more = page.length === pageSizeMax
    if (!more || counted >= countedMax) {
      return { inFlight: [...counts].map(([hash, count]) => ({ hash, count })), moreInFlight: more }
    }
  }
}
