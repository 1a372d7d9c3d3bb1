/** What a task kind does when it runs. One `run.ts` beside each `spec.ts`. */

import type { ApprovalOccasion, ApprovalShown, ApprovalTerms } from '../model/approval.ts'
import type { LogLine } from '../model/attempt.ts'
import type { CircuitRules } from '../model/circuit.ts'
import type { InvocationId, NodeId, RunId } from '../model/ids.ts'
import type { LeftTurn } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Clock, Random } from '../model/ports.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { SideEffectClass } from '../model/workflow.ts'

/** A program that can stand still and go on: what a pause reaches while it runs. */
export interface Pausable {
  /** False when it could not be stopped. */
  readonly pause: () => boolean
  readonly resume: () => void
}

/** Keeps the secrets of an attempt where they may be. */
export interface SecretGuard {
  /**
   * Throws `secret_host_denied` when one of them may not be sent to the host of that address; with `texts` only of
   * those that they hold.
   */
  readonly checkHost: (url: URL, texts?: readonly string[]) => void
  /** One more, which the task got by itself: from here on it is taken out of what the task says, too. */
  readonly add: (secret: { readonly name: string; readonly value: string }) => void
  /** Whether a text holds one of them, in any form in which programs write them. */
  readonly isIn: (text: string) => boolean
  /**
   * The text without them. Whatever a task says is redacted anyway: this is for what it cuts, for half of a
   * secret is not found any more.
   */
  readonly redact: (text: string) => string
}

/** The text as it may be cut and told. */
export const tellable = ({ secrets }: Pick<TaskContext, 'secrets'>, text: string): string =>
  secrets === null ? text : secrets.redact(text)

/** What an execution gets to know and to use. */
export interface TaskContext {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  /** 1 for the first try. */
  readonly attempt: number
  /** The same in every attempt and after every recovery; to be handed to the outside. */
  readonly idempotencyKey: string
  /** What the step says of its effects: who can do it in two ways knows which of them is safe. */
  readonly sideEffect: SideEffectClass
  /** Variables of a program that undoes a step, its labels among them; null for a step itself. */
  readonly env: Readonly<Record<string, string>> | null
  /** What arrived on the node's way in. */
  readonly input: JsonValue
  /** What expressions see as `run`: id, input, now (frozen), generation, attempt. For code in a sandbox. */
  readonly run: JsonObject
  /** The workflow's variables, what expressions see as `vars`. */
  readonly vars: JsonObject
  /** Aborted on cancel, timeout or lost lease: stop, and leave nothing running behind. */
  readonly signal: AbortSignal
  /** How long a program may take to end by itself once the signal is aborted. */
  readonly killGraceMs: Millis
  /** Says what can stand still from now on; null when nothing can any more. */
  readonly setPausable: (program: Pausable | null) => void
  /** For a loop: how many turns it has taken, and what the last one gave (before the first: its input). */
  readonly turn: { readonly iteration: number; readonly value: JsonValue }
  /** For a map whose items are done: what each of them gave; for a wait, what its signals carried. Null before. */
  readonly results: readonly JsonValue[] | null
  /** Says that the work goes on, for a node that limits how long it may say nothing; a log line does too. */
  readonly beat: () => void
  /** A line of the attempt's log; shown live, kept with the attempt up to a limit. */
  readonly log: (line: Omit<LogLine, 'at'>) => void
  /** Where relative paths start; null when the workflow has no place on disk. */
  readonly baseDirectory: string | null
  /** Hosts beyond the public network that the document's owner named. */
  readonly approvedHosts: readonly string[]
  /** The only hosts that the policy lets it reach over HTTP, `*` standing for any characters; none named: all. */
  readonly allowedHosts?: readonly string[] | null
  /** The only folders whose files it may use, as the document names them; null when it names none: all. */
  readonly approvedFolders?: readonly string[] | null
  /** Base URL of the loopback echo service that answers for `http://echo.sagasmith.internal`. */
  readonly echoService: () => Promise<string>
  /** The address that is this step's alone; null where nobody listens. Absent where nobody could. */
  readonly callbackUrl?: () => Promise<string | null>
  /** What the secrets in the parameters allow; null when there are none. */
  readonly secrets: SecretGuard | null
  readonly clock: Clock
  /** Seeded by run, step and attempt. */
  readonly random: Random
}

/** The runs that a step asks for something. */
export type SteeredRuns =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'filter'
      /** Null for every workflow. */
      readonly workflowId: string | null
      readonly state: 'under-way' | 'queued' | 'running' | 'waiting' | 'paused'
      /** The fields that their input has, with their values; null for any input. */
      readonly match: JsonObject | null
      /** Null for any age. */
      readonly startedBefore: Instant | null
    }

export type TaskOutcome =
  | {
      readonly kind: 'completed'
      readonly output: JsonValue
      /** The output ports that are taken; null for all of them. */
      readonly ports: readonly string[] | null
    }
  /** Done for now: the invocation waits without holding a slot, then succeeds with `output`. */
  | { readonly kind: 'parked'; readonly until: Instant; readonly reason: string; readonly output: JsonValue }
  /** A map: its body works on each of the items, `limit` at a time; `tolerated` of them may fail. */
  | {
      readonly kind: 'items'
      readonly items: readonly JsonValue[]
      readonly limit: number
      readonly tolerated: number
      /** What people know each item by; absent where that is its number. */
      readonly keys?: readonly string[]
      /** Whether it hands on an object by these keys; absent for a list. */
      readonly isObject?: boolean
    }
  /** A loop: its body takes one more turn with this value. */
  | {
      readonly kind: 'turn'
      readonly iteration: number
      readonly value: JsonValue
      /** So long nothing happens first; absent for a turn that begins at once. */
      readonly delayMs?: Millis
    }
  /** Asks a circuit breaker: its body runs, or it leaves by the way of an open one. */
  | {
      readonly kind: 'guards'
      readonly key: JsonValue
      /** Whether the breaker is that of all steps of the workspace with this key. */
      readonly isShared: boolean
      readonly rules: CircuitRules
      readonly value: JsonValue
    }
  /** Waits for a signal to the run; `output` goes on by the timeout port. */
  | {
      readonly kind: 'awaits'
      readonly name: string
      readonly correlation: string | null
      readonly until: Instant | null
      readonly onTimeout: 'port' | 'fail'
      readonly output: JsonValue
      /** So many web calls of the step’s own address instead of a signal; absent for a signal. */
      readonly calls?: number
      /** So many signals instead of one, handed on as a list; absent for one. */
      readonly count?: number
    }
  /** A person is asked about what is shown, and the step goes on with what they decide. */
  | { readonly kind: 'asks'; readonly shown: ApprovalShown; readonly terms: ApprovalTerms }
  /** Starts a run of another workflow, and waits for it or not; an empty version is the current one. */
  | {
      readonly kind: 'calls'
      readonly workflow: string
      readonly version: string
      readonly input: JsonValue
      readonly waits: boolean
    }
  /** Succeeds with `output`, and tells whoever waits for it; with `runId` only that run. */
  | {
      readonly kind: 'emits'
      readonly name: string
      readonly payload: JsonValue
      readonly correlation: string | null
      readonly runId: string | null
      readonly messageId: string
      readonly output: JsonValue
    }
  /** The whole run ends; `message` says why it failed, and may be empty. */
  | {
      readonly kind: 'stops'
      readonly status: 'succeeded' | 'failed' | 'cancelled'
      readonly output: JsonValue
      readonly message: string
      /** What it fails with instead of `run_stopped`; absent for that. */
      readonly code?: string
    }
  /** Asks other runs to end, or sends them a signal, and succeeds with what was requested of whom. */
  | {
      readonly kind: 'steers'
      readonly ask:
        | { readonly kind: 'cancel'; readonly reason: string }
        | {
            readonly kind: 'signal'
            readonly name: string
            readonly payload: JsonValue
            readonly correlation: string | null
          }
      readonly which: SteeredRuns
      readonly atMost: number
      /** Whether it asks only so many where more are meant; else it fails. */
      readonly takesSome: boolean
      /** Whether its own run, and those that wait for it, may be among them. */
      readonly includesItself: boolean
    }
  /** The turn of the loop around it ends here: the loop is over, or goes on with its next turn, with that output. */
  | { readonly kind: 'leaves'; readonly how: LeftTurn['how']; readonly output: JsonValue }

/** What a kind found out about an attempt that nobody saw end. */
export type ProbeAnswer =
  /** It had its effect; the step goes on with what it would have given. */
  | { readonly happened: true; readonly output: JsonValue; readonly ports: readonly string[] | null }
  /** It had none: the step begins. */
  | { readonly happened: false }

/** What people are told elsewhere of a question that waits for them. */
export interface ToldApproval {
  readonly occasion: ApprovalOccasion
  readonly shown: Pick<ApprovalShown, 'title' | 'message'>
  readonly runId: RunId
  readonly nodeId: NodeId
  readonly workflowTitle: string
  /** Names of those who may decide; empty for everybody. */
  readonly approvers: readonly string[]
  readonly expiresAt: Instant | null
  readonly onExpiry: ApprovalTerms['onExpiry']
  /** Shows the question, and answers nothing. */
  readonly link: string
}

/** What telling people gets to know and to use. */
export type TellingContext = Pick<
  TaskContext,
  'idempotencyKey' | 'signal' | 'approvedHosts' | 'allowedHosts' | 'secrets' | 'clock'
>

/** How a kind that asks tells people elsewhere. */
export interface TaskTelling<Parameters = never> {
  /** Who is told, as people read it. */
  readonly whom: (parameters: Parameters, occasion: ApprovalOccasion) => string
  /** Gives those who could not be told, while others were. Throws when nobody was. */
  readonly tell: (
    parameters: Parameters,
    told: ToldApproval,
    context: TellingContext,
  ) => Promise<readonly string[]>
}

/**
 * Executes a kind. Throws a SagasmithError when it fails; anything else thrown is our bug and is reported
 * as `internal`. Parameters are resolved and validated by the spec's schema.
 */
export interface TaskRun<Parameters = never> {
  readonly execute: (parameters: Parameters, context: TaskContext) => TaskOutcome | Promise<TaskOutcome>
  /**
   * Finds out whether an earlier attempt of this step had its effect, and has none itself. Throws when it can't tell:
   * then a person is asked. For kinds whose spec has `probes`.
   */
  readonly probe?: (parameters: Parameters, context: TaskContext) => Promise<ProbeAnswer>
  /** For a kind whose questions people may be told of elsewhere. */
  readonly telling?: TaskTelling<Parameters>
}

/** Of a kind that can find out whether a step had its effect. */
export type ProbingRun<Parameters> = Required<Pick<TaskRun<Parameters>, 'execute' | 'probe'>>

/** A completed outcome on every port, or on the named ones. */
export function completed(output: JsonValue, ports: readonly string[] | null = null): TaskOutcome {
  return { kind: 'completed', output, ports }
}
