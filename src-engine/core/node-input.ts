/** What arrives at a node: the output of the branch that led there, or of each branch by node id. */

import type { ErrorRecord } from '../model/errors.ts'
import type { NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonValue } from '../model/json.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import { errorPort, timeoutPort } from '../model/workflow.ts'
import type { CompiledEdge, CompiledNode } from './compile.ts'
import type { Composition } from './gather.ts'
import { composedOf, compositionOf, isByArrival } from './gather.ts'
import type { ScopeInput } from './scope-input.ts'
import { inlineItem } from './scope-input.ts'

export type NodeInput =
  | ScopeInput
  /** Several branches arrived: an object keyed by node id, unless they become something else. */
  | {
      readonly kind: 'several'
      readonly parts: readonly InputPart[]
      /** What they become; absent for the object. */
      readonly as?: Composition
    }

/** What one branch brought. */
export interface InputPart {
  readonly nodeId: NodeId
  readonly payload: Payload
}

/** How to look into a run, decided or about to be. */
export interface InputLookup {
  /** What a node without ways in gets. */
  readonly scopeInput: ScopeInput
  /** The only nodes that count; null or absent for all that were taken. */
  readonly arrived?: readonly string[] | null
  readonly isTaken: (edge: CompiledEdge) => boolean
  readonly record: (node: CompiledNode) => InvocationRecord | undefined
}

const nothing: Payload = { kind: 'inline', json: 'null' }

/** What arrives at the node on its taken ways in; the level's input for a node without ways in. */
export function nodeInput(lookup: InputLookup, node: CompiledNode): NodeInput {
  const [only, second] = node.waysIn
  if (only === undefined) return lookup.scopeInput
  const { gather } = node.join.rules
  // The step of a chain: nothing to gather.
  if (second === undefined && gather === 'auto' && lookup.isTaken(only))
    return { kind: 'single', payload: deliveredBy(lookup.record(only.from), only) }
  if (gather !== 'auto') return gathered(lookup, node)
  const parts = partsOf(lookup, node, node.waysIn)
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return { kind: 'single', payload: first.payload }
  return { kind: 'several', parts }
}

/** What a join that says so makes of what came. */
function gathered(lookup: InputLookup, node: CompiledNode): NodeInput {
  const { rules, ways = node.waysIn } = node.join
  const order = isByArrival(rules.gather) ? byArrival(lookup, ways) : ways
  const parts = partsOf(lookup, node, order)
  const as = compositionOf[rules.gather]
  if (as === null) return { kind: 'single', payload: parts[0]?.payload ?? nothing }
  return { kind: 'several', parts, as }
}

/** By the instants at which the steps ended; those of one instant as they stand. */
function byArrival(lookup: InputLookup, ways: readonly CompiledEdge[]): readonly CompiledEdge[] {
  const endOf = (edge: CompiledEdge): number => lookup.record(edge.from)?.finishedAt ?? 0
  return ways.filter(lookup.isTaken).sort((a, b) => endOf(a) - endOf(b))
}

function partsOf(lookup: InputLookup, node: CompiledNode, ways: readonly CompiledEdge[]): InputPart[] {
  const parts: InputPart[] = []
  // A join of hundreds of branches must not look through all of them for each.
  const seen = node.waysIn.length > 1 ? new Set<NodeId>() : null
  for (const edge of ways) {
    if (!lookup.isTaken(edge) || lookup.arrived?.includes(edge.from.id) === false) continue
    if (seen?.has(edge.from.id) === true) continue
    seen?.add(edge.from.id)
    parts.push({ nodeId: edge.from.id, payload: deliveredBy(lookup.record(edge.from), edge) })
  }
  return parts
}

/** Only such a join can run before all of its ways in are decided. */
const mayRunEarly = ({ join, waysIn }: CompiledNode): boolean =>
  waysIn.length > 1 && (join.mode !== 'all' || join.rules.timeoutMs !== null)

/** What had arrived when the node was invoked, as its record's cause keeps it; null when that is plain. */
export function arrivalsText(node: CompiledNode, isTaken: (edge: CompiledEdge) => boolean): string | null {
  if (!mayRunEarly(node)) return null
  return JSON.stringify([...new Set(node.waysIn.filter(isTaken).map((edge) => edge.from.id))])
}

/** The nodes whose outputs are the input of this invocation; null when that is all that were taken. */
export function arrivalsOf(node: CompiledNode, record: InvocationRecord): readonly string[] | null {
  const { detail } = record.cause
  // What ended by a signal, or was left out, has another cause since, with words of its own.
  if (!mayRunEarly(node) || detail?.startsWith('[') !== true || hasEndedCause(record)) return null
  // Written by `arrivalsText`.
  return JSON.parse(detail) as readonly string[]
}

const endedCauses: ReadonlySet<string> = new Set(['signal', 'call', 'skipped', 'passed-over'])

const hasEndedCause = ({ cause }: InvocationRecord): boolean => endedCauses.has(cause.kind)

function deliveredBy(record: InvocationRecord | undefined, edge: CompiledEdge): Payload {
  if (record === undefined) return nothing
  if (record.status === 'SUCCESS') return record.output ?? nothing
  const saysWhy = edge.port === errorPort || (record.status === 'TIMEOUT' && edge.port === timeoutPort)
  if (saysWhy && record.error !== null) return errorPayload(record.error)
  return { kind: 'inline', json: edge.from.fallbackJson }
}

/** What the error port delivers, and the timeout port of who gave up waiting in line: `{"error": {code, message, hint, details, retryable}}`. */
function errorPayload(error: ErrorRecord): Payload {
  return { kind: 'inline', json: JSON.stringify({ error }) }
}

/** The input as one payload; null when that needs a blob to be read or written. */
export function inlineInput(input: NodeInput): Payload | null {
  if (input.kind === 'single') return input.payload
  if (input.kind === 'item') return inlineItem(input.items, input.index)
  const { as = 'object' } = input
  if (as === 'deep') return inlineMerged(input.parts)
  const members: string[] = []
  for (const { nodeId, payload } of input.parts) {
    if (payload.kind !== 'inline') return null
    members.push(as === 'list' ? payload.json : `${JSON.stringify(nodeId)}:${payload.json}`)
  }
  return inlinePayload(as === 'list' ? `[${members.join(',')}]` : `{${members.join(',')}}`)
}

function inlineMerged(parts: readonly InputPart[]): Payload | null {
  const values: { readonly key: string; readonly value: JsonValue }[] = []
  for (const { nodeId, payload } of parts) {
    if (payload.kind !== 'inline') return null
    // Written by an attempt, or by a decision, as JSON.
    values.push({ key: nodeId, value: JSON.parse(payload.json) as JsonValue })
  }
  return inlinePayload(JSON.stringify(composedOf(values, 'deep')))
}
