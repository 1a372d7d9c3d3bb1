/** Killing the process that works on a run, to see what becomes of it, and the report of what became. */

import { z } from 'zod'
import type { Fence } from '../model/fence.ts'
import type { InvocationId, NodeId, RunId, RunnerId } from '../model/ids.ts'
import { runId } from '../model/ids.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { SideEffectClass } from '../model/workflow.ts'

/**
 * When the process dies: as its step begins (or wherever it is, where a process of its own works on the run
 * already), once the step has ended and before that is committed, or as soon as the step has done its effect.
 */
export const crashMoments = ['now', 'before-commit', 'after-effect'] as const

export type CrashMoment = (typeof crashMoments)[number]

export interface CrashRequest {
  readonly runId: RunId
  readonly moment: CrashMoment
  /** Who asks; whoever sits at the engine's machine when null. */
  readonly by: string | null
}

export interface CrashAnswer {
  readonly runId: RunId
  /** `own`: the process that worked on the run; `handed-over`: one that was started for it. */
  readonly worker: 'own' | 'handed-over'
  readonly runnerId: RunnerId
  readonly pid: number
  /** Whether it is dead; one with a long step dies once that has come so far. */
  readonly isDead: boolean
}

/** What became of the effect of a step that its worker died under. */
export type CrashedEffect =
  /** The step had not begun, or has none. */
  | 'none'
  /** It may have happened twice, and twice is as good as once. */
  | 'idempotent'
  /** It may have been asked for twice, with the same key: the other side can tell. */
  | 'keyed'
  /** It may have happened twice: the step is unsafe and begins again all the same. */
  | 'doubled'
  /** It may have happened once: a person decides whether it happens again. */
  | 'asked'

export interface CrashedStep {
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  /** The item or turn; empty outside of maps and loops. */
  readonly path: string
  readonly sideEffect: SideEffectClass
  readonly effect: CrashedEffect
  /** What the dead process held: whatever it still had sent would be refused. */
  readonly fenced: Fence
  readonly takenAt: Instant
  /** Null until somebody claims it. */
  readonly takenBy: RunnerId | null
  /** `waiting` to be claimed, `again` at work, `done`, at a `person`, or `given-up`. */
  readonly state: 'waiting' | 'again' | 'done' | 'person' | 'given-up'
  readonly endedAt: Instant | null
}

export interface CrashReport {
  readonly moment: CrashMoment
  readonly askedAt: Instant
  readonly by: string | null
  /** Who died; null while nobody has. */
  readonly runnerId: RunnerId | null
  readonly diedAt: Instant | null
  /** `armed` until it died; `missed` when it ended without having come to its moment; `recovered` when all is settled. */
  readonly state: 'armed' | 'missed' | 'lost' | 'recovered'
  /** Steps that were taken from it, in the order of their taking. */
  readonly steps: readonly CrashedStep[]
  /** Steps whose results stand as they were: not done again. */
  readonly keptCount: number
  /** From the death until its last step was claimed again, was decided, or came before a person; null until then. */
  readonly takeoverMs: Millis | null
  /** From the death until its last step has ended; null until then. */
  readonly recoveryMs: Millis | null
}

export interface CrashApi {
  /**
   * Kills the process that works on the run, or starts one for its next step that dies at the moment. Only on
   * this machine, and never the process that answers. Refused with `crash_not_possible`, `run_already_final`.
   */
  readonly 'runs.crash': { readonly input: CrashRequest; readonly output: CrashAnswer }
  /** What became of the newest crash that somebody asked for; null where nobody did. */
  readonly 'runs.crashReport': {
    readonly input: { readonly runId: RunId }
    readonly output: { readonly report: CrashReport | null }
  }
}

const name = z.string().min(1).max(4_096)

export const crashSchemas = {
  'runs.crash': z.object({
    runId: name.transform(runId),
    moment: z.enum(crashMoments),
    by: name.nullable(),
  }),
  'runs.crashReport': z.object({ runId: name.transform(runId) }),
}
