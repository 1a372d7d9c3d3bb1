/** What a level hands on once it is done: the output of its last node, or of each last node by id. */

import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { Payload } from '../model/payload.ts'
import type { CompiledNode } from './compile.ts'
import type { NodeInput } from './node-input.ts'
import { decisionOf, isLoser, wasHandedOn } from './run-state.ts'
import { failureAt } from './stopping.ts'

/** The record of a node on the level at hand. */
export type LevelRecords = (node: CompiledNode) => InvocationRecord | undefined

const nothing: Payload = { kind: 'inline', json: 'null' }

/** The outputs of the nodes from which nothing went on; null when there were none. */
export function levelOutput(nodes: readonly CompiledNode[], recordOf: LevelRecords): NodeInput {
  const parts: { readonly nodeId: NodeId; readonly payload: Payload }[] = []
  for (const node of nodes) {
    const record = recordOf(node)
    if (record?.status !== 'SUCCESS' || record.output === null || isLoser(record)) continue
    if (node.waysOut.some((edge) => decisionOf(record, edge) === 'taken')) continue
    parts.push({ nodeId: node.id, payload: record.output })
  }
  const [only] = parts
  if (only === undefined) return { kind: 'single', payload: nothing }
  return parts.length === 1 ? { kind: 'single', payload: only.payload } : { kind: 'several', parts }
}

/** Whether the end of an invocation fails its level: nothing there handles it. */
export function failsItsLevel(record: InvocationRecord): boolean {
  const { status } = record
  if (record.ports !== null || record.error === null || isLoser(record) || wasHandedOn(record)) return false
  return invocationMachine.final.has(status) && status !== 'SUCCESS' && status !== 'CANCELLED'
}

/** What failed first on a level; null when nothing did. */
export function levelError(nodes: readonly CompiledNode[], recordOf: LevelRecords): ErrorRecord | null {
  let first: InvocationRecord | null = null
  for (const node of nodes) {
    const record = recordOf(node)
    if (record === undefined || !failsItsLevel(record)) continue
    if (first === null || (record.finishedAt ?? 0) < (first.finishedAt ?? 0)) first = record
  }
  if (first === null) return null
  return failureAt(first, first.error ?? errorRecord('task_failed'))
}
