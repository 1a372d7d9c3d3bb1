/** One side of a comparison: a run's records by place, and what its payloads hold as far as that is known. */

import { buildGraph } from '../graph.ts'
import type { InvocationRecord } from '../invocation.ts'
import type { JsonValue } from '../json.ts'
import type { Payload } from '../payload.ts'
import type { RunRecord } from '../run.ts'
import type { WorkflowDocument } from '../workflow.ts'

/** What is known of a run that is compared; its snapshot fits. */
export interface ComparedRun {
  readonly document: WorkflowDocument
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
  readonly skipped: readonly { readonly nodeId: string; readonly path: string; readonly generation: number }[]
  /** Values of payloads that aren't in their records, by the blob's hash. */
  readonly blobs: ReadonlyMap<string, JsonValue>
}

/** The step at one place of a run, in its newest generation. */
export interface PlacedStep {
  readonly nodeId: string
  readonly path: string
  /** Null for a step that was skipped. */
  readonly record: InvocationRecord | null
  /** What undoes it; null while nothing does. */
  readonly undo: InvocationRecord | null
}

/** A place as a key: the node in its item or turn. */
export const placeKey = (nodeId: string, path: string): string => `${nodeId} ${path}`

/** The steps of a run by place. */
export function stepsOf({ invocations, skipped }: ComparedRun): ReadonlyMap<string, PlacedStep> {
  const steps = new Map<string, PlacedStep>()
  const generations = new Map<string, number>()
  const isNewer = (key: string, generation: number): boolean => (generations.get(key) ?? -1) <= generation
  for (const record of invocations) {
    if (record.role !== 'forward') continue
    const key = placeKey(record.nodeId, record.path)
    if (!isNewer(key, record.generation)) continue
    generations.set(key, record.generation)
    steps.set(key, { nodeId: record.nodeId, path: record.path, record, undo: null })
  }
  for (const { nodeId, path, generation } of skipped) {
    const key = placeKey(nodeId, path)
    // A step that runs again in a later generation isn't skipped any more.
    if (steps.has(key) && (generations.get(key) ?? 0) >= generation) continue
    generations.set(key, generation)
    steps.set(key, { nodeId, path, record: null, undo: null })
  }
  for (const undo of invocations) {
    const key = placeKey(undo.nodeId, undo.path)
    const step = undo.role === 'compensation' ? steps.get(key) : undefined
    if (step !== undefined) steps.set(key, { ...step, undo })
  }
  return steps
}

/** What a payload holds; undefined where that isn't known: sealed, or too far away. */
export function valueOfPayload({ blobs }: ComparedRun, payload: Payload): JsonValue | undefined {
  if (payload.kind === 'inline') return JSON.parse(payload.json) as JsonValue
  return payload.kind === 'blob' ? blobs.get(payload.hash) : undefined
}

/** What arrived at a top-level step, as its expressions see it; undefined where that isn't known. */
export function arrivedAt(side: ComparedRun, nodeId: string, path: string): JsonValue | undefined {
  const waysIn = buildGraph(side.document).nodeById.get(nodeId)?.incoming ?? []
  // Which item or value a body's first step had is known to its map or loop alone, while that is at work.
  if (waysIn.length === 0) return path === '' ? valueOfPayload(side, side.run.input) : undefined
  const steps = stepsOf(side)
  const taken = waysIn.flatMap(({ from, fromPort }) => {
    const record = steps.get(placeKey(from, path))?.record ?? null
    const isTaken = record?.status === 'SUCCESS' && (record.ports === null || record.ports.includes(fromPort))
    return isTaken && record.output !== null ? [{ from, output: record.output }] : []
  })
  const [only] = taken
  if (only === undefined) return undefined
  if (new Set(taken.map(({ from }) => from)).size === 1) return valueOfPayload(side, only.output)
  const members = taken.map(({ from, output }) => [from, valueOfPayload(side, output)] as const)
  if (members.some(([, value]) => value === undefined)) return undefined
  return Object.fromEntries(members) as { readonly [name: string]: JsonValue }
}
