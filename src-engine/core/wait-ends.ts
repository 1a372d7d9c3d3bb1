/** The time that a node has for all of its attempts together, with the waiting between them and after them. */

import type { InvocationRecord } from '../model/invocation.ts'
import type { Instant } from '../model/time.ts'
import type { CompiledNode } from './compile.ts'
import { timeCountsFrom } from './time-counts.ts'

/** When it is over; null for a node that has as long as it takes. */
const totalEndOf = (node: CompiledNode, record: InvocationRecord): Instant | null =>
  node.totalTimeoutMs === null ? null : timeCountsFrom(record) + node.totalTimeoutMs

/** When a body has to give its place back; null for one that keeps it as long as it takes. */
const leaseEndOf = ({ leaseMs }: CompiledNode, { startedAt }: InvocationRecord): Instant | null =>
  leaseMs === null || startedAt === null ? null : startedAt + leaseMs

/** When its wait is cut, whatever it waits for; null for never. */
function cutOf(node: CompiledNode, record: InvocationRecord): Instant | null {
  const total = totalEndOf(node, record)
  const lease = leaseEndOf(node, record)
  if (total === null || lease === null) return total ?? lease
  return Math.min(total, lease)
}

/** Whether it is its lease that is over, and not all of its time. */
export function isLeaseOver(node: CompiledNode, record: InvocationRecord, now: Instant): boolean {
  const end = leaseEndOf(node, record)
  return end !== null && end <= now
}

/** When a wait that may last until then (null: for ever) is over at the latest. */
export function waitEndOf(
  node: CompiledNode,
  record: InvocationRecord,
  until: Instant | null,
): Instant | null {
  const end = cutOf(node, record)
  if (end === null) return until
  return until === null ? end : Math.min(until, end)
}

/** Whether it is the node's time that ends the wait, and not what it waited for. */
export function isWaitCut(node: CompiledNode, record: InvocationRecord): boolean {
  const end = cutOf(node, record)
  return end !== null && record.notBefore !== null && record.notBefore >= end
}

/** Whether the node's time is over already: it must not begin any more. */
export function isTimeOver(node: CompiledNode, record: InvocationRecord, now: Instant): boolean {
  const end = totalEndOf(node, record)
  return end !== null && end <= now
}
