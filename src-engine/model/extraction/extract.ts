/**
 * Makes a workflow of its own of selected steps, and one step that calls it of what they were. What the steps read is
 * handed over, and what others read of them is handed back, so that a run gives what it gave before. Pure.
 */

import { buildGraph } from '../graph.ts'
import type { EdgeId, NodeId, WorkflowId } from '../ids.ts'
import { edgeId, nodeId } from '../ids.ts'
import type {
  SagaScope,
  WorkflowDocument,
  WorkflowEdge,
  WorkflowNode,
  WorkflowSettings,
} from '../workflow.ts'
import { inputPort, outputPort } from '../workflow.ts'
import { arrivedExpression, handedOver, movedInside, needsMore } from './handed-over.ts'
import { mayEnd } from './leads-to.ts'
import type { TaskSpecs } from './node-expressions.ts'
import { withExpressions } from './node-expressions.ts'
import type { RootMention } from './root-mentions.ts'
import { pathName, withMentions } from './root-mentions.ts'
import type { ReadsOfRest, SelectionReads } from './selection-reads.ts'
import { isFromOutside, readsOf } from './selection-reads.ts'
import type { ExtractRefusal, SelectionShape } from './selection-shape.ts'
import { shapeOf } from './selection-shape.ts'
import { drawingOf, drawingWithout } from './split-drawing.ts'

/** How the new workflow is called. */
export interface ExtractNames {
  readonly id: WorkflowId
  readonly title: string
  /** How the step names it: an id of the library, or a path. */
  readonly reference: string
}

export interface Extracted {
  /** The new workflow. */
  readonly child: WorkflowDocument
  /** The workflow that calls it. */
  readonly parent: WorkflowDocument
  /** The step that calls it. */
  readonly step: NodeId
  /** What it gets beside what arrives. */
  readonly reads: ReadsOfRest
  /** Steps whose results others read; empty where the last one is all. */
  readonly results: readonly NodeId[]
}

export type Extraction =
  | { readonly ok: true; readonly made: Extracted }
  | { readonly ok: false; readonly refusal: ExtractRefusal }

interface Work {
  readonly document: WorkflowDocument
  readonly specs: TaskSpecs
  readonly shape: SelectionShape
  readonly reads: SelectionReads
  readonly names: ExtractNames
  /** The step that calls the new workflow. */
  readonly step: NodeId
}

export function extract(
  document: WorkflowDocument,
  chosen: readonly NodeId[],
  { specs, ...names }: ExtractNames & { readonly specs: TaskSpecs },
): Extraction {
  const shaped = shapeOf(document, chosen, specs)
  if (!shaped.ok) return shaped
  const { shape } = shaped
  const looked = readsOf(document, shape, specs)
  if (!looked.ok) return looked
  const { reads } = looked
  const isGathered = reads.inner.length > 0
  const isResultSaid = shape.parent === null && (document.settings?.output ?? '') !== ''
  if (isGathered && shape.result === null && !isResultSaid) return refused('result_changes', reads.inner)
  const cut = Object.values(document.sagaScopes ?? {}).filter((scope) => isCut(scope, shape))
  if (cut.length > 0)
    return refused(
      'group_cut',
      cut.flatMap(({ nodes }) => nodes),
    )
  // Who took its place in expressions and joins is known by its id.
  const step = isGathered || shape.result === null ? freeId('extracted', document) : shape.result
  const work = { document, specs, shape, reads, names, step }
  const results = isGathered ? reads.inner : []
  return {
    ok: true,
    made: { child: childOf(work), parent: parentOf(work), step, reads: reads.rest, results },
  }
}

const refused = (code: ExtractRefusal['code'], nodes: readonly NodeId[]): Extraction => ({
  ok: false,
  refusal: { code, nodes },
})

/** Some of a group that is undone together, and not all of the selection with it. */
function isCut({ nodes }: SagaScope, { inside, level }: SelectionShape): boolean {
  const within = nodes.filter((id) => inside.has(id)).length
  return within > 0 && within < nodes.length && !level.every((id) => nodes.includes(id))
}

function freeId(wanted: string, { nodes }: Pick<WorkflowDocument, 'nodes'>): NodeId {
  let id = wanted
  for (let number = 2; nodes[nodeId(id)] !== undefined; number += 1) id = `${wanted}${number}`
  return nodeId(id)
}

function childOf(work: Work): WorkflowDocument {
  const { document, shape, reads, names } = work
  const { format, schemaVersion, capabilities, variables, mockSets } = document
  const nodes = new Map([...shape.inside].map((id) => [id, movedNode(work, id)]))
  const edges = new Map(
    Object.entries(document.edges).filter(
      ([, { from, to }]) => shape.inside.has(from.node) && shape.inside.has(to.node),
    ),
  )
  const begin = needsMore(reads.rest) ? freeId('arrived', { nodes: Object.fromEntries(nodes) }) : null
  if (begin !== null) {
    nodes.set(begin, {
      kind: 'transform',
      title: 'What arrived',
      parameters: { expression: arrivedExpression },
    })
    for (const entry of shape.entries) putEdge(edges, joining(begin, entry))
  }
  const drawn = { nodes: Object.fromEntries(nodes), edges: Object.fromEntries(edges) } as Pick<
    WorkflowDocument,
    'nodes' | 'edges'
  >
  const settings = childSettings(work, drawn)
  const hasMocks = [...nodes.values()].some(({ mocks }) => mocks !== undefined)
  return {
    format,
    schemaVersion,
    id: names.id,
    title: names.title,
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(variables === undefined || !reads.rest.vars ? {} : { variables }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...drawn,
    ...(mockSets === undefined || !hasMocks ? {} : { mockSets }),
    ...drawingOf(document, shape, begin),
  }
}

function movedNode({ shape, specs }: Work, id: NodeId): WorkflowNode {
  const { graph, inside, entries, waysIn } = shape
  const { parent, join, ...node } = graph.nodeById.get(id)?.node ?? { kind: '' }
  const isOutside = ({ root, nodeId: read }: RootMention): boolean => {
    if (root === 'item' || root === 'loop') return isFromOutside(shape, id, root)
    return (
      root === 'run' ||
      (root === 'nodes' && read !== null && graph.nodeById.has(read) && !inside.has(nodeId(read)))
    )
  }
  // Whoever calls it waits in its place for the ways in.
  const waits = join === undefined || (entries.includes(id) && waysIn.length > 0) ? {} : { join }
  const kept = { ...node, ...waits, ...(parent !== undefined && inside.has(parent) ? { parent } : {}) }
  return withExpressions(kept, specs, (expression) => movedInside(expression, isOutside))
}

function childSettings(
  { document, reads, shape, specs }: Work,
  drawn: Pick<WorkflowDocument, 'nodes' | 'edges'>,
): WorkflowSettings {
  const { priority, onFailure, rollbackOn } = document.settings ?? {}
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(rollbackOn === undefined ? {} : { rollbackOn }),
    ...outputOf(),
  }

  function outputOf(): Pick<WorkflowSettings, 'output'> {
    const { inner } = reads
    if (inner.length > 0) {
      const ids = [...new Set([...inner, ...(shape.result === null ? [] : [shape.result])])]
      const parts = ids.map((id) => `${JSON.stringify(id)}: nodes.${pathName(id)}.output`)
      return { output: `{ ${parts.join(', ')} }` }
    }
    const graph = buildGraph(drawn)
    const ends = shape.level.filter((id) => mayEnd({ graph, specs }, id))
    const isPlain = shape.exit === null || (ends.length === 1 && ends[0] === shape.exit)
    return isPlain ? {} : { output: `nodes.${pathName(shape.exit)}.output` }
  }
}

function parentOf(work: Work): WorkflowDocument {
  const { document, shape, step, reads } = work
  const {
    nodes: _nodes,
    edges: _edges,
    settings,
    sagaScopes,
    notes: _notes,
    frames: _frames,
    layout: _layout,
    ...rest
  } = document
  const result = reads.inner.length > 0 ? shape.result : null
  const nodes: Record<string, WorkflowNode> = {}
  for (const { id, node } of shape.graph.nodes) {
    if (!shape.inside.has(id)) nodes[id] = readingBack(work, node)
    // In the place of the first one: the order of steps means something to nobody but a reader.
    else if (nodes[step] === undefined) {
      nodes[step] = callOf(work)
      if (result !== null) nodes[result] = handedBack(shape, result)
    }
  }
  const scopes = Object.entries(sagaScopes ?? {}).flatMap(([id, scope]) => {
    const kept = scope.nodes.filter((node) => !shape.inside.has(node))
    if (kept.length === scope.nodes.length) return [[id, scope] as const]
    return kept.length === 0 ? [] : [[id, { ...scope, nodes: [...kept, step] }] as const]
  })
  return {
    ...rest,
    ...(settings === undefined ? {} : { settings: readingBackSettings(work, settings) }),
    nodes: nodes,
    edges: parentEdges(work, result),
    ...(scopes.length === 0 ? {} : { sagaScopes: Object.fromEntries(scopes) }),
    ...drawingWithout(document, shape, { step, result }),
  }
}

/** The step that stands for all of them. */
function callOf({ shape, reads, names }: Work): WorkflowNode {
  const { entries, graph, parent } = shape
  const [entry] = entries
  const join = entry === undefined ? undefined : graph.nodeById.get(entry)?.node.join
  const isJoin = join !== undefined && shape.waysIn.length > 1
  return {
    kind: 'sub-workflow',
    title: names.title,
    parameters: {
      workflow: names.reference,
      ...(needsMore(reads.rest) ? { input: handedOver(reads.rest) } : {}),
    },
    ...(isJoin ? { join } : {}),
    ...(parent === null ? {} : { parent }),
  }
}

/** Has the id and the result of the last step, where the call gives more than that. */
function handedBack({ graph, parent }: SelectionShape, result: NodeId): WorkflowNode {
  const title = graph.nodeById.get(result)?.node.title
  return {
    kind: 'transform',
    ...(title === undefined ? {} : { title }),
    parameters: { expression: `input.${pathName(result)}` },
    ...(parent === null ? {} : { parent }),
  }
}

function parentEdges({ document, shape, step }: Work, result: NodeId | null): WorkflowDocument['edges'] {
  const edges = new Map<string, WorkflowEdge>()
  const sources = new Set<string>()
  for (const [id, edge] of Object.entries(document.edges)) {
    const [isFrom, isTo] = [shape.inside.has(edge.from.node), shape.inside.has(edge.to.node)]
    if (isFrom && isTo) continue
    if (isTo) {
      const source = `${edge.from.node} ${edge.from.port}`
      if (sources.has(source)) continue
      sources.add(source)
      edges.set(id, { ...edge, to: { node: step, port: inputPort } })
    } else edges.set(id, isFrom ? { ...edge, from: { node: result ?? step, port: outputPort } } : edge)
  }
  if (result !== null) putEdge(edges, joining(step, result))
  return Object.fromEntries(edges) as WorkflowDocument['edges']
}

/** A step outside, which reads results of the selection from the step that calls it. */
const readingBack = (work: Work, node: WorkflowNode): WorkflowNode =>
  withExpressions(node, work.specs, (expression) => readBack(work, expression))

const readingBackSettings = (work: Work, settings: WorkflowSettings): WorkflowSettings => ({
  ...settings,
  ...(settings.output === undefined ? {} : { output: readBack(work, settings.output) }),
})

function readBack({ reads, shape, step }: Work, expression: string): string {
  if (reads.inner.length === 0) return expression
  return withMentions(expression, (mention) => {
    const { nodeId: read, outputEnd } = mention
    const isInner = read !== null && shape.inside.has(nodeId(read)) && read !== shape.result
    if (!isInner || outputEnd === null) return null
    const root = expression.slice(mention.start, mention.end)
    return { text: `${root}.${pathName(step)}.output.${pathName(read)}`, end: outputEnd }
  })
}

const joining = (from: NodeId, to: NodeId): WorkflowEdge => ({
  from: { node: from, port: outputPort },
  to: { node: to, port: inputPort },
})

function putEdge(edges: Map<string, WorkflowEdge>, edge: WorkflowEdge): void {
  let number = 1
  const idOf = (): EdgeId => edgeId(`${edge.from.node}-${edge.to.node}${number === 1 ? '' : number}`)
  while (edges.has(idOf())) number += 1
  edges.set(idOf(), edge)
}
