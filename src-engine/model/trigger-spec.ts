/** What a trigger kind declares; same idea as a task's spec. */

import type { z } from 'zod'
import type { JsonObject } from './json.ts'
import type { ReachField, ReachKind } from './task-spec.ts'
import type { WorkflowDocument } from './workflow.ts'

/** Something that is wrong with a trigger where it stands; `message` goes on after its name. */
export interface TriggerProblem {
  /** Stable, for programs. */
  readonly code: string
  /** The parameter that is to blame. */
  readonly field: string
  readonly message: string
  readonly hint: string
}

/** A parameter that says what a trigger touches. */
export interface TriggerReachField extends Omit<ReachField, 'what'> {
  readonly what: ReachKind | 'secrets'
}

export interface TriggerSpec<Parameters = unknown> {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly icon: string
  readonly parameters: z.ZodType<Parameters>
  readonly defaults: JsonObject
  readonly summary: (parameters: JsonObject) => string
  /** What it may touch before any run begins; absent for a kind that touches nothing. `secrets` are names. */
  readonly reach?: readonly TriggerReachField[]
  /**
   * What has it start runs by itself, as people are told before they trust it, from raw parameters; different texts for
   * what isn't the same. Absent for a kind that waits for a person.
   */
  readonly startsOn?: (parameters: JsonObject) => string
  /** What can't be in this document, whatever the form says; absent where a kind knows of nothing. */
  readonly problems?: (
    parameters: JsonObject,
    at: { readonly document: WorkflowDocument; readonly triggerId: string },
  ) => readonly TriggerProblem[]
}
