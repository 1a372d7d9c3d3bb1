/** The workflows' titles by run, each read once for an answer. */

import type { RunId } from '../../model/ids.ts'
import { isCoreWorkflow } from '../../model/ids.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Store } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'

export interface Titles {
  /**
   * What was found, with the titles on; null where the run is gone, or its part of the store doesn't answer. What is of
   * the engine's own runs is left out, unless it is asked for.
   */
  readonly on: <Found extends { readonly runId: RunId | null }>(
    found: readonly Found[],
    includeCore: boolean,
  ) => Promise<readonly (Found & { readonly workflowTitle: string | null })[]>
}

export function createTitles(store: Store): Titles {
  const runs = new Map<RunId, Promise<RunRecord | null>>()
  const runOf = (runId: RunId): Promise<RunRecord | null> => {
    const known = runs.get(runId)
    if (known !== undefined) return known
    // A list isn't refused for the name of one of its entries.
    const read = store.load(partitionOfRun(store.info, runId), 'run', { runId }).catch(() => null)
    runs.set(runId, read)
    return read
  }
  return {
    on: async (found, includeCore) => {
      const told = await Promise.all(
        found.map(async (one) => ({ one, run: one.runId === null ? null : await runOf(one.runId) })),
      )
      return told.flatMap(({ one, run }) =>
        isCore(run) && !includeCore ? [] : [{ ...one, workflowTitle: run?.workflowTitle ?? null }],
      )
    },
  }
}

const isCore = (run: RunRecord | null): boolean => run !== null && isCoreWorkflow(run.workflowId)
