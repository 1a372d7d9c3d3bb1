/** The part of a workflow that leads to one step: what a trial of that step needs, and nothing more. */

import { buildGraph } from './graph.ts'
import type { EdgeId, NodeId, WorkflowId } from './ids.ts'
import { workflowId } from './ids.ts'
import type { SagaScope, WorkflowDocument, WorkflowEdge } from './workflow.ts'

const suffix = '.trial'

/** Trials are no runs of the workflow itself: they count neither in its history nor against its limits. */
export const trialIdOf = (id: WorkflowId): WorkflowId =>
  id.endsWith(suffix) ? id : workflowId(`${id}${suffix}`)

/** The workflow whose trial it is; the id itself for one that is no trial. */
export const triedIdOf = (id: WorkflowId): WorkflowId =>
  id.endsWith(suffix) ? workflowId(id.slice(0, -suffix.length)) : id

/** What people wrote beside the steps, and what starts the workflow. */
const leftOut: ReadonlySet<string> = new Set([
  'triggers',
  'presets',
  'settings',
  'sagaScopes',
  'notes',
  'frames',
  'layout',
])
/** What it gives, and what limits its runs. */
const settingsLeftOut: ReadonlySet<string> = new Set(['output', 'concurrency', 'rateLimit'])

/**
 * The document with the step, all that leads to it, and what undoes these; null where there is no such step. A step
 * inside of a map or loop brings the whole of it along. What the workflow gives, and what starts it, stay out.
 */
export function sliceTo(document: WorkflowDocument, to: NodeId): WorkflowDocument | null {
  if (document.nodes[to] === undefined) return null
  const kept = nodesTo(document, outermost(document, to))
  const nodes = pick(document.nodes, (id) => kept.has(id))
  const edges = Object.fromEntries(
    Object.entries(document.edges).filter(
      ([, { from, to: end }]) => kept.has(from.node) && kept.has(end.node),
    ),
  ) as Record<EdgeId, WorkflowEdge>
  const { settings, sagaScopes, layout } = document
  const rest = pick(document, (name) => !leftOut.has(name))
  const ownSettings = pick(settings ?? {}, (name) => !settingsLeftOut.has(name))
  const scopes = scopesOf(sagaScopes ?? {}, kept)
  return {
    ...rest,
    id: trialIdOf(document.id),
    title: `${document.title} (up to “${document.nodes[to].title ?? to}”)`,
    nodes,
    edges,
    ...(Object.keys(ownSettings).length === 0 ? {} : { settings: ownSettings }),
    ...(Object.keys(scopes).length === 0 ? {} : { sagaScopes: scopes }),
    ...(layout?.nodes === undefined ? {} : { layout: { nodes: pick(layout.nodes, (id) => kept.has(id)) } }),
  }
}

function outermost({ nodes }: WorkflowDocument, id: NodeId): NodeId {
  let at = id
  for (let parent = nodes[at]?.parent; parent !== undefined; parent = nodes[at]?.parent) at = parent
  return at
}

function nodesTo(document: WorkflowDocument, to: NodeId): ReadonlySet<string> {
  const graph = buildGraph(document)
  const kept = new Set<NodeId>([to])
  for (const id of kept) {
    for (const { from } of graph.nodeById.get(id)?.incoming ?? []) kept.add(from)
    const undoneBy = document.nodes[id]?.compensation?.node
    if (undoneBy !== undefined) kept.add(undoneBy)
    for (const { id: inside, node } of graph.nodes) if (node.parent === id) kept.add(inside)
  }
  return kept
}

function scopesOf(
  scopes: Readonly<Record<string, SagaScope>>,
  kept: ReadonlySet<string>,
): Readonly<Record<string, SagaScope>> {
  const entries = Object.entries(scopes).flatMap(([id, scope]) => {
    const nodes = scope.nodes.filter((node) => kept.has(node))
    return nodes.length === 0 ? [] : [[id, { ...scope, nodes }] as const]
  })
  return Object.fromEntries(entries)
}

function pick<Values extends object>(values: Values, isKept: (id: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([id]) => isKept(id))) as Values
}
