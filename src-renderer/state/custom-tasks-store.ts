/** The kinds that nodes can be of: the catalogue, and the tasks that people made as their folder was last seen. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { withCustomTasks } from '../../src-engine/model/custom-task.ts'
import type { OutputOf } from '../../src-engine/protocol/api.ts'
import type { SpecsByKind } from '../rules/connection.ts'

export interface CustomTasksState {
  readonly folder: OutputOf<'tasks.custom'>
  /** Another map whenever the tasks are others. */
  readonly specs: SpecsByKind
  /** Takes what the folder holds by now; nothing changes where it is the same. */
  readonly take: (folder: OutputOf<'tasks.custom'>) => void
}

export type CustomTasksStore = StoreApi<CustomTasksState>

/** Only the catalogue. */
export function createCustomTasksStore(catalogue: SpecsByKind): CustomTasksStore {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  return createStore<CustomTasksState>((set) => ({
    folder: { tasks: [], problems: [] },
    specs: catalogue,
    take: (folder) =>
      set((before) => {
        if (isSame(folder, before.folder)) return before
        const hasOthers = !isSame(folder.tasks, before.folder.tasks)
        return { folder, specs: hasOthers ? withCustomTasks(catalogue, folder.tasks) : before.specs }
      }),
  }))
}
