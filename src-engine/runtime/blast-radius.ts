/** Which runs in flight still come to steps that a new version changes: they do those as they began. */

import type { DefinitionHash, NodeId, RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import { publishedRunsLookedAtMax } from '../model/limits.ts'
import { parseDocument } from '../model/read-document.ts'
import { versionChanges } from '../model/version-changes.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { ChangedAhead, RunAhead } from '../protocol/push.ts'
import type { EngineParts } from './engine-parts.ts'
import { partitionOfRun } from './run-place.ts'

/** A run in flight, by the version that it is bound to. */
export interface BoundRun {
  readonly id: RunId
  readonly definitionHash: DefinitionHash
}

/** What lies ahead of the newest of these runs that is another, or none, in the new version. */
export async function runsAhead(
  parts: EngineParts,
  to: { readonly document: WorkflowDocument; readonly hash: DefinitionHash },
  runs: readonly BoundRun[],
): Promise<readonly RunAhead[]> {
  const looked = runs.slice(0, publishedRunsLookedAtMax)
  const documents = new Map<DefinitionHash, WorkflowDocument | null>()
  const ahead: RunAhead[] = []
  // One after the other: a preview must not take the store from those who work.
  for (const { id, definitionHash } of looked) {
    if (!documents.has(definitionHash)) documents.set(definitionHash, await documentOf(parts, definitionHash))
    const from = definitionHash === to.hash ? null : (documents.get(definitionHash) ?? null)
    const changed = from === null ? [] : changedSteps(parts, from, to.document)
    const steps = from === null || changed.length === 0 ? [] : await stepsAhead(parts, { id, from, changed })
    ahead.push({ runId: id, hash: definitionHash, steps })
  }
  return ahead
}

async function documentOf(parts: EngineParts, hash: DefinitionHash): Promise<WorkflowDocument | null> {
  const { document } = await parts.definitions.version(hash)
  const read = parseDocument(JSON.parse(document))
  return read.ok ? read.value.document : null
}

function changedSteps(
  { dependencies }: EngineParts,
  from: WorkflowDocument,
  to: WorkflowDocument,
): readonly ChangedAhead[] {
  const changes = versionChanges(from, to, dependencies.executor.host.specsByKind)
  return changes.flatMap(({ what, id, title, change }) =>
    // What is new can't lie ahead of a run that doesn't know it.
    what === 'node' && change !== 'added' ? [{ nodeId: id as NodeId, title, change }] : [],
  )
}

async function stepsAhead(
  { dependencies: { store } }: EngineParts,
  run: {
    readonly id: RunId
    readonly from: WorkflowDocument
    readonly changed: readonly ChangedAhead[]
  },
): Promise<readonly ChangedAhead[]> {
  const { id: runId, from, changed } = run
  const invocations = await store.load(partitionOfRun(store.info, runId), 'invocations', { runId })
  const reachable = reachableFrom(from, activeSteps(from, invocations))
  return changed.filter(({ nodeId }) => reachable.has(outermost(from, nodeId)))
}

/** The steps at which the run is now; one inside of a map or loop counts as that. */
function activeSteps(
  document: WorkflowDocument,
  invocations: readonly InvocationRecord[],
): ReadonlySet<string> {
  const active = invocations.filter(
    ({ role, status }) => role === 'forward' && !invocationMachine.final.has(status),
  )
  return new Set(active.map(({ nodeId }) => outermost(document, nodeId)))
}

/** A step, or the map or loop around all that it is in. */
function outermost({ nodes }: WorkflowDocument, id: NodeId): string {
  let at: NodeId = id
  // No deeper than there are nodes, whatever a document says of itself.
  for (let depth = Object.keys(nodes).length; depth > 0; depth -= 1) {
    const parent = nodes[at]?.parent
    if (parent === undefined) return at
    at = parent
  }
  return at
}

function reachableFrom(document: WorkflowDocument, starts: ReadonlySet<string>): ReadonlySet<string> {
  const reached = new Set(starts)
  const edges = Object.values(document.edges).map(
    ({ from, to }) => [outermost(document, from.node), outermost(document, to.node)] as const,
  )
  for (let size = -1; size !== reached.size; ) {
    size = reached.size
    for (const [from, to] of edges) if (reached.has(from)) reached.add(to)
  }
  return reached
}
