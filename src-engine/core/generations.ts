/**
 * Which records of a run still count once somebody had it go on from a step: that step and all that follows
 * it begin anew under the next generation, everything else keeps what it has. Always a function of the
 * records and the graph, so that a restart finds the same.
 */

import type { NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { outputStepId } from '../model/workflow.ts'
import type { CompiledNode, CompiledWorkflow } from './compile.ts'

/** The generation of every node of the top level that keeps a record of an earlier one. */
export type KeptGenerations = ReadonlyMap<NodeId, number>

/**
 * Null for a run that nobody had go on. `again` begins anew together with what follows it, although there is
 * no record of that yet.
 */
export function keptGenerations(
  workflow: CompiledWorkflow,
  generation: number,
  given: {
    readonly invocations: readonly InvocationRecord[]
    readonly again?: ReadonlySet<CompiledNode>
  },
): KeptGenerations | null {
  if (generation === 0) return null
  const own = newestByNode(workflow, given.invocations)
  const { floors, highest } = floorsOf(workflow, seedsOf(own, { generation, again: given.again }))
  const kept = new Map<NodeId, number>()
  for (const [node, newest] of own) {
    // The output step follows everything.
    const floor = node.id === outputStepId ? highest : (floors.get(node) ?? 0)
    if (newest < generation && newest >= floor && given.again?.has(node) !== true) kept.set(node.id, newest)
  }
  return kept
}

/** The node and everything that its ways out lead to, those of items and turns left out. */
export function withDescendants(nodes: Iterable<CompiledNode>): ReadonlySet<CompiledNode> {
  const reached = new Set(nodes)
  for (const node of reached) for (const edge of node.waysOut) reached.add(edge.to)
  return reached
}

function newestByNode(
  workflow: CompiledWorkflow,
  invocations: readonly InvocationRecord[],
): ReadonlyMap<CompiledNode, number> {
  const newest = new Map<CompiledNode, number>()
  for (const { nodeId, path, role, generation } of invocations) {
    if (path !== '' || role !== 'forward') continue
    const node = workflow.nodeById.get(nodeId)
    if (node !== undefined) newest.set(node, Math.max(generation, newest.get(node) ?? 0))
  }
  return newest
}

/** Where each generation began or has come to. */
function seedsOf(
  own: ReadonlyMap<CompiledNode, number>,
  begun: { readonly generation: number; readonly again: ReadonlySet<CompiledNode> | undefined },
): readonly (readonly [CompiledNode, number])[] {
  const seeds = [...own]
  for (const node of begun.again ?? []) seeds.push([node, begun.generation])
  return seeds.sort(([, a], [, b]) => b - a)
}

/** By node, the newest generation of anything before it; records of older ones count no more. */
function floorsOf(
  workflow: CompiledWorkflow,
  seeds: readonly (readonly [CompiledNode, number])[],
): { readonly floors: ReadonlyMap<CompiledNode, number>; readonly highest: number } {
  const floors = new Map<CompiledNode, number>()
  for (const [seed, generation] of seeds) {
    if (generation === 0 || floors.has(seed)) continue
    floors.set(seed, generation)
    const open = [seed]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { to } of node.waysOut) {
        // Seeds come newest first: whoever reached it before was newer.
        if (floors.has(to)) continue
        floors.set(to, generation)
        open.push(to)
      }
    }
  }
  const others = seeds.filter(([{ id }]) => id !== outputStepId && workflow.nodeById.has(id))
  return { floors, highest: others[0]?.[1] ?? 0 }
}
