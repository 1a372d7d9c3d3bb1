/** Steps of the open document whose tasks are here in other versions than they were set up for. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { TaskUse } from '../../src-engine/model/task-versions.ts'
import { taskUses } from '../../src-engine/model/task-versions.ts'
import type { Followed } from '../commands/follow-versions.ts'
import { followVersions } from '../commands/follow-versions.ts'
import { fill } from '../text/messages.ts'
import { taskWords as words } from '../text/task-words.ts'
import type { Designer } from './designer.ts'

/** Those that something can be done about: other versions, and unknown ones where the task migrates. */
export function usesToFollow(designer: Designer): readonly TaskUse[] {
  // Most folders hold no task with code, and large documents are asked often.
  if (designer.customTasks.getState().folder.code.length === 0) return []
  const { document } = designer.document.getState().history
  return taskUses(document, designer.specs).filter(isToFollow)
}

/** Whether the step may not mean what its task takes it for. */
export const isToFollow = ({ gap, migrates }: TaskUse): boolean =>
  gap === 'behind' || gap === 'ahead' || (gap === 'unnoted' && migrates)

/** What would become of a use. */
export type Foreseen =
  | { readonly kind: 'ready'; readonly followed: Followed; readonly problems: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string }
  /** Its task is older than what it was set up for. */
  | { readonly kind: 'backwards' }

/** Asks the task what the parameters would be; nothing changes. */
export async function foresee({ connection }: Designer, use: TaskUse): Promise<Foreseen> {
  const { kind, madeFor: from, parameters, gap, migrates } = use
  if (gap === 'ahead') return { kind: 'backwards' }
  if (!migrates) return { kind: 'ready', followed: asItIs(use), problems: [] }
  try {
    // The version that did it counts: the file may have been written since the folder was looked at.
    const made = await connection.call('tasks.migrate', { kind, from, parameters })
    const followed = { use, version: made.version, parameters: made.parameters }
    return { kind: 'ready', followed, problems: made.problems }
  } catch (thrown) {
    const { message, hint } = recordOfThrown(thrown)
    return { kind: 'failed', message, hint }
  }
}

const asItIs = (use: TaskUse): Followed => ({ use, version: use.here, parameters: null })

/** Notes the version that is here and leaves the parameters as they are. */
export function keepParameters(designer: Designer, use: TaskUse): void {
  follow(designer, [asItIs(use)])
}

/** Has steps follow, as one step of the undo. */
export function follow({ document, view }: Designer, all: readonly Followed[]): void {
  document.getState().edit(followVersions(all))
  const steps = new Set(all.map(({ use }) => use.nodeId)).size
  view.getState().announce(steps === 1 ? words.followedOne : fill(words.followedMany, { count: steps }))
}
