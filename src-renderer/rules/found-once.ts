/** What follows from a part of a document alone, found once for as long as that part is the same. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

/** Remembers what was made of a part, unless it may still change: a draft that is being edited isn't frozen. */
export function foundOnce<Part extends object, Made>(make: (part: Part) => Made): (part: Part) => Made {
  const known = new WeakMap<Part, Made>()
  return (part) => {
    const before = known.get(part)
    if (before !== undefined) return before
    const made = make(part)
    // Asked last: whether a record of thousands is frozen is found by a look at each of them.
    if (Object.isFrozen(part)) known.set(part, made)
    return made
  }
}

/**
 * As `foundOnce`; what was made of the part that was asked about last is changed to what this one gives, where that is less
 * work. `change` gives null where it isn't.
 */
export function foundAlong<Part extends object, Made>(
  make: (part: Part) => Made,
  change: (made: Made, before: Part, now: Part) => Made | null,
): (part: Part) => Made {
  let last: { readonly part: WeakRef<Part>; readonly made: Made } | null = null
  return foundOnce((part) => {
    const before = last?.part.deref()
    const changed = last === null || before === undefined ? null : change(last.made, before, part)
    const made = changed ?? make(part)
    if (Object.isFrozen(part)) last = { part: new WeakRef(part), made }
    return made
  })
}

type Nodes = WorkflowDocument['nodes']
type Edges = WorkflowDocument['edges']

/** How many steps there are. */
export const countOf: (nodes: Nodes) => number = foundOnce((nodes) => Object.keys(nodes).length)

/** The place of each step in the order of the document. */
export const orderOf: (nodes: Nodes) => ReadonlyMap<string, number> = foundOnce(
  (nodes) => new Map(Object.keys(nodes).map((id, at) => [id, at])),
)

/** The steps with the same `parent`, each list in the order of the document. */
export const bodiesOf: (nodes: Nodes) => ReadonlyMap<NodeId, readonly NodeId[]> = foundOnce((nodes) => {
  const bodies = new Map<NodeId, NodeId[]>()
  for (const [id, { parent }] of Object.entries(nodes)) {
    if (parent === undefined) continue
    const body = bodies.get(parent)
    if (body === undefined) bodies.set(parent, [nodeId(id)])
    else body.push(nodeId(id))
  }
  return bodies
})

/** The steps that an edge leads from or to. */
export const joinedBy: (edges: Edges) => ReadonlySet<string> = foundOnce(
  (edges) => new Set(Object.values(edges).flatMap(({ from, to }) => [from.node, to.node])),
)
