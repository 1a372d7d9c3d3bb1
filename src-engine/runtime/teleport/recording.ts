/** What a run's events say about each of its steps: the recorded effects that a replay answers from. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import { keptGenerations } from '../../core/generations.ts'
import { forwardId } from '../../core/run-state.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, NodeId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Payload } from '../../model/payload.ts'
import { replayRun } from '../../model/replay.ts'
import type { RunRecord } from '../../model/run.ts'

/** A try that failed, and was counted. */
export interface RecordedFailure {
  readonly kind: 'failed' | 'timed-out'
  readonly number: number
  readonly error: ErrorRecord
  readonly input: Payload | null
  /** Its place among all that happened. */
  readonly rank: number
}

export interface RecordedStep {
  readonly record: InvocationRecord
  /** Tries that failed, in their order. */
  readonly failures: readonly RecordedFailure[]
  /** When it ended, among all that happened; null while it hasn't. */
  readonly rank: number | null
  /** The items of a map. */
  readonly items: Payload | null
  /** What each turn of a loop began with. */
  readonly turns: ReadonlyMap<number, Payload>
}

export interface Recording {
  readonly run: RunRecord
  /** As it was bound, with the way it was run. */
  readonly workflow: CompiledWorkflow
  /** By `stepKey`: those whose result counts. */
  readonly steps: ReadonlyMap<string, RecordedStep>
  /** When somebody had the run cancelled, and when its time was over; null where that never was. */
  readonly cancelRank: number | null
  readonly timeoutRank: number | null
}

/** One step of a run, whatever its generation. */
export const stepKey = (nodeId: NodeId, path: string): string => (path === '' ? nodeId : `${nodeId}@${path}`)

interface Traces {
  readonly failures: RecordedFailure[]
  rank: number | null
  items: Payload | null
  readonly turns: Map<number, Payload>
}

/** Reads all events of a run, which is there. */
export function recordingOf(
  events: readonly EngineEvent[],
  run: RunRecord,
  workflow: CompiledWorkflow,
): Recording {
  const traces = new Map<InvocationId, Traces>()
  let cancelRank: number | null = null
  let timeoutRank: number | null = null
  for (const [rank, { body, invocationId }] of events.entries()) {
    if (body.type === 'run.changed') {
      if (body.set.generation !== undefined) cancelRank = timeoutRank = null
      if (typeof body.set.cancelRequestedAt === 'number') cancelRank ??= rank
      if (body.set.error?.code === 'run_timed_out') timeoutRank ??= rank
    }
    if (body.type === 'invocation.changed' && invocationId !== null)
      trace(tracesOf(traces, invocationId), body, rank)
  }
  const invocations = [...replayRun(events).invocations.values()]
  const at = { run, kept: keptGenerations(workflow, run.generation, { invocations }) }
  const steps = new Map<string, RecordedStep>()
  for (const record of invocations) {
    const { nodeId, path, role, id } = record
    if (role !== 'forward' || forwardId(at, nodeId, path) !== id) continue
    const { failures, rank, items, turns } = tracesOf(traces, id)
    const isFinal = invocationMachine.final.has(record.status)
    steps.set(stepKey(nodeId, path), { record, failures, rank: isFinal ? rank : null, items, turns })
  }
  return { run, workflow, steps, cancelRank, timeoutRank: cancelRank === null ? timeoutRank : null }
}

function tracesOf(traces: Map<InvocationId, Traces>, id: InvocationId): Traces {
  const known = traces.get(id)
  if (known !== undefined) return known
  const made: Traces = { failures: [], rank: null, items: null, turns: new Map() }
  traces.set(id, made)
  return made
}

type Changed = Extract<EngineEvent['body'], { readonly type: 'invocation.changed' }>

function trace(of: Traces, { set, attempt }: Changed, rank: number): void {
  of.rank = rank
  if (set.wait?.kind === 'items') of.items = set.wait.items
  if (set.wait?.kind === 'turn') of.turns.set(set.wait.iteration, set.wait.value)
  if (attempt === null || attempt.error === null) return
  const { outcome, number, error, input } = attempt
  if (outcome === 'failed' || outcome === 'timed-out')
    of.failures.push({ kind: outcome, number, error, input, rank })
}
