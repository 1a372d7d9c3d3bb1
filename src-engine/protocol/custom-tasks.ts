/** Tasks that people made: what their folder holds. */

import type { CustomTask } from '../model/custom-task.ts'
import type { ErrorRecord } from '../model/errors.ts'

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
}
