/**
 * What a task kind declares, as data that designer, validation, CLI and engine share. The form in the
 * inspector is made from `parameters`; its fields carry hints in `.meta()`.
 */

import type { z } from 'zod'
import type { JsonObject, JsonValue } from './json.ts'
import type { Millis } from './time.ts'
import type { SideEffectClass } from './workflow.ts'

export interface PortSpec {
  readonly id: string
  readonly title: string
}

export type TaskCategory = 'flow' | 'data' | 'files' | 'network' | 'code' | 'debug'

/** What a form calls one value of an `enum`, and what choosing it means. */
export interface FieldChoice {
  readonly title: string
  readonly hint?: string
}

/** Hints for the form, put on a zod field by `.meta({...})`; JSON Schema carries them along. */
export interface FieldHints {
  readonly title?: string
  readonly description?: string
  /**
   * `code` (with `language`), `expression`, `multiline`, `key-value`, `path` (`folder` for one), `duration`,
   * `workflow` and, for the one named beside it, `workflow-version`, `secret-name` for the bare name of one in
   * the vault, `cluster` for the name of a connection to one; else by type.
   */
  readonly widget?:
    | 'code'
    | 'expression'
    | 'multiline'
    | 'key-value'
    | 'path'
    | 'folder'
    | 'duration'
    | 'workflow'
    | 'workflow-version'
    | 'secret-name'
    | 'cluster'
  readonly language?: 'javascript' | 'jsonata' | 'json' | 'lua'
  /** For an expression: it may be edited as the fields of an object, too. */
  readonly mapped?: boolean
  /** For code: the field beside it whose value says in which language it is. */
  readonly languageFrom?: string
  readonly placeholder?: string
  /** Fields of the same group stand together, folded when it isn't the first. */
  readonly group?: string
  /** False: the text is code of its own, `{{ }}` in it means nothing to the engine. */
  readonly expressions?: boolean
  /**
   * Whether `{{ secrets.NAME }}` may stand in its text: nowhere without this. `expected` is for passwords and
   * keys, where plain text is a warning; `allowed` is for texts that may hold one.
   */
  readonly secret?: 'expected' | 'allowed'
  /** By value of an `enum`; values that are people's own words (`GET`) need none. */
  readonly choices?: Readonly<Record<string, FieldChoice>>
  /** Fields beside this one, and their values with which this one means something; hidden with others. */
  readonly when?: Readonly<Record<string, readonly JsonValue[]>>
}

/** What of a machine and its network a step may touch. */
export type ReachKind =
  | 'hosts'
  | 'mail'
  | 'databases'
  | 'paths'
  | 'commands'
  | 'workflows'
  | 'runs'
  | 'clusters'

/** A parameter that says what a step touches. */
export interface ReachField {
  readonly what: ReachKind
  /** Names from the outermost in, with dots; `*` stands for every item of a list: `attachments.*.file`. */
  readonly field: string
  /** What is touched when nothing stands there. May hold expressions of other parameters. */
  readonly absent?: (parameters: JsonObject) => string
  /** The text is code of its own: braces in it are no expression. */
  readonly literal?: boolean
  /** What is told instead of the bare field, where others belong to it: a program with its arguments. */
  readonly told?: (parameters: JsonObject, text: string) => string
}

/** A step that undoes another. */
export interface UndoingTask {
  readonly kind: string
  readonly parameters: JsonObject
}

/** What a start counts as: so many of the same within a time, or at a time. */
export interface CountedStart {
  /** Starts with an equal value count together; null for all. */
  readonly key: JsonValue
  /** Whether the steps of all workflows count together, and not only this one over all of its runs. */
  readonly isShared: boolean
  readonly count: number
  /** Null for a kind with a body: it counts from its start until nothing inside of it is at work any more. */
  readonly perMs: Millis | null
}

/** A limit that a kind puts on the starts of its steps. */
export interface StartLimit {
  /** From resolved parameters; null when they don't fit. */
  readonly counted: (resolved: JsonObject) => CountedStart | null
  /** From raw parameters: whether who finds no room waits in line, fails, or counts as skipped. */
  readonly whenFull: (parameters: JsonObject) => 'wait' | 'fail' | 'skip'
  /** From raw parameters: how long who waits stays in line; null for as long as it takes. */
  readonly lineEnd: (parameters: JsonObject) => LineEnd | null
  /** From raw parameters: how long a body may keep its place; null, or absent, for as long as it takes. */
  readonly leaseMs?: (parameters: JsonObject) => Millis | null
}

/** When somebody who waits in line gives up, and how it goes on then: by its timeout port, or as a failure. */
export interface LineEnd {
  readonly afterMs: Millis
  readonly by: 'port' | 'fail'
}

export interface TaskSpec<Parameters = unknown> {
  readonly kind: string
  readonly title: string
  /** One sentence for palette and documentation. */
  readonly description: string
  /** Name of a lucide icon. */
  readonly icon: string
  readonly category: TaskCategory
  readonly keywords: readonly string[]
  /** The parameters after expressions were resolved. Every field has a default or is required. */
  readonly parameters: z.ZodType<Parameters>
  /** What a node of this kind starts with on the canvas. */
  readonly defaults: JsonObject
  /** False for a kind that nothing can lead to. */
  readonly hasInput: boolean
  /** The ways out, without the error port, for these raw parameters. */
  readonly outputs: (parameters: JsonObject) => readonly PortSpec[]
  /** Whether several of its ways out may be taken in one go; absent for a kind that takes one of them. */
  readonly takesSeveralWays?: (parameters: JsonObject) => boolean
  readonly sideEffect: SideEffectClass
  /** Absent for a kind that limits nothing by itself. */
  readonly limit?: StartLimit
  /** What it may touch outside of its run; absent for a kind that touches nothing. */
  readonly reach?: readonly ReachField[]
  /** What takes its effect back, as the designer offers it; texts in it see `original`. Null for nothing known. */
  readonly undoneBy?: (parameters: JsonObject) => UndoingTask | null
  /** Whether it can find out if a step that nobody saw end has happened (`onLost: verify`); absent for never. */
  readonly probes?: (parameters: JsonObject) => boolean
  /** Its secrets are for telling people alone: an attempt gets their references, and needs no vault. */
  readonly tellsWithSecrets?: boolean
  /**
   * It reaches others while it runs, though nothing is harmed if it does so again: it begins when its claim is durable.
   * Absent for a kind that tells others by the commit of its end, or nobody.
   */
  readonly waitsForClaim?: boolean
  /** `inline` kinds are decided by the run itself and never reach a runner. */
  readonly execution: 'runner' | 'inline'
  /** Of a task with code: the version that is here. */
  readonly version?: string
  /** Whether it takes over parameters that were set up for another version; absent for one that doesn't. */
  readonly migrates?: boolean
  /** Steps are written out as it, and nobody adds one by hand: no list offers it. */
  readonly isInternal?: boolean
  /** A short text for the card on the canvas, from raw parameters: `GET example.com/orders`. */
  readonly summary: (parameters: JsonObject) => string
}

/** The one way out of most kinds. */
export const singleOutput: readonly PortSpec[] = [{ id: 'out', title: 'Output' }]
