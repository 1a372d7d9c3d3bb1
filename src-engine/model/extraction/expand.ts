/**
 * Puts the steps of a sub-workflow in the place of the step that calls it: the other way round of extracting. What
 * follows sees the same result under the same id. Pure.
 */

import { buildGraph } from '../graph.ts'
import type { NodeId } from '../ids.ts'
import { nodeId } from '../ids.ts'
import { canonicalJson } from '../json.ts'
import { mayEndRun } from '../result-kinds.ts'
import type { WorkflowDocument, WorkflowNode } from '../workflow.ts'
import { errorPort, inputPort, outputPort } from '../workflow.ts'
import type { Begin } from './expand-begin.ts'
import { beginOf } from './expand-begin.ts'
import { drawnTogether } from './expand-drawing.ts'
import type { ResultPlan } from './expand-result.ts'
import { resultOf } from './expand-result.ts'
import { leadsTo } from './leads-to.ts'
import type { TaskSpecs } from './node-expressions.ts'
import { expressionsOf, withExpressions } from './node-expressions.ts'
import { rootMentions, withNodeNames } from './root-mentions.ts'

export type ExpandRefusalCode =
  | 'not_a_call'
  | 'not_waited_for'
  | 'has_policy'
  | 'no_steps'
  | 'unknown_kind'
  | 'ends_the_run'
  | 'values_differ'
  | 'name_taken'
  | 'read_by_computed_name'
  | 'reads_whole_run'
  | 'code_reads_run'
  | 'end_not_certain'

/** Why a call can't be written out; `what` are the steps of the sub-workflow, or the names, that are meant. */
export interface ExpandRefusal {
  readonly code: ExpandRefusalCode
  readonly what: readonly string[]
}

export interface Expanded {
  readonly document: WorkflowDocument
  /** The steps that stand there now. */
  readonly steps: readonly NodeId[]
  /** Settings of the sub-workflow that nothing stands for any more. */
  readonly settingsLost: readonly string[]
}

export type Expansion =
  | { readonly ok: true; readonly made: Expanded }
  | { readonly ok: false; readonly refusal: ExpandRefusal }

const refused = (code: ExpandRefusalCode, what: readonly string[] = []): Expansion => ({
  ok: false,
  refusal: { code, what },
})

/** What a step may have beside its task that the steps in its place could not stand for. */
const policies = [
  'retry',
  'timeout',
  'onError',
  'compensation',
  'concurrency',
  'rateLimit',
  'outputSchema',
  'skipIf',
  'cache',
  'stopAfterIf',
  'redact',
  'keepOutput',
  'disabled',
  'bypassed',
  'onLost',
  'route',
  'pool',
] as const satisfies readonly (keyof WorkflowNode)[]

export function expand(
  document: WorkflowDocument,
  step: NodeId,
  { child, specs }: { readonly child: WorkflowDocument; readonly specs: TaskSpecs },
): Expansion {
  const call = document.nodes[step]
  if (call?.kind !== 'sub-workflow') return refused('not_a_call')
  if ((call.parameters?.['mode'] ?? 'wait') !== 'wait') return refused('not_waited_for')
  const kept = policies.filter((name) => call[name] !== undefined)
  const hasHandler = Object.values(document.edges).some(
    ({ from }) => from.node === step && from.port === errorPort,
  )
  if (kept.length > 0 || hasHandler) return refused('has_policy', hasHandler ? [...kept, 'error'] : kept)
  const speaking = againstChild(document, child, specs)
  if (speaking !== null) return { ok: false, refusal: speaking }
  const begin = beginOf(call, child, specs)
  const goesOn = Object.values(document.edges).some(({ from }) => from.node === step)
  const result = resultOf(child, begin, { specs, goesOn })
  const renamed = namesIn(document, { step, child, begin, result })
  const heard = heardNames(child, renamed, result)
  if (heard.length > 0) return refused('name_taken', heard)
  const made = writtenOut(document, { step, call, child, specs, begin, result, renamed })
  const graph = buildGraph(made)
  const starts = begin.starts.map((id) => renamed.get(id) ?? id)
  const isCertain = starts.some((start) => leadsTo({ graph, specs }, start, step))
  if (!isCertain || result.mixed.length > 0) return refused('end_not_certain', result.ends)
  const {
    priority: _,
    onFailure: _failure,
    rollbackOn: _causes,
    output: _output,
    ...lost
  } = child.settings ?? {}
  return { ok: true, made: { document: made, steps: [...renamed.values()], settingsLost: Object.keys(lost) } }
}

function againstChild(
  document: WorkflowDocument,
  child: WorkflowDocument,
  specs: TaskSpecs,
): ExpandRefusal | null {
  const nodes = Object.entries(child.nodes)
  const idsOf = (isMeant: (node: WorkflowNode) => boolean): readonly string[] =>
    nodes.flatMap(([id, node]) => (isMeant(node) ? [id] : []))
  const of = (code: ExpandRefusalCode, what: readonly string[]) => (what.length === 0 ? null : { code, what })
  const read = (node: WorkflowNode) => {
    const { own, undoing } = expressionsOf(node, specs)
    return [...own, ...undoing].flatMap(rootMentions)
  }
  const clashes = Object.entries(child.variables ?? {}).flatMap(([name, value]) => {
    const known = document.variables?.[name]
    return known === undefined || canonicalJson(known) === canonicalJson(value) ? [] : [name]
  })
  if (nodes.length === 0) return { code: 'no_steps', what: [] }
  return (
    of(
      'unknown_kind',
      idsOf(({ kind }) => !specs.has(kind)),
    ) ??
    of('ends_the_run', idsOf(mayEndRun)) ??
    of('values_differ', clashes) ??
    of(
      'code_reads_run',
      idsOf((node) => expressionsOf(node, specs).code.some((text) => /\brun\b/.test(text))),
    ) ??
    of(
      'reads_whole_run',
      idsOf((node) => read(node).some(({ root, member }) => root === 'run' && member === null)),
    ) ??
    of(
      'read_by_computed_name',
      idsOf((node) => read(node).some(({ root, nodeId: id }) => root === 'nodes' && id === null)),
    )
  )
}

interface Written {
  readonly step: NodeId
  readonly call: WorkflowNode
  readonly child: WorkflowDocument
  readonly specs: TaskSpecs
  readonly begin: Begin
  readonly result: ResultPlan
  /** The steps of the sub-workflow, and those that are added, by their ids there. */
  readonly renamed: ReadonlyMap<NodeId, NodeId>
}

function namesIn(
  document: WorkflowDocument,
  { step, child, begin, result }: Pick<Written, 'step' | 'child' | 'begin' | 'result'>,
): ReadonlyMap<NodeId, NodeId> {
  const taken = new Set(Object.keys(document.nodes))
  const renamed = new Map<NodeId, NodeId>()
  const ids = Object.keys(child.nodes).map(nodeId)
  for (const id of [...(begin.added === null ? [] : [begin.added.id]), ...ids]) {
    if (id === begin.dropped) continue
    if (id === result.step) {
      renamed.set(id, step)
      continue
    }
    let free: string = id
    for (let number = 2; taken.has(free); number += 1) free = `${id}${number}`
    taken.add(free)
    renamed.set(id, nodeId(free))
  }
  return renamed
}

/** Steps that would have another id, by which a join tells its data apart. */
function heardNames(
  child: WorkflowDocument,
  renamed: ReadonlyMap<NodeId, NodeId>,
  result: ResultPlan,
): readonly string[] {
  const { nodes } = buildGraph(child)
  const heard = nodes.flatMap(({ incoming }) => {
    const sources = [...new Set(incoming.map(({ from }) => from))]
    return sources.length > 1 ? sources : []
  })
  const all = new Set([...heard, ...(result.isByEnd ? result.ends : [])])
  return [...all].filter((id) => renamed.has(id) && renamed.get(id) !== id)
}

function writtenOut(document: WorkflowDocument, work: Written): WorkflowDocument {
  const { step, child, renamed, result } = work
  const nodes: Record<string, WorkflowNode> = {}
  for (const [id, node] of Object.entries(document.nodes)) {
    if (id !== step) nodes[id] = node
    else for (const [inner, own] of innerNodes(work)) nodes[inner] = own
  }
  const variables = { ...document.variables, ...child.variables }
  const mockSets = { ...child.mockSets, ...document.mockSets }
  return {
    ...document,
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(Object.keys(mockSets).length === 0 ? {} : { mockSets }),
    nodes: nodes,
    edges: edgesWith(document, work),
    ...drawnTogether(document, child, { step, renamed, last: result.step === null ? step : null }),
  }
}

function innerNodes({
  step,
  call,
  child,
  specs,
  begin,
  result,
  renamed,
}: Written): readonly (readonly [NodeId, WorkflowNode])[] {
  const inside = (id: NodeId): NodeId => renamed.get(id) ?? id
  const rewritten = (expression: string): string => begin.rewrite(withNodeNames(expression, renamed), inside)
  const join = call.join === undefined ? {} : { join: call.join }
  const outer = call.parent === undefined ? {} : { parent: call.parent }
  const placed = (id: NodeId, node: WorkflowNode): readonly [NodeId, WorkflowNode] => {
    const { parent, compensation, ...own } = withExpressions(node, specs, rewritten)
    const undoing = compensation?.node
    return [
      inside(id),
      {
        ...own,
        ...(compensation === undefined
          ? {}
          : {
              compensation: { ...compensation, ...(undoing === undefined ? {} : { node: inside(undoing) }) },
            }),
        ...(parent === undefined ? outer : { parent: inside(parent) }),
        ...(begin.first.includes(id) ? join : {}),
      },
    ]
  }
  const steps = Object.entries(child.nodes).flatMap(([id, node]) =>
    id === begin.dropped ? [] : [placed(nodeId(id), node)],
  )
  const added = begin.added === null ? [] : [placed(begin.added.id, begin.added.node)]
  const title = call.title === undefined ? {} : { title: call.title }
  const last: WorkflowNode = {
    kind: 'transform',
    ...title,
    parameters: { expression: rewritten(result.expression) },
    ...outer,
  }
  return [...added, ...steps, ...(result.step === null ? [[step, last] as const] : [])]
}

function edgesWith(
  document: WorkflowDocument,
  { step, child, begin, result, renamed }: Written,
): WorkflowDocument['edges'] {
  const inside = (id: NodeId): NodeId => renamed.get(id) ?? id
  const edges = new Map<string, WorkflowDocument['edges'][keyof WorkflowDocument['edges']]>()
  const put = (wanted: string, edge: WorkflowDocument['edges'][keyof WorkflowDocument['edges']]): void => {
    let id = wanted
    for (let number = 2; edges.has(id); number += 1) id = `${wanted}-${number}`
    edges.set(id, edge)
  }
  for (const [id, edge] of Object.entries(document.edges)) {
    if (edge.to.node !== step) put(id, edge)
    else for (const first of begin.first) put(id, { ...edge, to: { node: inside(first), port: inputPort } })
  }
  for (const [id, edge] of Object.entries(child.edges)) {
    if (edge.from.node === begin.dropped) continue
    put(id, {
      ...edge,
      from: { ...edge.from, node: inside(edge.from.node) },
      to: { ...edge.to, node: inside(edge.to.node) },
    })
  }
  if (begin.added !== null)
    for (const start of begin.starts)
      put(`${begin.added.id}-${start}`, {
        from: { node: inside(begin.added.id), port: outputPort },
        to: { node: inside(start), port: inputPort },
      })
  for (const { node, port } of result.loose)
    put(`${node}-${step}`, { from: { node: inside(node), port }, to: { node: step, port: inputPort } })
  return Object.fromEntries(edges) as WorkflowDocument['edges']
}
