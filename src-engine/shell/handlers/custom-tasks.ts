/** Tasks that people made. */

import type { CustomTaskApi } from '../../protocol/custom-tasks.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `tasks.*`. */
export const customTaskHandlers = ({
  customTasks,
}: Pick<HandlerDeps, 'customTasks'>): Handlers<keyof CustomTaskApi> => ({
  'tasks.custom': async () => {
    const { tasks, code, problems } = await customTasks.look()
    return { tasks: [...tasks.values()], code: [...code.values()].map(({ face }) => face), problems }
  },
  'tasks.save': ({ task, replace }) => customTasks.save(task, { replace }),
  'tasks.test': async ({ kind }) => ({ checks: await customTasks.test(kind) }),
  'tasks.migrate': ({ kind, ...wish }) => customTasks.migrate(kind, wish),
  'tasks.remove': async ({ kind }) => ({ path: await customTasks.remove(kind) }),
})
