/** What worked with a result, or handed it on, before it was held back. */

import type { InvocationRecord } from '../../model/invocation.ts'
import { samePayload } from '../../model/value-codec.ts'
import type { CompiledNode } from '../compile.ts'
import { withDescendants } from '../generations.ts'
import type { RunState } from '../run-state.ts'
import { isCurrent } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'

/** The steps that had begun after it, on a way that leads from it, in order of registration. */
export function begunWith(state: RunState, record: InvocationRecord): readonly InvocationRecord[] {
  const reached = reachedFrom(state, record)
  if (reached === null) return []
  const since = record.finishedAt ?? record.registeredAt
  return [...state.invocations.values()].filter((other) => {
    if (other.startedAt === null || other.startedAt < since || other.role !== 'forward') return false
    if (other.id === record.id || !isCurrent(state, other)) return false
    return !isElsewhere(state, other, record) && isReached(state, other, reached)
  })
}

/** The nodes behind it, and behind the maps and loops that it is part of; turns of a loop are behind each other. */
function reachedFrom(state: RunState, record: InvocationRecord): ReadonlySet<CompiledNode> | null {
  const own = state.workflow.nodeById.get(record.nodeId)
  if (own === undefined) return null
  const reached = new Set<CompiledNode>()
  for (let at: CompiledNode | null = own; at !== null; at = at.container) {
    for (const node of withDescendants(at.waysOut.map(({ to }) => to))) reached.add(node)
    if (at.container?.kind === 'loop') for (const node of at.container.body?.nodes ?? []) reached.add(node)
  }
  return reached
}

function isReached(
  state: RunState,
  { nodeId }: InvocationRecord,
  reached: ReadonlySet<CompiledNode>,
): boolean {
  if (nodeId === state.workflow.outputStep?.id) return true
  for (let at = state.workflow.nodeById.get(nodeId) ?? null; at !== null; at = at.container) {
    if (reached.has(at)) return true
  }
  return false
}

/** In another item of the same map, or in an earlier turn of the same loop: it never saw it. */
function isElsewhere({ workflow }: RunState, other: InvocationRecord, { path }: InvocationRecord): boolean {
  const own = path === '' ? [] : path.split('/')
  const others = other.path === '' ? [] : other.path.split('/')
  const depth = own.findIndex((step, index) => step !== others[index])
  const [mine, theirs] = [own[depth], others[depth]]
  if (mine === undefined || theirs === undefined) return false
  const [left, right] = [placeOf(mine), placeOf(theirs)]
  if (left.container !== right.container) return false
  return workflow.nodeById.get(left.container)?.kind !== 'loop' || right.index < left.index
}

/** Results that are the same, handed on as they are, and those of maps and loops around it. */
export function handsOn(
  state: RunState,
  record: InvocationRecord,
  dependents: readonly InvocationRecord[],
): readonly InvocationRecord[] {
  const same = dependents.filter(
    (other) => other.status === 'SUCCESS' && samePayload(other.output, record.output),
  )
  const around = [...state.invocations.values()].filter(
    (other) => other.status === 'SUCCESS' && other.output !== null && isAround(other, record),
  )
  return [...new Set([...same, ...around])]
}

/** Whether it is a map or loop that the other is an item or turn of. */
export function isAround(other: InvocationRecord, { path, generation }: InvocationRecord): boolean {
  const own = other.path === '' ? `${other.nodeId}:` : `${other.path}/${other.nodeId}:`
  return other.generation === generation && path.startsWith(own)
}
