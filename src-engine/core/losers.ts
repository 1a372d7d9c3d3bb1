/** Cancelling the branches that a satisfied join no longer waits for. */

import { invocationMachine } from '../model/invocation-status.ts'
import type { CompiledNode } from './compile.ts'
import { addEvent, moveInvocation, recordOf, touchInvocation } from './draft.ts'
import type { Draft } from './draft.ts'
import { forwardId } from './run-state.ts'

const cause = { kind: 'loser', by: null, detail: 'another branch was first' } as const

/**
 * Cancels what leads only to this join and is still under way. Work that somebody owns is asked to stop;
 * its owner answers.
 */
export function cancelLosers(draft: Draft, join: CompiledNode): void {
  for (const node of onlyLeadingTo(draft, join)) {
    const record = recordOf(draft, forwardId(draft.run, node.id))
    if (record === undefined) {
      neverStart(draft, node)
      continue
    }
    if (invocationMachine.final.has(record.status)) continue
    if (record.lease === null) {
      moveInvocation(draft, record.id, { to: 'CANCELLED', cause, set: { cause } })
    } else if (record.cancelRequestedAt === null) {
      touchInvocation(draft, record.id, { cancelRequestedAt: draft.context.now, cause })
    }
  }
}

function neverStart(draft: Draft, node: CompiledNode): void {
  if (draft.nodes.has(node.index) || draft.state.nodePhases[node.index] !== undefined) return
  draft.nodes.set(node.index, 'skipped')
  const { generation } = draft.run
  addEvent(draft, {
    invocationId: null,
    cause,
    body: { type: 'node.skipped', nodeId: node.id, path: '', generation },
  })
}

/** Nodes upstream of undecided ways in whose every way out leads to this join. */
function onlyLeadingTo(draft: Draft, join: CompiledNode): readonly CompiledNode[] {
  const inside = new Set<CompiledNode>([join])
  const found: CompiledNode[] = []
  const queue = join.waysIn.map((edge) => edge.from)
  for (let next = 0; next < queue.length; next += 1) {
    const node = queue[next]
    if (node === undefined || inside.has(node)) continue
    if (!node.waysOut.every((edge) => inside.has(edge.to))) continue
    inside.add(node)
    found.push(node)
    for (const edge of node.waysIn) queue.push(edge.from)
  }
  return found
}
