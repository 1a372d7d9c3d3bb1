/** What a selection reads of the rest of its workflow, and the rest of it: from the expressions of both. Pure. */

import { edgesInto } from '../graph.ts'
import type { NodeId } from '../ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../workflow.ts'
import type { TaskSpecs } from './node-expressions.ts'
import { expressionsOf } from './node-expressions.ts'
import type { RootMention } from './root-mentions.ts'
import { rootMentions } from './root-mentions.ts'
import type { ExtractRefusal, ExtractRefusalCode, SelectionShape } from './selection-shape.ts'

/** What steps of the selection read that only the rest has. */
export interface ReadsOfRest {
  readonly nodes: readonly NodeId[]
  readonly item: boolean
  readonly loop: boolean
  readonly run: boolean
  readonly vars: boolean
}

export interface SelectionReads {
  readonly rest: ReadsOfRest
  /** Steps of the selection that the rest reads, beside its result. */
  readonly inner: readonly NodeId[]
}

type Looked =
  | { readonly ok: true; readonly reads: SelectionReads }
  | { readonly ok: false; readonly refusal: ExtractRefusal }

/** Thrown inside of this file only: the first thing that speaks against it ends the search. */
class Refused extends Error {
  readonly refusal: ExtractRefusal

  constructor(code: ExtractRefusalCode, node: NodeId | null) {
    super(code)
    this.refusal = { code, nodes: node === null ? [] : [node] }
  }
}

export function readsOf(document: WorkflowDocument, shape: SelectionShape, specs: TaskSpecs): Looked {
  try {
    return { ok: true, reads: { rest: restRead(shape, specs), inner: innerRead(document, shape, specs) } }
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, refusal: thrown.refusal }
    throw thrown
  }
}

function restRead(shape: SelectionShape, specs: TaskSpecs): ReadsOfRest {
  const before = stepsBefore(shape)
  const nodes = new Set<NodeId>()
  const others = { item: false, loop: false, run: false, vars: false }
  for (const id of shape.inside) {
    const { code, ...texts } = expressionsOf(nodeOf(shape, id), specs)
    if (code.some((text) => /\brun\b/.test(text))) throw new Refused('code_reads_run', id)
    if (code.some((text) => /\bvars\b/.test(text))) others.vars = true
    for (const mention of [...texts.own, ...texts.undoing].flatMap(rootMentions)) {
      const { root } = mention
      if (root === 'run' || root === 'vars') others[root] = true
      else if (root === 'item' || root === 'loop') others[root] ||= isFromOutside(shape, id, root)
      else if (root === 'nodes') {
        const read = readNode(shape, mention, id)
        if (read === null) continue
        if (!before.has(read)) throw new Refused('reads_later_step', id)
        nodes.add(read)
      }
    }
  }
  return { nodes: [...nodes].toSorted(), ...others }
}

/** The step outside that a mention reads; null for one of the selection, and for one that isn't there. */
function readNode({ graph, inside }: SelectionShape, { nodeId }: RootMention, by: NodeId): NodeId | null {
  if (nodeId === null) throw new Refused('read_by_computed_name', by)
  const read = graph.nodeById.get(nodeId)?.id
  return read === undefined || inside.has(read) ? null : read
}

/** Whether the item or turn that a step sees is that of a map or loop around the selection. */
export function isFromOutside(
  { graph, inside, parent }: Pick<SelectionShape, 'graph' | 'inside' | 'parent'>,
  id: NodeId,
  root: 'item' | 'loop',
): boolean {
  const kind = root === 'item' ? 'map' : 'loop'
  let at = graph.nodeById.get(id)?.node.parent
  for (; at !== undefined && inside.has(at); at = graph.nodeById.get(at)?.node.parent)
    if (graph.nodeById.get(at)?.node.kind === kind) return false
  return parent !== null
}

/** All that has ended by the time the selection begins. */
function stepsBefore({ graph, entries, parent }: SelectionShape): ReadonlySet<NodeId> {
  const found = new Set<NodeId>()
  const open: NodeId[] = [...entries]
  for (let around = parent; around !== null; around = graph.nodeById.get(around)?.node.parent ?? null)
    open.push(around)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { from } of edgesInto(graph, id)) {
      if (found.has(from)) continue
      found.add(from)
      open.push(from)
    }
  }
  return found
}

function innerRead(document: WorkflowDocument, shape: SelectionShape, specs: TaskSpecs): readonly NodeId[] {
  const inner = new Set<NodeId>()
  const look = (expression: string, by: NodeId | null): void => {
    for (const { root, nodeId, outputEnd } of rootMentions(expression)) {
      if (root !== 'nodes') continue
      if (nodeId === null) throw new Refused('read_by_computed_name', by)
      const read = shape.graph.nodeById.get(nodeId)?.id
      if (read === undefined || !shape.inside.has(read)) continue
      if (outputEnd === null && read !== shape.result) throw new Refused('reads_whole_step', by)
      inner.add(read)
    }
  }
  for (const { id, node } of shape.graph.nodes) {
    if (shape.inside.has(id)) continue
    const { own, undoing } = expressionsOf(node, specs)
    for (const expression of [...own, ...undoing]) look(expression, id)
  }
  const { output } = document.settings ?? {}
  if (output !== undefined) look(output, null)
  const isAll = [...inner].every((id) => id === shape.result)
  return isAll ? [] : [...inner].toSorted()
}

function nodeOf({ graph }: SelectionShape, id: NodeId): WorkflowNode {
  const found = graph.nodeById.get(id)
  if (found === undefined) throw new Error(`The selection has no step ${id}.`)
  return found.node
}
