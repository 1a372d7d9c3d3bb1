/** Tasks that people made: what their folder holds, and writing there. */

import { z } from 'zod'
import type { CodeTaskFace } from '../model/code-task.ts'
import type { CustomTask } from '../model/custom-task.ts'
import type { ErrorRecord } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { taskVersionCharsMax } from '../model/limits.ts'

/** A part of a task's contract. */
export interface ContractCheck {
  /**
   * That there is a mock; that it fits the form of the output; that its undo takes what it gave, and can be killed at
   * any of its requests and run again.
   */
  readonly what: 'mock' | 'output' | 'compensate' | 'killed'
  readonly isPassed: boolean
  /** What it gave, or why it failed; empty where there is nothing to say. */
  readonly message: string
}

/** Parameters to be migrated, as they stand in a document. */
export interface MigrationWish {
  /** The version that they were set up for; null where nobody noted it. */
  readonly from: string | null
  readonly parameters: JsonObject
}

/** Parameters of the version that is here. */
export interface MigratedParameters {
  readonly version: string
  readonly parameters: JsonObject
  /** What of them its form doesn't take, and what is still missing. */
  readonly problems: readonly string[]
}

export interface CustomTaskApi {
  /** As the folder is now. Throws `file_not_accessible` for a folder that can't be listed. */
  readonly 'tasks.custom': {
    readonly input: Record<string, never>
    readonly output: {
      readonly tasks: readonly CustomTask[]
      /** Those with code; the code stays with the engine. */
      readonly code: readonly CodeTaskFace[]
      /** Why files can't be used; a task that could be used before is still among the tasks. */
      readonly problems: readonly ErrorRecord[]
    }
  }
  /**
   * Writes the file of a task. One of the same kind is replaced only where that is asked for. Throws
   * `task_file_invalid`, `task_holds_secret`, `task_kind_taken`, `file_not_accessible`.
   */
  readonly 'tasks.save': {
    readonly input: { readonly task: JsonObject; readonly replace: boolean }
    readonly output: { readonly task: CustomTask; readonly path: string }
  }
  /** Tries the contract of a task with code: its mock, and its undo on that; nothing is sent. Throws `task_not_found`. */
  readonly 'tasks.test': {
    readonly input: { readonly kind: string }
    readonly output: { readonly checks: readonly ContractCheck[] }
  }
  /**
   * Has a task with code make parameters of another version its own; nothing is written. Throws `task_not_found`,
   * `task_migration_failed`.
   */
  readonly 'tasks.migrate': {
    readonly input: MigrationWish & { readonly kind: string }
    readonly output: MigratedParameters
  }
  /** Deletes the file of a task. Throws `task_not_found`, `file_not_accessible`. */
  readonly 'tasks.remove': {
    readonly input: { readonly kind: string }
    readonly output: { readonly path: string }
  }
}

/** Forms of the inputs. */
export const customTaskSchemas = {
  'tasks.custom': z.object({}).transform((): Record<string, never> => ({})),
  'tasks.save': z.object({
    task: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
    replace: z.boolean(),
  }),
  'tasks.test': z.object({ kind: z.string().min(1).max(200) }),
  'tasks.migrate': z.object({
    kind: z.string().min(1).max(200),
    from: z.string().min(1).max(taskVersionCharsMax).nullable(),
    parameters: z.custom<JsonObject>(isJsonObject, 'Expected an object'),
  }),
  'tasks.remove': z.object({ kind: z.string().min(1).max(200) }),
} as const
