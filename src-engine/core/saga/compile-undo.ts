/** What undoes the nodes of a workflow, made ready to run. */

import type { NodeId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { callKind } from '../../model/pinned-versions.ts'
import type {
  Compensation,
  RollbackCause,
  RoutePolicy,
  UndoFailure,
  WorkflowDocument,
  WorkflowNode,
} from '../../model/workflow.ts'

/** How a node is undone. */
export interface CompiledUndo<Node> {
  /** `child` for a step that has its sub-workflow's run rolled back, and runs nothing itself. */
  readonly kind: 'task' | 'child'
  /** As a compensation runs; its id is that of the node that it undoes. */
  readonly node: Node
  readonly said: SaidOfUndo
  /** As policies know it. */
  readonly route: Pick<RoutePolicy, 'labels' | 'requires'>
}

/** What a document says of a compensation beside what it runs; its texts are templates. */
export interface SaidOfUndo {
  /** `{input}`; null for what the step had. */
  readonly arriving: JsonObject | null
  /** `{idempotencyKey, labels, env}`; null for none of them. */
  readonly marks: JsonObject | null
}

/** After which ends a workflow is undone, and what of it is undone at the same time. */
export interface CompiledSaga {
  readonly rollbackOn: ReadonlySet<RollbackCause>
  /** By node: the scope that it is undone together with, whatever their order. */
  readonly parallelScopes: ReadonlyMap<string, string>
  /** By node: what its group says of a compensation that failed for good; a person is asked where none does. */
  readonly onFailure: ReadonlyMap<string, UndoFailure>
}

const allCauses: readonly RollbackCause[] = ['failed', 'timed-out', 'cancelled', 'denied', 'quarantined']

/** Null for a workflow in which nothing can be undone. */
export function compileSaga(
  document: WorkflowDocument,
  nodes: Iterable<{ readonly undo: unknown }>,
): CompiledSaga | null {
  for (const { undo } of nodes) {
    if (undo === null) continue
    const rollbackOn = new Set(document.settings?.rollbackOn ?? allCauses)
    return { rollbackOn, parallelScopes: parallelScopes(document), onFailure: failuresOf(document) }
  }
  return null
}

const noNodes: ReadonlySet<string> = new Set()

/** Nodes that only undo others: they are no part of the way forward. */
export function undoingNodes({ nodes }: Pick<WorkflowDocument, 'nodes'>): ReadonlySet<string> {
  let undoing: Set<string> | null = null
  for (const id in nodes) {
    const by = nodes[id as NodeId]?.compensation?.node
    if (by === undefined || by === id || !Object.hasOwn(nodes, by)) continue
    undoing ??= new Set()
    undoing.add(by)
  }
  return undoing ?? noNodes
}

/** What undoes the node; null when nothing does. `compile` makes a node of the document ready to run. */
export function compileUndo<Node extends { readonly id: NodeId }>(
  document: WorkflowDocument,
  of: { readonly id: NodeId; readonly node: WorkflowNode },
  compile: (id: NodeId, node: WorkflowNode) => Node,
): CompiledUndo<Node> | null {
  const { id, node } = of
  const undo = node.compensation
  const template = undoTemplate(document, node)
  if (template === null) return null
  // Limits of a node that undoes several count for all of them.
  const compiled = compile(undo?.node ?? id, template)
  return {
    kind: undo === undefined ? 'child' : 'task',
    node: { ...compiled, id },
    said: saidBy(undo ?? {}),
    route: { requires: template.route?.requires ?? [], labels: knownLabels(document, template, undo) },
  }
}

/** Those of every compensation, whatever its document says. */
export const undoLabels = (workflowId: string): Readonly<Record<string, string>> => ({
  saga_compensation: 'true',
  is_compensation: 'true',
  saga_workflow_id: workflowId,
})

function knownLabels(
  document: WorkflowDocument,
  template: WorkflowNode,
  undo: Compensation | undefined,
): Readonly<Record<string, string>> {
  return { ...template.route?.labels, ...undo?.labels, ...undoLabels(document.id) }
}

function saidBy({ input, idempotencyKey, labels, env }: Compensation): SaidOfUndo {
  const marks = {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(labels === undefined ? {} : { labels }),
    ...(env === undefined ? {} : { env }),
  }
  return {
    arriving: input === undefined ? null : { input },
    marks: Object.keys(marks).length === 0 ? null : marks,
  }
}

/** Three tries: what undoes is worth more than one. */
const triesByDefault = 3

/**
 * The node that a compensation runs as, in the document's form. A task written inline runs where its step
 * does; a node of its own says for itself where. Null when nothing undoes it.
 */
function undoTemplate(document: WorkflowDocument, node: WorkflowNode): WorkflowNode | null {
  const undo = node.compensation
  if (undo === undefined) return isUndoneByChild(node) ? { kind: callKind } : null
  const base = baseOf(document, node, undo)
  if (base === null) return null
  // Nothing goes on from it, and nothing of the way forward counts for it.
  const { compensation: _undo, join: _join, onError: _onError, fallbackOutput: _output, ...rest } = base
  const { skipIf: _skip, onSkip: _onSkip, cache: _cache, stopAfterIf: _stop, ...kept } = rest
  const timeout = undo.timeout === undefined ? kept.timeout : { ...kept.timeout, ...undo.timeout }
  // One undo never stands for another, nor is it left out for want of room.
  const concurrency = { ...kept.concurrency, registration: 'DISABLED', onFull: 'reroute' } as const
  return {
    ...placedBy(kept, undo),
    ...(kept.concurrency === undefined ? {} : { concurrency }),
    priority: 'CRITICAL',
    retry: { maxAttempts: triesByDefault, ...kept.retry, ...undo.retry },
    ...(timeout === undefined ? {} : { timeout }),
  }
}

/** Where it runs: what its document says of that counts instead of what the step or the other node says. */
function placedBy(base: WorkflowNode, { pool, route }: Compensation): WorkflowNode {
  if (pool === undefined && route === undefined) return base
  const { pool: basePool, route: baseRoute, ...rest } = base
  const labels = { ...baseRoute?.labels, ...route?.labels }
  const own = { ...baseRoute, ...route, ...(Object.keys(labels).length === 0 ? {} : { labels }) }
  // Who names a topic wants the pools of that topic.
  const chosen = pool ?? (route?.topic === undefined ? basePool : undefined)
  return { ...rest, route: own, ...(chosen === undefined ? {} : { pool: chosen }) }
}

function baseOf(document: WorkflowDocument, node: WorkflowNode, undo: Compensation): WorkflowNode | null {
  if (undo.task !== undefined) {
    const { pool, route, tags } = node
    return {
      kind: undo.task.kind,
      parameters: undo.task.parameters,
      ...(pool === undefined ? {} : { pool }),
      ...(route === undefined ? {} : { route }),
      ...(tags === undefined ? {} : { tags }),
    }
  }
  if (undo.node === undefined || !Object.hasOwn(document.nodes, undo.node)) return null
  const other = document.nodes[undo.node]
  return other === undefined || other.disabled === true ? null : other
}

/** The run that it started knows itself how it is undone. */
const isUndoneByChild = (node: WorkflowNode): boolean => node.kind === callKind && node.disabled !== true

function failuresOf({ sagaScopes }: WorkflowDocument): ReadonlyMap<string, UndoFailure> {
  const failures = new Map<string, UndoFailure>()
  for (const { nodes, onFailure = 'ask' } of Object.values(sagaScopes ?? {}))
    for (const node of nodes) failures.set(node, onFailure)
  return failures
}

function parallelScopes({ sagaScopes }: WorkflowDocument): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>()
  for (const [id, scope] of Object.entries(sagaScopes ?? {})) {
    if (scope.order === 'parallel') for (const node of scope.nodes) scopes.set(node, id)
  }
  return scopes
}
