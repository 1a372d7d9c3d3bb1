/** The runs that a value is followed through, as far as they are known, and what is still to be read. */

import type { ComparedRun, PlacedStep } from '../comparison/compared-run.ts'
import { placeKey, stepsOf } from '../comparison/compared-run.ts'
import type { TaskSpecs } from '../definition-hash.ts'
import type { FieldText } from '../field-hints.ts'
import type { GraphNode, WorkflowGraph } from '../graph.ts'
import { buildGraph } from '../graph.ts'
import type { RunId } from '../ids.ts'
import type { InvocationRecord } from '../invocation.ts'
import type { JsonValue } from '../json.ts'
import type { Payload } from '../payload.ts'
import type { ExpressionSource } from './expression-source.ts'

/** A run that was read, with what is asked of it again and again. */
export interface FollowedRun extends ComparedRun {
  readonly graph: WorkflowGraph
  readonly steps: ReadonlyMap<string, PlacedStep>
  readonly memo: FollowedMemo
}

/** What was worked out once of a run: a map asks the same of thousands of items. */
export interface FollowedMemo {
  /** Texts of the settings by node. */
  readonly texts: Map<string, readonly FieldText[]>
  /** Where a text's value comes from, by the place within it. */
  readonly sources: Map<FieldText, Map<string, ExpressionSource>>
  /** Values of payloads by their JSON. */
  readonly values: Map<string, JsonValue>
}

/** What is needed to go on; the caller reads it and follows again. */
export interface Wanted {
  readonly runs: Set<RunId>
  readonly payloads: Map<string, Payload>
}

export interface Following {
  readonly runs: ReadonlyMap<RunId, FollowedRun>
  readonly specs: TaskSpecs
  readonly wanted: Wanted
}

export const followedRun = (run: ComparedRun): FollowedRun => ({
  ...run,
  graph: buildGraph(run.document),
  steps: stepsOf(run),
  memo: { texts: new Map(), sources: new Map(), values: new Map() },
})

export const nothingWanted = (): Wanted => ({ runs: new Set(), payloads: new Map() })

/** The run; undefined, and asked for, while it isn't known. */
export function runIn({ runs, wanted }: Following, id: RunId): FollowedRun | undefined {
  const run = runs.get(id)
  if (run === undefined) wanted.runs.add(id)
  return run
}

/** What a payload holds; undefined where nobody can say, or not yet. */
export function payloadValue(
  { wanted }: Following,
  run: FollowedRun,
  payload: Payload,
): JsonValue | undefined {
  if (payload.kind === 'inline') {
    const { values } = run.memo
    if (!values.has(payload.json)) values.set(payload.json, JSON.parse(payload.json) as JsonValue)
    return values.get(payload.json)
  }
  if (payload.kind === 'sealed') return undefined
  const value = run.blobs.get(payload.hash)
  if (value === undefined) wanted.payloads.set(payload.hash, payload)
  return value
}

export const recordAt = (run: FollowedRun, nodeId: string, path: string): InvocationRecord | null =>
  run.steps.get(placeKey(nodeId, path))?.record ?? null

/** The nodes of the level whose container is named; of the top for null. */
const nodesOfLevel = ({ graph }: FollowedRun, container: string | null): readonly GraphNode[] =>
  graph.nodes.filter(({ node }) => (node.parent ?? null) === container)

/** The steps whose outputs a level hands on: those that ended well and from which nothing went on. */
export function endsOfLevel(run: FollowedRun, container: string | null, path: string): readonly string[] {
  return nodesOfLevel(run, container).flatMap(({ id, outgoing }) => {
    const record = recordAt(run, id, path)
    if (record?.status !== 'SUCCESS' || record.output === null) return []
    return outgoing.some(({ fromPort }) => isTaken(record, fromPort)) ? [] : [id]
  })
}

/** Whether a step's end went out by that port. */
export const isTaken = ({ status, ports }: InvocationRecord, port: string): boolean =>
  status === 'SUCCESS' && ports === null ? port !== 'error' : ports?.includes(port) === true

/** The step where a map or loop stands, and which of its items or turns a level is. Null at the top. */
export function levelAt(
  path: string,
): { readonly nodeId: string; readonly path: string; readonly index: number } | null {
  if (path === '') return null
  const slash = path.lastIndexOf('/')
  const colon = path.lastIndexOf(':')
  return {
    nodeId: path.slice(slash + 1, colon),
    path: slash === -1 ? '' : path.slice(0, slash),
    index: Number(path.slice(colon + 1)),
  }
}

/** The path of an item or turn of a container that stands at `path`. */
export const pathWithin = (path: string, container: string, index: number): string =>
  path === '' ? `${container}:${index}` : `${path}/${container}:${index}`
