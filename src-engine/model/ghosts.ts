/**
 * What the last runs of a workflow did, node by node: how often each was come to, how long it took, where it failed,
 * and which ways were gone. Pure.
 */

import type { RunId } from './ids.ts'
import type { InvocationRecord } from './invocation.ts'
import { invocationMachine } from './invocation-status.ts'
import type { RunRecord } from './run.ts'
import type { RunStatus } from './run-status.ts'
import { runTookMs } from './run-time.ts'
import type { Instant, Millis } from './time.ts'

/** A node over the runs that were looked at; it counts once per run, however many items or turns it had there. */
export interface GhostNode {
  readonly nodeId: string
  /** Runs that came to it. */
  readonly runs: number
  /** Runs in which it failed for good: behind an error port, too. */
  readonly failed: number
  /** Runs in which a try of it failed, and a later one didn't. */
  readonly retried: number
  /** Of single executions, from the first claim to the end, waiting included; null where none ended. */
  readonly medianMs: Millis | null
  readonly p95Ms: Millis | null
  /** The newest run in which it failed, and with which code; null where it never did. */
  readonly lastFailure: { readonly runId: RunId; readonly code: string } | null
}

/** A way out of a node. */
export interface GhostWay {
  readonly nodeId: string
  readonly port: string
  /** Runs in which it was gone. */
  readonly runs: number
}

export interface Ghosts {
  /** How many runs were looked at, and when the oldest and the newest of them were created; null without any. */
  readonly runs: number
  readonly from: Instant | null
  readonly to: Instant | null
  readonly statuses: Readonly<Partial<Record<RunStatus, number>>>
  readonly medianMs: Millis | null
  readonly nodes: readonly GhostNode[]
  readonly ways: readonly GhostWay[]
}

/** What counts of one run. */
export interface GhostRun {
  readonly run: Pick<RunRecord, 'id' | 'status' | 'createdAt' | 'startedAt' | 'finishedAt' | 'idleMs'>
  readonly invocations: readonly GhostStep[]
}

type GhostStep = Pick<
  InvocationRecord,
  'nodeId' | 'role' | 'status' | 'failureCount' | 'startedAt' | 'finishedAt' | 'ports' | 'error'
>

interface Sum {
  runs: number
  failed: number
  retried: number
  readonly spans: number[]
  lastFailure: GhostNode['lastFailure']
}

/** Of runs of one workflow, the newest first. */
export function ghostsOf(runs: readonly GhostRun[]): Ghosts {
  const sums = new Map<string, Sum>()
  const ways = new Map<string, { readonly nodeId: string; readonly port: string; runs: number }>()
  const statuses: Partial<Record<RunStatus, number>> = {}
  for (const { run, invocations } of runs) {
    statuses[run.status] = (statuses[run.status] ?? 0) + 1
    addSteps(sums, run.id, invocations)
    for (const { nodeId, port } of waysGone(invocations)) {
      const key = JSON.stringify([nodeId, port])
      const way = ways.get(key) ?? { nodeId, port, runs: 0 }
      way.runs += 1
      ways.set(key, way)
    }
  }
  const created = runs.map(({ run }) => run.createdAt)
  return {
    runs: runs.length,
    from: runs.length === 0 ? null : Math.min(...created),
    to: runs.length === 0 ? null : Math.max(...created),
    statuses,
    medianMs: quantile(
      runs.flatMap(({ run }) => runTookMs(run) ?? []),
      0.5,
    ),
    nodes: [...sums].map(([nodeId, { spans, ...sum }]) => ({
      nodeId,
      ...sum,
      medianMs: quantile(spans, 0.5),
      p95Ms: quantile(spans, 0.95),
    })),
    ways: [...ways.values()],
  }
}

function addSteps(sums: Map<string, Sum>, runId: RunId, steps: readonly GhostStep[]): void {
  const seen = new Map<string, { failed: string | null; retried: boolean }>()
  for (const step of steps) {
    if (step.role !== 'forward') continue
    const own = seen.get(step.nodeId) ?? { failed: null, retried: false }
    const isFailed = step.status === 'FAILED' || step.status === 'TIMEOUT'
    if (isFailed) own.failed ??= step.error?.code ?? step.status
    else if (step.failureCount > 0 && step.status === 'SUCCESS') own.retried = true
    seen.set(step.nodeId, own)
    const sum = sums.get(step.nodeId) ?? { runs: 0, failed: 0, retried: 0, spans: [], lastFailure: null }
    if (invocationMachine.final.has(step.status)) sum.spans.push(...spanOf(step))
    sums.set(step.nodeId, sum)
  }
  for (const [nodeId, { failed, retried }] of seen) {
    const sum = sums.get(nodeId)
    if (sum === undefined) continue
    sum.runs += 1
    if (failed !== null) {
      sum.failed += 1
      sum.lastFailure ??= { runId, code: failed }
    } else if (retried) sum.retried += 1
  }
}

/** The ways that a run went, each once; null ports of a success mean all but the one for errors. */
function waysGone(
  steps: readonly GhostStep[],
): readonly { readonly nodeId: string; readonly port: string }[] {
  const gone = new Map<string, { readonly nodeId: string; readonly port: string }>()
  for (const { nodeId, role, status, ports } of steps) {
    if (role !== 'forward') continue
    for (const port of ports ?? (status === 'SUCCESS' ? [allPorts] : []))
      gone.set(JSON.stringify([nodeId, port]), { nodeId, port })
  }
  return [...gone.values()]
}

/** Stands for every way out but that of errors. */
const allPorts = '*'

/** Runs that went by one way out of a node; `ways` are that node's. */
export function timesGone(ways: readonly GhostWay[], port: string): number {
  return ways.reduce((sum, way) => {
    const fits = way.port === port || (way.port === allPorts && port !== 'error')
    return fits ? sum + way.runs : sum
  }, 0)
}

const spanOf = (of: {
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
}): readonly Millis[] =>
  of.startedAt === null || of.finishedAt === null ? [] : [Math.max(0, of.finishedAt - of.startedAt)]

/** The nearest rank; null of nothing. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null
}
