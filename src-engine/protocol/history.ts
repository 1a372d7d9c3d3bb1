/** What is read off the history of all runs: what each runner did, and what was logged. */

import { z } from 'zod'
import type { AttemptOutcome, LogLine } from '../model/attempt.ts'
import type { InvocationId, NodeId, RunId, RunnerId } from '../model/ids.ts'
import { runId, runnerId } from '../model/ids.ts'
import { pageSizeMax } from '../model/limits.ts'
import type { Instant } from '../model/time.ts'

/** What people call it; all are null where the run is gone. */
export interface HistoryTitles {
  readonly workflowTitle: string | null
  /** Null also for a step that goes by its kind, and for a whole run. */
  readonly nodeTitle: string | null
  /** The kind of the step; null also for a whole run. */
  readonly taskKind: string | null
}

/** One try of a step on its runner. */
export interface RunnerAttempt extends HistoryTitles {
  /** The place of the event that ended it; the step's id while it is under way. */
  readonly id: string
  readonly runnerId: RunnerId
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  readonly number: number
  readonly startedAt: Instant
  /** Null while it is under way. */
  readonly endedAt: Instant | null
  /** Null while it is under way. */
  readonly outcome: AttemptOutcome | null
  /** The sequence of the event that ended it: what the run looked like then; null while it is under way. */
  readonly seq: number | null
  /** What went wrong; null for nothing. */
  readonly problem: string | null
}

/** Which way the history is gone through: back from its end or a cursor, or on from where an answer came to. */
interface HistoryQuery {
  /** What an answer gave as `next`: goes on to what is older. Null for the newest. */
  readonly before: string | null
  /** What an answer gave as `cursor`: what has come since. Null to look back. */
  readonly after: string | null
  /** About how many; what one checkpoint tells is told together. */
  readonly limit: number
}

interface HistoryPage {
  /** Where to go on, to what is older; null where there is nothing older, and for what has come since. */
  readonly next: string | null
  /** All since then was looked at; null where there is nothing older, and for what has come since. */
  readonly since: Instant | null
  /** For `after`: everything that comes from now on. */
  readonly cursor: string
  /** Of what has come since: whether there is more already. */
  readonly more: boolean
  /** By the engine's clock. */
  readonly now: Instant
}

export interface RunnerAttemptsQuery extends HistoryQuery {
  /** Only those of this runner; null for all. */
  readonly runnerId: RunnerId | null
  /** Nothing that ended before; null for as far back as there is. */
  readonly since: Instant | null
  /** Whether those of the engine's own runs are told, too; not when absent. */
  readonly includeCore?: boolean | undefined
}

export interface RunnerAttemptsPage extends HistoryPage {
  /** Those that ended, newest end first. */
  readonly attempts: readonly RunnerAttempt[]
  /** Those that are under way now, longest first; at most a page of them. */
  readonly atWork: readonly RunnerAttempt[]
}

export type LogLevel = LogLine['level']
/** From the least to the most urgent. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]

/** What is looked through: what steps printed, what happened, or both. */
export const logSources = ['all', 'lines', 'events'] as const
export type LogSource = (typeof logSources)[number]

export interface LogQuery extends HistoryQuery {
  /** A part of what is said, or of an id that it is about; upper and lower case are the same. Null for anything. */
  readonly text: string | null
  /** The least urgent that is told. */
  readonly level: LogLevel
  readonly source: LogSource
  readonly runId: RunId | null
  /** A step by its title, its id, its place in the run (`pay@each:3`), or the id of its invocation; null for all. */
  readonly step: string | null
  readonly runnerId: RunnerId | null
  readonly since: Instant | null
  readonly until: Instant | null
  /** Whether the engine's own runs are looked through, too; not when absent. */
  readonly includeCore?: boolean | undefined
}

/** Something that was printed, or that happened. */
export interface LogEntry extends HistoryTitles {
  /** The place of the event that tells of it, and which of its lines it is. */
  readonly id: string
  readonly at: Instant
  readonly level: LogLevel
  /** `event` for what happened; `stdout`, `stderr`, `console` or `task` for what was printed. */
  readonly stream: string
  readonly text: string
  /** Null for what is about no run. */
  readonly runId: RunId | null
  /** Null for what is about a whole run. */
  readonly invocationId: InvocationId | null
  readonly nodeId: NodeId | null
  /** Where no runner had a part in it, null. */
  readonly runnerId: RunnerId | null
  /** The sequence of the event that tells of it; null while the step that printed it is under way. */
  readonly seq: number | null
}

export interface LogPage extends HistoryPage {
  /** Newest first. A long stretch in which nothing fits ends a page early: it may be empty, and have a next one. */
  readonly entries: readonly LogEntry[]
  /** What steps that are under way in the answering process have printed, newest first; with a next answer anew. */
  readonly printing: readonly LogEntry[]
}

export interface HistoryApi {
  /** What each runner did, try by try. */
  readonly 'runners.attempts': { readonly input: RunnerAttemptsQuery; readonly output: RunnerAttemptsPage }
  /** What was printed and what happened, over all runs that are kept. */
  readonly 'logs.search': { readonly input: LogQuery; readonly output: LogPage }
}

/** One place per partition. */
const cursorMax = 65_536
const text = z.string().min(1).max(4_096)
const cursor = z
  .string()
  .max(cursorMax)
  .regex(/^\d+\.\d+\.\d+(?:,\d+\.\d+\.\d+)*$/)
  .nullable()
const gone = { before: cursor, after: cursor, limit: z.int().min(1).max(pageSizeMax) }
const runner = text.transform(runnerId).nullable()
const instant = z.number().nullable()

/** Forms of the inputs. */
export const historySchemas = {
  'runners.attempts': z.object({
    ...gone,
    runnerId: runner,
    since: instant,
    includeCore: z.boolean().optional(),
  }),
  'logs.search': z.object({
    ...gone,
    text: text.nullable(),
    level: z.enum(logLevels),
    source: z.enum(logSources),
    runId: text.transform(runId).nullable(),
    step: text.nullable(),
    runnerId: runner,
    since: instant,
    until: instant,
    includeCore: z.boolean().optional(),
  }),
} as const
