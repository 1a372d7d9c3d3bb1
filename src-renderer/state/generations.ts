/**
 * Which records of a run count once somebody had it go on: a step that began anew takes all that follows it
 * along, so what those did before counts no more. Pure.
 */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { ReplayState } from '../../src-engine/model/replay.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

/** By node, the nodes that come after it, and those in its body. */
export type Ways = ReadonlyMap<string, readonly string[]>

/** How the nodes of a document follow each other. */
export function waysOf({ nodes, edges }: Pick<WorkflowDocument, 'nodes' | 'edges'>): Ways {
  const ways = new Map<string, string[]>()
  const add = (from: string, to: string): void => {
    const known = ways.get(from)
    if (known === undefined) ways.set(from, [to])
    else known.push(to)
  }
  for (const { from, to } of Object.values(edges)) add(from.node, to.node)
  for (const [id, { parent }] of Object.entries(nodes)) if (parent !== undefined) add(parent, id)
  return ways
}

/** The newest forward invocation of each node that counts; in a body that of the turn begun last. */
export function newestByNode(replay: ReplayState, ways: Ways): ReadonlyMap<string, InvocationRecord> {
  const newest = new Map<string, InvocationRecord>()
  for (const invocation of replay.invocations.values()) {
    if (invocation.role !== 'forward') continue
    const known = newest.get(invocation.nodeId)
    if (known === undefined || invocation.generation >= known.generation)
      newest.set(invocation.nodeId, invocation)
  }
  if ((replay.run?.generation ?? 0) === 0) return newest
  const floors = floorsOf(newest, ways)
  for (const [id, { generation }] of newest) if (generation < (floors.get(id) ?? 0)) newest.delete(id)
  return newest
}

/** By node, the newest generation of anything before it. */
function floorsOf(newest: ReadonlyMap<string, InvocationRecord>, ways: Ways): ReadonlyMap<string, number> {
  const floors = new Map<string, number>()
  const seeds = [...newest].toSorted(([, left], [, right]) => right.generation - left.generation)
  for (const [seed, { generation }] of seeds) {
    if (floors.has(seed)) continue
    floors.set(seed, generation)
    const open = [seed]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const next of ways.get(id) ?? []) {
        // Seeds come newest first: whoever reached it before was newer.
        if (floors.has(next)) continue
        floors.set(next, generation)
        open.push(next)
      }
    }
  }
  return floors
}
