/** Tasks that people made. */

import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { CustomTaskApi } from '../../protocol/custom-tasks.ts'
import type { CustomTaskFolder, KnownTasks } from '../custom-tasks.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** A folder that can't be listed is told of, beside the tasks as they were last known. */
async function lookAround(
  customTasks: CustomTaskFolder,
): Promise<{ readonly known: KnownTasks; readonly unread: readonly ErrorRecord[] }> {
  try {
    return { known: await customTasks.look(), unread: [] }
  } catch (thrown) {
    return { known: customTasks.known(), unread: [recordOfThrown(thrown)] }
  }
}

/** Handlers of `tasks.*`. */
export const customTaskHandlers = ({
  customTasks,
}: Pick<HandlerDeps, 'customTasks'>): Handlers<keyof CustomTaskApi> => ({
  'tasks.custom': async () => {
    const { known, unread } = await lookAround(customTasks)
    const { tasks, code, problems } = known
    const faces = [...code.values()].map(({ face }) => face)
    return { tasks: [...tasks.values()], code: faces, problems: [...unread, ...problems] }
  },
  'tasks.save': ({ task, replace }) => customTasks.save(task, { replace }),
  'tasks.test': async ({ kind }) => ({ checks: await customTasks.test(kind) }),
  'tasks.migrate': ({ kind, ...wish }) => customTasks.migrate(kind, wish),
  'tasks.remove': async ({ kind }) => ({ path: await customTasks.remove(kind) }),
})
