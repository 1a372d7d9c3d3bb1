/** Tasks that people made. */

import type { CustomTaskApi } from '../../protocol/custom-tasks.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `tasks.*`. */
export const customTaskHandlers = ({
  customTasks,
}: Pick<HandlerDeps, 'customTasks'>): Handlers<keyof CustomTaskApi> => ({
  'tasks.custom': async () => {
    const { tasks, problems } = await customTasks.look()
    return { tasks: [...tasks.values()], problems }
  },
  'tasks.save': ({ task, replace }) => customTasks.save(task, { replace }),
  'tasks.remove': async ({ kind }) => ({ path: await customTasks.remove(kind) }),
})
