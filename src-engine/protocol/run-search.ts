/** What runs are looked for by, beside their workflow and their states. */

import type { RunId, WorkflowId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import { runMachine, runStatuses } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'

/** Who or what had a run begin: a person or a program, a trigger, a step of another run, a repetition. */
export const runBeginnings = ['manual', 'trigger', 'step', 'rerun', 'retry', 'fork'] as const
export type RunBeginning = (typeof runBeginnings)[number]

/** Times told from now, so that what is named by them stays true tomorrow; `older`: created more than ten minutes ago. */
export const runTimes = ['hour', 'today', 'week', 'older'] as const
export type RunTime = (typeof runTimes)[number]

/** Each is nothing to look for where it is null or absent. */
export interface RunSearch {
  /** Created at that instant or later. */
  readonly since?: Instant | null | undefined
  /** Created before that instant. */
  readonly until?: Instant | null | undefined
  readonly origin?: RunBeginning | null | undefined
  /** Whom the run is for. */
  readonly tenant?: string | null | undefined
  /** The code of what failed first. */
  readonly error?: string | null | undefined
  /** The id of a step that failed in it, in any of its turns. */
  readonly failedAt?: string | null | undefined
  /** The code that is recorded as why a step of it, or the run itself, doesn't go on. */
  readonly waitsFor?: string | null | undefined
  /**
   * The beginning of a run's or version's id; a part of the workflow's title, of a tag, or of what the trigger said of
   * the beginning. Upper and lower case are the same.
   */
  readonly text?: string | null | undefined
}

/** A page of runs, newest first. */
export interface RunListQuery extends RunSearch {
  readonly statuses: readonly RunStatus[] | null
  readonly workflowId: WorkflowId | null
  /** Whether the engine's own runs are listed too; not when absent. */
  readonly includeCore?: boolean | undefined
  readonly after: RunId | null
  readonly limit: number
}

/** How many runs there are by status; statuses that no run has are left out. The number is kept, not counted. */
export interface RunCountsMethod {
  readonly input: { readonly workflowId: WorkflowId | null }
  readonly output: { readonly counts: Readonly<Partial<Record<RunStatus, number>>> }
}

/** Who or what had it begin. Pure. */
export function beginningOf({ origin, parentRunId, cause }: RunRecord): RunBeginning {
  if (origin !== null) return origin.kind
  if (parentRunId !== null) return 'step'
  return cause.kind.startsWith('trigger') ? 'trigger' : 'manual'
}

/** Whether the search finds the run, as far as its own record tells. Pure. */
export function isFoundBy(run: RunRecord, search: RunSearch): boolean {
  const { since, until, origin, tenant, error, text } = search
  if (isAsked(since) && run.createdAt < since) return false
  if (isAsked(until) && run.createdAt >= until) return false
  if (isAsked(origin) && beginningOf(run) !== origin) return false
  if (isAsked(tenant) && run.tenant !== tenant) return false
  if (isAsked(error) && run.error?.code !== error) return false
  // What has come to its end waits for nothing: its steps need not be read.
  if (isAsked(search.waitsFor) && run.finishedAt !== null) return false
  return !isAsked(text) || saysOf(run, text.trim().toLowerCase())
}

/**
 * The only statuses that a run can have which fits; null for any. Stores find runs by status, so what can't fit for its
 * status is never read: a run that has succeeded failed with nothing, and one that has ended waits for nothing. Pure.
 */
export function fittingStatuses(
  search: RunSearch & Pick<RunListQuery, 'statuses'>,
): readonly RunStatus[] | null {
  const { statuses, error, waitsFor } = search
  if (!isAsked(error) && !isAsked(waitsFor)) return statuses
  return (statuses ?? runStatuses).filter(
    (status) =>
      (!isAsked(error) || status !== 'SUCCEEDED') && (!isAsked(waitsFor) || !runMachine.final.has(status)),
  )
}

/** Whether its steps have to be read to tell. Pure. */
export const asksForSteps = ({ failedAt, waitsFor }: RunSearch): boolean =>
  isAsked(failedAt) || isAsked(waitsFor)

/** Whether what is asked of the run's steps holds. Pure. */
export function isFoundBySteps(
  run: RunRecord,
  steps: readonly InvocationRecord[],
  { failedAt, waitsFor }: RunSearch,
): boolean {
  if (isAsked(failedAt) && !steps.some((step) => step.nodeId === failedAt && hasFailed(step))) return false
  if (!isAsked(waitsFor)) return true
  const waiting = [run, ...steps].filter(({ finishedAt }) => finishedAt === null)
  return waiting.some(({ waitReason }) => waitReason?.code === waitsFor)
}

const hasFailed = ({ role, status }: InvocationRecord): boolean =>
  role === 'forward' && failures.includes(status)

const failures: readonly InvocationStatus[] = ['FAILED', 'TIMEOUT', 'DENIED', 'CONCURRENCY_CONTROLLED_FINAL']

const isAsked = <Value>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined

function saysOf(run: RunRecord, text: string): boolean {
  const ids = [run.id, run.definitionHash].map((id) => id.toLowerCase())
  const { kind, by, detail } = run.cause
  const words = [run.workflowTitle, run.workflowId, ...run.tags, kind, by ?? '', detail ?? '']
  return ids.some((id) => id.startsWith(text)) || words.some((word) => word.toLowerCase().includes(text))
}
