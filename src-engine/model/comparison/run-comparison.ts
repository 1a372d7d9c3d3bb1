/**
 * Two runs of one workflow side by side, of the same version or of two: what each step did in each of them,
 * place by place, so that the turns of maps and loops stand beside each other. How long something took is
 * told, and is no difference: no two runs take the same time.
 */

import type { TaskSpecs } from '../definition-hash.ts'
import { buildGraph, topologicalOrder } from '../graph.ts'
import { comparedPayloadsMax } from '../limits.ts'
import type { Payload } from '../payload.ts'
import type { VersionChange } from '../version-changes.ts'
import { versionChanges } from '../version-changes.ts'
import type { WorkflowDocument } from '../workflow.ts'
import type { ComparedRun, PlacedStep } from './compared-run.ts'
import { stepsOf, valueOfPayload } from './compared-run.ts'
import type { Divergence } from './divergence.ts'
import { divergenceOf } from './divergence.ts'
import type { StepComparison, StepDifference, StepSide } from './step-comparison.ts'
import { onlyIn } from './step-comparison.ts'
import { isSameValue } from './value-differences.ts'

export interface RunComparison {
  /** Each step of either run, what leads to others before them. */
  readonly steps: readonly StepComparison[]
  readonly isInputSame: boolean
  /** Where the runs part; null when they did the same with the same. */
  readonly divergence: Divergence | null
  readonly changes: readonly VersionChange[]
}

/** Compares two runs of one workflow; the earlier one is given first. */
export function compareRuns(before: ComparedRun, after: ComparedRun, specs: TaskSpecs): RunComparison {
  const changes = versionChanges(before.document, after.document, specs)
  const sides = { before, after }
  const steps = comparedSteps(sides, changes).toSorted(inOrderOf(before.document, after.document))
  const isInputSame = samePayload(sides, before.run.input, after.run.input) !== false
  return { steps, isInputSame, changes, divergence: divergenceOf({ ...sides, steps, isInputSame, specs }) }
}

/** The blobs that only one of the runs has: to be read before they are compared, as far as that is bounded. */
export function blobsToRead(
  before: Omit<ComparedRun, 'blobs'>,
  after: Omit<ComparedRun, 'blobs'>,
): Payload[] {
  const [left, right] = [before, after].map(blobsOf)
  const isShared = ([hash]: readonly [string, Payload]): boolean =>
    left?.has(hash) === true && right?.has(hash) === true
  const all = [...(left ?? []), ...(right ?? [])].filter((entry) => !isShared(entry))
  return all.slice(0, comparedPayloadsMax).map(([, payload]) => payload)
}

function blobsOf({ run, invocations }: Omit<ComparedRun, 'blobs'>): ReadonlyMap<string, Payload> {
  const payloads = [run.input, ...invocations.flatMap(({ input, output }) => [input, output])]
  return new Map(
    payloads.flatMap((payload) => (payload?.kind === 'blob' ? [[payload.hash, payload] as const] : [])),
  )
}

interface Sides {
  readonly before: ComparedRun
  readonly after: ComparedRun
}

function comparedSteps(sides: Sides, changes: readonly VersionChange[]): readonly StepComparison[] {
  const [left, right] = [stepsOf(sides.before), stepsOf(sides.after)]
  const definitions = new Map(changes.flatMap((one) => (one.what === 'node' ? [[one.id, one.change]] : [])))
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key): readonly StepComparison[] => {
    const [before, after] = [left.get(key), right.get(key)]
    const step = after ?? before
    if (step === undefined) return []
    const { nodeId, path } = step
    const title = titleOf(sides, nodeId)
    const definition = definitions.get(nodeId) ?? null
    const pair = { before: sideOf(before), after: sideOf(after) }
    return [{ nodeId, path, title, definition, ...pair, ...differencesOf(sides, pair) }]
  })
}

const titleOf = ({ before, after }: Sides, id: string): string => {
  const nodeIn = ({ document }: ComparedRun) =>
    Object.entries(document.nodes).find(([key]) => key === id)?.[1]
  return nodeIn(after)?.title ?? nodeIn(before)?.title ?? id
}

function sideOf(step: PlacedStep | undefined): StepSide | null {
  if (step === undefined) return null
  const { record, undo } = step
  if (record === null) return { ...skipped, undo: undo?.status ?? null }
  const { status, startedAt, finishedAt, input, error } = record
  return {
    status,
    ways: status === 'SUCCESS' || error !== null ? record.ports : null,
    attempts: record.attempt,
    tookMs: startedAt === null || finishedAt === null ? null : finishedAt - startedAt,
    input,
    // While it waits, its record holds what it may hand on later: that is no output yet.
    output: status === 'WAITING' ? null : record.output,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    undo: undo?.status ?? null,
  }
}

const skipped: StepSide = {
  status: 'SKIPPED',
  ways: null,
  attempts: 0,
  tookMs: null,
  input: null,
  output: null,
  errorCode: null,
  errorMessage: null,
  undo: null,
}

function differencesOf(
  sides: Sides,
  { before, after }: Pick<StepComparison, 'before' | 'after'>,
): Pick<StepComparison, 'differences' | 'deltaMs' | 'hasUnread'> {
  if (onlyIn({ before, after }) !== null)
    return { differences: ['presence'], deltaMs: null, hasUnread: false }
  if (before === null || after === null) return { differences: [], deltaMs: null, hasUnread: false }
  const input = samePayload(sides, before.input, after.input)
  const output = samePayload(sides, before.output, after.output)
  const differs: Readonly<Record<Exclude<StepDifference, 'presence'>, boolean>> = {
    status: before.status !== after.status,
    ways: waysText(before) !== waysText(after),
    attempts: before.attempts !== after.attempts,
    input: input === false,
    output: output === false,
    error: before.errorCode !== after.errorCode || before.errorMessage !== after.errorMessage,
    undo: before.undo !== after.undo,
  }
  const { tookMs } = after
  return {
    differences: (Object.keys(differs) as (keyof typeof differs)[]).filter((name) => differs[name]),
    deltaMs: tookMs === null || before.tookMs === null ? null : tookMs - before.tookMs,
    hasUnread: input === null || output === null,
  }
}

const waysText = ({ ways }: StepSide): string => JSON.stringify(ways === null ? null : ways.toSorted())

/** Null where nobody can tell: one of them can't be read. */
function samePayload({ before, after }: Sides, left: Payload | null, right: Payload | null): boolean | null {
  if (left === null || right === null) return left === right
  if (left.kind === 'inline' && right.kind === 'inline' && left.json === right.json) return true
  if (left.kind === 'blob' && right.kind === 'blob' && left.hash === right.hash) return true
  const [was, is] = [valueOfPayload(before, left), valueOfPayload(after, right)]
  return was === undefined || is === undefined ? null : isSameValue(was, is)
}

/** What leads to others first; a map or loop, then its turns one after the other. */
function inOrderOf(
  ...documents: readonly [WorkflowDocument, WorkflowDocument]
): (a: StepComparison, b: StepComparison) => number {
  const [before, after] = documents
  const merged = { nodes: { ...before.nodes, ...after.nodes }, edges: { ...before.edges, ...after.edges } }
  const graph = buildGraph(merged)
  const order = topologicalOrder(graph) ?? graph.nodeIds
  const ranks = new Map<string, number>(order.map((id, rank) => [id, rank]))
  const keyOf = ({ nodeId, path }: StepComparison): readonly number[] => {
    const steps = path === '' ? [] : path.split('/')
    const outer = steps.flatMap((step) => {
      const colon = step.lastIndexOf(':')
      return [ranks.get(step.slice(0, colon)) ?? 0, Number(step.slice(colon + 1))]
    })
    return [...outer, ranks.get(nodeId) ?? 0]
  }
  const keys = new WeakMap<StepComparison, readonly number[]>()
  const known = (step: StepComparison): readonly number[] => {
    const key = keys.get(step) ?? keyOf(step)
    keys.set(step, key)
    return key
  }
  return (a, b) => comparePlaces(known(a), known(b))
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  // One is the map or loop that the other is in.
  if (at === -1) return a.length - b.length
  return (a[at] ?? 0) - (b[at] ?? -1)
}
