/**
 * The workflow document: what people draw and save. Nodes, edges, triggers, notes and frames are keyed by
 * id, so that a change in one place is a change of one line; layout has a block of its own.
 *
 * Every optional field has a default, and absent means exactly the default (also for the hash).
 */

import type { EdgeId, NodeId, WorkflowId } from './ids.ts'
import type { Priority } from './invocation.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Millis } from './time.ts'

export const documentFormat = 'sagasmith.workflow'
export const documentSchemaVersion = 1

/** What a repeated execution of a step may do to the outside world. */
/**
 * What happens when a runner died under a step and nobody knows whether its effect happened: a person is asked, it runs
 * again, it has failed, or its kind finds out first (`verify`).
 */
export type OnLost = 'ask' | 'retry' | 'fail' | 'verify'

export type SideEffectClass =
  /** None: run it as often as you like. */
  | 'pure'
  /** The same state however often it runs. */
  | 'idempotent'
  /** Safe when the receiver honours the idempotency key. */
  | 'keyed'
  /** A second execution is a second effect. */
  | 'unsafe'

export interface RetryPolicy {
  /** Tries in all, the first included. Default 1, at most 100. */
  readonly maxAttempts?: number
  /** Default `exponential`. */
  readonly backoff?: 'fixed' | 'exponential'
  /** Before the second try. Default 1000. */
  readonly delayMs?: Millis
  /** Default 2. */
  readonly factor?: number
  /** Default 60000. */
  readonly maxDelayMs?: Millis
  /** Share of the delay that is random, 0 to 1. Default 0.2. */
  readonly jitter?: number
  /** Only these error codes are tried again. Default: whatever the error itself says. */
  readonly retryOn?: readonly string[]
  readonly neverOn?: readonly string[]
  /**
   * JSONata that sees what the step's parameters see, and why the attempt failed as `error`; where it isn't true, nothing
   * is tried again. It takes the place of what the error itself says; `neverOn` counts before it. Default: nobody asks.
   */
  readonly retryIf?: string
}

export interface TimeoutPolicy {
  /** Per attempt. Default 3600000. */
  readonly attemptMs?: Millis
  /** Over all attempts and pauses. Default none. */
  readonly totalMs?: Millis
  /** An attempt that says nothing for longer than this is ended. Default none. */
  readonly heartbeatMs?: Millis
}

/** How a node with several ways in waits for them. */
export interface JoinPolicy {
  /** `all` (default) waits until each way in is decided, `any` for the first, `count` for `count` of them. */
  readonly mode?: 'all' | 'any' | 'count'
  readonly count?: number
  /** Whether branches that are still under way are cancelled once the join is satisfied. Default false. */
  readonly cancelLosers?: boolean
}

/** What undoes a node: another node of this document, or an inline task; or why nothing can. */
export interface Compensation {
  /** A node that nothing leads to or from: it runs only to undo. */
  readonly node?: NodeId
  readonly task?: {
    readonly kind: string
    readonly parameters: JsonObject
    /** As that of a node. */
    readonly taskVersion?: string
  }
  /** Why this node can't be undone; then it has neither of the two. */
  readonly impossible?: string
  /**
   * What arrives at the compensation; texts may hold expressions in `{{ }}`, which see `original`. Default:
   * `{input, output, error}` of the step that is undone.
   */
  readonly input?: JsonValue
  /** Default: that of the node that undoes, else three tries. */
  readonly retry?: RetryPolicy
  readonly timeout?: TimeoutPolicy
  /** A key of its own instead of the one that is made from run, step and kind; may hold expressions. */
  readonly idempotencyKey?: string
  /** Beside `saga_compensation`, `is_compensation` and `saga_workflow_id`, which always count. */
  readonly labels?: Readonly<Record<string, string>>
  /** Variables of a program that undoes; they and the labels count before those of its parameters. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: that of the node that undoes; for an inline task, that of the step. */
  readonly pool?: string
  /** What it names counts instead of what the node that undoes says, or the step for an inline task. */
  readonly route?: RoutePolicy
}

/** What two steps have in common so that they count against each other. */
export type ConcurrencyMode =
  | 'DISABLED'
  /** The node of the workflow. */
  | 'TASK'
  /** The node and all of its resolved parameters. */
  | 'ARGUMENTS'
  /** The node and the parameters named in `keys`. */
  | 'KEYS'

export interface ConcurrencyPolicy {
  /** Whether the same demand twice is one. Default `DISABLED`. */
  readonly registration?: ConcurrencyMode
  /** How many may run at a time. Default `DISABLED`. */
  readonly running?: ConcurrencyMode
  /** Names of parameters. */
  readonly keys?: readonly string[]
  /** Default 1. */
  readonly limit?: number
  /** What becomes of one that finds no room: waits its turn, or ends. Default `final`. */
  readonly onFull?: 'reroute' | 'final'
  /** Before it tries again, with `reroute`. Default 0: as soon as there is room. */
  readonly delayMs?: Millis
  /** Whether ending without room fails the run or skips the node. Default `fail`. */
  readonly onFinal?: 'fail' | 'skip'
  /** A repeated demand with the same keys but other parameters. Default `reuse`. */
  readonly onDifferentNonKeyArguments?: 'reuse' | 'raise'
}

/** At most `count` starts within any `perMs`. */
export interface RateLimit {
  readonly count: number
  readonly perMs: Millis
}

/** Where a node may run. */
export interface RoutePolicy {
  /** A label that pools are mapped to; its kind's name when absent. */
  readonly topic?: string
  /** Must equal the runner's: `placement.zone`: `eu`. */
  readonly labels?: Readonly<Record<string, string>>
  /** Abilities the runner must have beside the task kind. */
  readonly requires?: readonly string[]
  readonly preferredPool?: string
  readonly preferredRunner?: string
}

/** Whether what a step gave in an earlier run stands for running it again. */
export interface CachePolicy {
  /** How old a result may be. */
  readonly ttlMs: Millis
  /**
   * JSONata that sees what the step's parameters see: results with the same value stand for each other. Default: what
   * arrives and the resolved parameters, all of them.
   */
  readonly key?: string
}

/** How a step may end its run. */
export type StopStatus = 'succeeded' | 'failed' | 'cancelled'

/** How much of what a step gives stays once its run is over. */
export type KeepOutput = 'full' | 'summary' | 'none'

/** A stand-in for a node's execution, used by test runs. */
export interface NodeMock {
  readonly output?: JsonValue
  readonly port?: string
  readonly error?: { readonly code: string; readonly message: string }
  readonly delayMs?: Millis
}

export interface WorkflowNode {
  readonly kind: string
  readonly title?: string
  readonly note?: string
  readonly color?: string
  /** By the kind's schema; any string may hold expressions in `{{ }}`. */
  readonly parameters?: JsonObject
  /** The version of a task with code that the parameters were set up for. Default: nobody noted it. */
  readonly taskVersion?: string
  readonly retry?: RetryPolicy
  readonly timeout?: TimeoutPolicy
  readonly join?: JoinPolicy
  /** When the last attempt failed and no error port is connected. Default `fail`. */
  readonly onError?: 'fail' | 'continue'
  /** What `continue` hands on. Default null. */
  readonly fallbackOutput?: JsonValue
  /** What the task must give: a JSON Schema with the keywords of input forms. What breaks it fails the step. */
  readonly outputSchema?: JsonObject
  readonly compensation?: Compensation
  readonly sideEffect?: SideEffectClass
  readonly concurrency?: ConcurrencyPolicy
  readonly rateLimit?: RateLimit
  readonly priority?: Priority
  readonly pool?: string
  readonly route?: RoutePolicy
  /**
   * When its runner died and nobody knows whether its effect happened. Default by the side-effect class: `ask` for
   * `unsafe`, else `retry`.
   */
  readonly onLost?: OnLost
  /** The map or loop node whose body this node belongs to. */
  readonly parent?: NodeId
  readonly tags?: readonly string[]
  readonly mocks?: Readonly<Record<string, NodeMock>>
  /** JSONata; where it is true, the step doesn't run. It sees what the step's parameters see. Default: none. */
  readonly skipIf?: string
  /**
   * What follows a step that `skipIf` keeps from running: nothing that only it leads to (`skip`, default), or what it
   * leads to, with what arrived at it (`pass`).
   */
  readonly onSkip?: 'skip' | 'pass'
  /** Default: it always runs. Only for steps whose side effect is `pure` or `idempotent`. */
  readonly cache?: CachePolicy
  /**
   * JSONata that sees what the step's parameters see, and what it gave as `output`; where it is true, the run ends after
   * this step. Default: none.
   */
  readonly stopAfterIf?: string
  /** How the run ends then. Default `succeeded`, with what the step gave. */
  readonly stopAs?: StopStatus
  /**
   * Places of what it gives that are replaced by a mark before anything is written: `customer.email`, `items.*.token`.
   * Steps that read them get the mark.
   */
  readonly redact?: readonly string[]
  /**
   * How much of what it gives stays once the run is over: all of it (`full`, default), its shape (`summary`), or
   * nothing (`none`). Until then everybody reads it.
   */
  readonly keepOutput?: KeepOutput
  /** Disabled nodes are skipped, and so is what only they lead to. Default false. */
  readonly disabled?: boolean
  /** Bypassed nodes hand their input on. Default false. */
  readonly bypassed?: boolean
}

export interface WorkflowEdge {
  readonly from: { readonly node: NodeId; readonly port: string }
  readonly to: { readonly node: NodeId; readonly port: string }
  readonly label?: string
}

export interface WorkflowTrigger {
  readonly kind: string
  readonly title?: string
  readonly parameters?: JsonObject
  /** Default true. */
  readonly enabled?: boolean
}

/** A group of nodes that is undone together. */
export interface SagaScope {
  readonly title?: string
  readonly nodes: readonly NodeId[]
  /** Default `reverse`. */
  readonly order?: 'reverse' | 'parallel'
  /**
   * What happens when something that undoes one of them has failed for good: a person is asked (`ask`, default), it is
   * tried anew from time to time (`retry`), or nothing more of the run is undone (`stop`).
   */
  readonly onFailure?: UndoFailure
}

/** What becomes of a rollback in which a compensation has failed for good. */
export type UndoFailure = 'ask' | 'retry' | 'stop'

/** What the workflow needs from the machine it runs on; a person approves it. */
export interface Capabilities {
  readonly hosts?: readonly string[]
  readonly paths?: readonly string[]
  readonly commands?: readonly string[]
  readonly secrets?: readonly string[]
  readonly databases?: readonly string[]
}

export interface WorkflowSettings {
  /** From a run's start to its end, pauses included: it promises that the run is over by then. */
  readonly timeoutMs?: Millis
  readonly priority?: Priority
  /** On an unhandled failure: `stop` what is under way (default), or `finish` the other branches first. */
  readonly onFailure?: 'stop' | 'finish'
  /** The run's output as an expression; without it the outputs of the last nodes. */
  readonly output?: string
  /** How many runs at a time, and what becomes of one too many. */
  readonly concurrency?: {
    /** Default: no limit. */
    readonly limit?: number
    /** An expression on the input; runs with different values don't count against each other. */
    readonly key?: string
    /** Default `queue`. */
    readonly onFull?: 'queue' | 'skip' | 'replace' | 'fail'
  }
  readonly rateLimit?: RateLimit
  /** The ends that undo what was done. Default: all of them; an empty list for none. */
  readonly rollbackOn?: readonly RollbackCause[]
}

/** How a run can end so that what it did is undone. */
export type RollbackCause = 'failed' | 'timed-out' | 'cancelled' | 'denied' | 'quarantined'

export interface Point {
  readonly x: number
  readonly y: number
}

/** Where something stands on the canvas. */
export interface Place extends Point {
  /** Whether a person put it there: the layout of the whole workflow leaves it. Default false. */
  readonly byHand?: boolean
}

/** A frame on the canvas: around what is in it, at least as large as this. */
export interface FrameLayout extends Place {
  readonly width: number
  readonly height: number
  /** Whether one card stands for all of it. Default false. */
  readonly collapsed?: boolean
}

/** Nodes and notes that are drawn together; means nothing to a run. A node or note is in at most one. */
export interface Frame {
  readonly title: string
  readonly nodes: readonly NodeId[]
  readonly notes?: readonly string[]
  /** The frame that this one is in. */
  readonly parent?: string
  readonly color?: string
}

export interface WorkflowLayout {
  readonly nodes?: Readonly<Record<string, Place>>
  readonly notes?: Readonly<Record<string, Place & { readonly width?: number; readonly height?: number }>>
  readonly frames?: Readonly<Record<string, FrameLayout>>
}

export interface WorkflowDocument {
  readonly $schema?: string
  readonly format: typeof documentFormat
  readonly schemaVersion: typeof documentSchemaVersion
  readonly id: WorkflowId
  readonly title: string
  readonly description?: string
  /** JSON Schema (an object schema) of the input form for a manual start. */
  readonly input?: JsonObject
  readonly variables?: JsonObject
  readonly settings?: WorkflowSettings
  readonly capabilities?: Capabilities
  readonly nodes: Readonly<Record<NodeId, WorkflowNode>>
  readonly edges: Readonly<Record<EdgeId, WorkflowEdge>>
  readonly triggers?: Readonly<Record<string, WorkflowTrigger>>
  readonly sagaScopes?: Readonly<Record<string, SagaScope>>
  readonly mockSets?: Readonly<Record<string, { readonly title?: string }>>
  /** Inputs that runs may be started with by hand, by names that people gave them. */
  readonly presets?: Readonly<Record<string, InputPreset>>
  readonly notes?: Readonly<Record<string, { readonly text: string; readonly color?: string }>>
  readonly frames?: Readonly<Record<string, Frame>>
  readonly layout?: WorkflowLayout
}

/** An input that is kept under a name. */
export interface InputPreset {
  readonly title: string
  readonly input: JsonObject
}

/**
 * The step that evaluates `settings.output` when all nodes are done. No node of a document can have this id.
 */
export const outputStepId = '$output'

/** The pool of nodes that name none and whose topic is mapped to none. */
export const defaultPool = 'default'

/** The port on which things arrive, and the one on which they leave unless the kind says otherwise. */
export const inputPort = 'in'
export const outputPort = 'out'
/** Every kind has it: a node whose last attempt failed delivers `{error}` here when connected. */
export const errorPort = 'error'
/** The port of what waited in vain, where its kind has one: for a signal, a call, or room in a limit. */
export const timeoutPort = 'timeout'
