/** Tasks that people made: what their folder holds, and writing there. */

import { z } from 'zod'
import type { CustomTask } from '../model/custom-task.ts'
import type { ErrorRecord } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'

export interface CustomTaskApi {
  /** As the folder is now. Throws `file_not_accessible` for a folder that can't be listed. */
  readonly 'tasks.custom': {
    readonly input: Record<string, never>
    readonly output: {
      readonly tasks: readonly CustomTask[]
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
  'tasks.remove': z.object({ kind: z.string().min(1).max(200) }),
} as const
