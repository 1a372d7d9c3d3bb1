/** The kinds that nodes can be of: the catalogue, and the tasks that people made as their folder was last seen. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { withCodeTasks } from '../../src-engine/model/code-task.ts'
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
    folder: { tasks: [], code: [], problems: [] },
    specs: catalogue,
    take: (folder) =>
      set((before) => {
        if (isSame(folder, before.folder)) return before
        const { tasks, code } = folder
        const hasOthers = !isSame([tasks, code], [before.folder.tasks, before.folder.code])
        if (!hasOthers) return { folder, specs: before.specs }
        const faces = code.map((face) => ({ face }))
        return { folder, specs: withCodeTasks(withCustomTasks(catalogue, tasks), faces) }
      }),
  }))
}
