/**
 * How a selection of steps hangs together with the rest of its workflow: where the work comes in, where it goes on,
 * and what speaks against making one step of it. Pure.
 */

import { leavesTurn, loopKind } from '../containers.ts'
import type { WorkflowGraph } from '../graph.ts'
import { buildGraph, edgesFrom, edgesInto } from '../graph.ts'
import type { NodeId } from '../ids.ts'
import { joinRulesOf } from '../join-rules.ts'
import { mayEndRun } from '../result-kinds.ts'
import type { WorkflowDocument, WorkflowEdge } from '../workflow.ts'
import { outputPort } from '../workflow.ts'
import type { Shape } from './leads-to.ts'
import { leadsTo, mayEnd } from './leads-to.ts'
import type { TaskSpecs } from './node-expressions.ts'

export type ExtractRefusalCode =
  | 'nothing_selected'
  | 'several_levels'
  | 'unknown_kind'
  | 'ends_the_run'
  | 'leaves_its_loop'
  | 'several_ways_in'
  | 'several_ways_out'
  | 'way_out_by_port'
  | 'way_back_in'
  | 'end_not_certain'
  | 'undone_elsewhere'
  | 'group_cut'
  | 'read_by_computed_name'
  | 'reads_whole_step'
  | 'reads_later_step'
  | 'code_reads_run'
  | 'result_changes'

/** Why a selection can't become a workflow of its own, with the steps that are meant. */
export interface ExtractRefusal {
  readonly code: ExtractRefusalCode
  readonly nodes: readonly NodeId[]
}

export interface SelectionShape {
  readonly graph: WorkflowGraph
  /** All of it: with bodies, and with what undoes its steps. */
  readonly inside: ReadonlySet<NodeId>
  /** The selected steps of the level itself. */
  readonly level: readonly NodeId[]
  readonly parent: NodeId | null
  /** Where the work begins; all of these get the same. */
  readonly entries: readonly NodeId[]
  /** The ways in, once for each source. */
  readonly waysIn: readonly WorkflowEdge[]
  /** The step from which the work goes on; null where it ends here. */
  readonly exit: NodeId | null
  /** The step whose result is that of all; null where there are several. */
  readonly result: NodeId | null
}

export type Shaped =
  | { readonly ok: true; readonly shape: SelectionShape }
  | { readonly ok: false; readonly refusal: ExtractRefusal }

const refused = (code: ExtractRefusalCode, nodes: readonly NodeId[]): Shaped => ({
  ok: false,
  refusal: { code, nodes },
})

/** The shape of the selection, or the first thing that speaks against it. */
export function shapeOf(document: WorkflowDocument, chosen: readonly NodeId[], specs: TaskSpecs): Shaped {
  const graph = buildGraph(document)
  const inside = withBodies(graph, chosen)
  const [first] = inside
  if (first === undefined) return refused('nothing_selected', [])
  const level = [...inside].filter((id) => !isInside(graph, id, inside))
  const parents = new Set(level.map((id) => graph.nodeById.get(id)?.node.parent ?? null))
  const [parent = null] = parents
  if (parents.size !== 1) return refused('several_levels', level)
  const undoing = undoingSteps(graph, inside)
  if (!undoing.ok) return undoing
  for (const id of undoing.nodes) inside.add(id)
  const unknown = [...inside].filter((id) => !specs.has(graph.nodeById.get(id)?.node.kind ?? ''))
  if (unknown.length > 0) return refused('unknown_kind', unknown)
  const stops = [...inside].filter((id) => mayEndRun(graph.nodeById.get(id)?.node ?? { kind: '' }))
  if (stops.length > 0) return refused('ends_the_run', stops)
  const leaving = [...inside].filter((id) => leavesOutside(graph, id, inside))
  if (leaving.length > 0) return refused('leaves_its_loop', leaving)
  const steps = level.filter((id) => !undoing.nodes.has(id))
  const isResultSaid = parent === null && (document.settings?.output ?? '').trim() !== ''
  return ends({ graph, inside, level: steps, specs, parent, isResultSaid })
}

/** Whether the step leaves a loop that stays where it is. */
function leavesOutside(graph: WorkflowGraph, id: NodeId, inside: ReadonlySet<NodeId>): boolean {
  const node = graph.nodeById.get(id)?.node
  if (node === undefined || !leavesTurn(node.kind)) return false
  const passed = new Set<string>()
  for (let at = node.parent; at !== undefined && inside.has(at) && !passed.has(at); ) {
    passed.add(at)
    const around = graph.nodeById.get(at)?.node
    if (around?.kind === loopKind) return false
    at = around?.parent
  }
  return true
}

const countOfWays = (graph: WorkflowGraph, id: NodeId): number => edgesInto(graph, id).length

/** Whether a join waits only so long, or makes something else of what comes than any step does. */
function gathersItsWay(graph: WorkflowGraph, id: NodeId): boolean {
  const node = graph.nodeById.get(id)?.node
  if (node?.kind !== 'join') return false
  const { gather, timeoutMs } = joinRulesOf(node.parameters ?? {})
  return gather !== 'auto' || timeoutMs !== null
}

interface Level extends Shape {
  readonly inside: ReadonlySet<NodeId>
  readonly level: readonly NodeId[]
  readonly parent: NodeId | null
  /** The document says what the workflow gives, whichever steps are the last. */
  readonly isResultSaid: boolean
}

function ends(of: Level): Shaped {
  const { graph, inside, level, parent } = of
  const isOutside = (id: NodeId): boolean => !inside.has(id)
  const around = level.filter((id) =>
    edgesFrom(graph, id).some(({ to }) => isOutside(to) && comesBack(of, to)),
  )
  if (around.length > 0) return refused('way_back_in', around)
  const entries = level.filter((id) => edgesInto(graph, id).every(({ from }) => isOutside(from)))
  const mixed = level.filter(
    (id) => !entries.includes(id) && edgesInto(graph, id).some(({ from }) => isOutside(from)),
  )
  const waysInOf = (id: NodeId) =>
    edgesInto(graph, id)
      .map(({ from, fromPort }) => `${from} ${fromPort}`)
      .toSorted()
  const joinOf = (id: NodeId) => JSON.stringify(graph.nodeById.get(id)?.node.join ?? null)
  const kinds = new Set(
    entries.map((id) => JSON.stringify([waysInOf(id), waysInOf(id).length > 1 ? joinOf(id) : null])),
  )
  if (mixed.length > 0 || kinds.size !== 1) return refused('several_ways_in', [...mixed, ...entries])
  const [entry] = entries
  // Outside there would be a step that gathers as any does.
  if (entry !== undefined && countOfWays(graph, entry) > 1 && gathersItsWay(graph, entry))
    return refused('several_ways_in', entries)
  const waysIn = entry === undefined ? [] : edgesInto(graph, entry).map(({ id }) => edgeOf(graph, id))
  const leaving = level.flatMap((id) => edgesFrom(graph, id).filter(({ to }) => isOutside(to)))
  const [exit = null, another] = new Set(leaving.map(({ from }) => from))
  if (another !== undefined) return refused('several_ways_out', [...new Set(leaving.map(({ from }) => from))])
  const shape = { graph, inside, level, parent, entries, waysIn, exit }
  if (exit !== null)
    return throughExit(
      of,
      shape,
      leaving.map(({ fromPort }) => fromPort),
    )
  return atTheEnd(of, shape)
}

type Half = Omit<SelectionShape, 'result'>

function throughExit(of: Level, shape: Half, ports: readonly string[]): Shaped {
  const { exit } = shape
  if (exit === null) return { ok: true, shape: { ...shape, result: null } }
  const node = of.graph.nodeById.get(exit)?.node
  const own = of.specs.get(node?.kind ?? '')?.outputs(node?.parameters ?? {}) ?? []
  const isOnly = own.length === 1 && ports.every((port) => port === outputPort)
  if (!isOnly) return refused('way_out_by_port', [exit])
  const others = of.isResultSaid ? [] : shape.level.filter((id) => mayEnd(of, id))
  if (others.length > 0) return refused('result_changes', others)
  if (!shape.entries.some((entry) => leadsTo(of, entry, exit))) return refused('end_not_certain', [exit])
  return { ok: true, shape: { ...shape, result: exit } }
}

/** Nothing goes on from here: what the selection gives is, or is part of, what its level gives. */
function atTheEnd(of: Level, shape: Half): Shaped {
  const own = shape.level.filter((id) => mayEnd(of, id))
  const [only, another] = own
  const result = only !== undefined && another === undefined ? only : null
  if (of.isResultSaid) return { ok: true, shape: { ...shape, result } }
  const others = of.graph.nodes.filter(
    ({ id, node }) =>
      !of.inside.has(id) && (node.parent ?? null) === of.parent && !isUndoing(of.graph, id) && mayEnd(of, id),
  )
  if (others.length === 0) return { ok: true, shape: { ...shape, result } }
  const isCertain = result !== null && shape.entries.some((entry) => leadsTo(of, entry, result))
  return isCertain ? { ok: true, shape: { ...shape, result } } : refused('result_changes', own)
}

/** The selected steps with everything inside of them. */
function withBodies({ nodeById, nodes }: WorkflowGraph, chosen: readonly NodeId[]): Set<NodeId> {
  const inside = new Set(chosen.filter((id) => nodeById.has(id)))
  for (const id of inside) for (const { id: child, node } of nodes) if (node.parent === id) inside.add(child)
  return inside
}

function isInside({ nodeById }: WorkflowGraph, id: NodeId, inside: ReadonlySet<NodeId>): boolean {
  const parent = nodeById.get(id)?.node.parent
  return parent !== undefined && inside.has(parent)
}

/** The steps that undo selected ones come along; one that has to do with others can't. */
function undoingSteps(
  { nodes }: WorkflowGraph,
  inside: ReadonlySet<NodeId>,
): { readonly ok: true; readonly nodes: ReadonlySet<NodeId> } | Extract<Shaped, { readonly ok: false }> {
  const wanted = new Set<NodeId>()
  const elsewhere: NodeId[] = []
  for (const { id, node } of nodes) {
    const undoing = node.compensation?.node
    if (undoing === undefined) continue
    if (inside.has(id)) wanted.add(undoing)
    else if (inside.has(undoing)) elsewhere.push(undoing)
  }
  for (const { id, node } of nodes) {
    const undoing = node.compensation?.node
    if (undoing !== undefined && wanted.has(undoing) && !inside.has(id)) elsewhere.push(undoing)
  }
  if (elsewhere.length === 0) return { ok: true, nodes: wanted }
  return { ok: false, refusal: { code: 'undone_elsewhere', nodes: elsewhere } }
}

const isUndoing = ({ nodes }: WorkflowGraph, id: NodeId): boolean =>
  nodes.some(({ node }) => node.compensation?.node === id)

/** Whether some way from a step outside leads into the selection. */
function comesBack({ graph, inside }: Level, start: NodeId): boolean {
  const seen = new Set<NodeId>([start])
  for (const id of seen) {
    for (const { to } of edgesFrom(graph, id)) {
      if (inside.has(to)) return true
      seen.add(to)
    }
  }
  return false
}

function edgeOf({ drawnEdges }: WorkflowGraph, id: string): WorkflowEdge {
  const found = drawnEdges.find(([edge]) => edge === id)?.[1]
  if (found === undefined) throw new Error(`The graph has no edge ${id}.`)
  return found
}
