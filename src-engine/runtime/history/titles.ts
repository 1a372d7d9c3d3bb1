/** The titles of workflows by run, and of their steps by version, each read once for an answer. */

import { engineStepTitles } from '../../model/engine-steps.ts'
import type { DefinitionHash, NodeId, RunId } from '../../model/ids.ts'
import { isCoreWorkflow } from '../../model/ids.ts'
import { homePartition } from '../../model/partition.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { HistoryTitles } from '../../protocol/history.ts'
import type { Store } from '../../store/store.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { partitionOfRun } from '../run-place.ts'

interface Placed {
  readonly runId: RunId | null
  readonly nodeId: NodeId | null
}

export interface Titles {
  /**
   * What was found, with the titles on; null where the run is gone, or its part of the store doesn't answer. What is of
   * the engine's own runs is left out, unless it is asked for.
   */
  readonly on: <Found extends Placed>(
    found: readonly Found[],
    includeCore: boolean,
  ) => Promise<readonly (Found & HistoryTitles)[]>
  /** Whether people call the step so: its own title, else that of its kind; upper and lower case are the same. */
  readonly isCalled: (placed: Placed, title: string) => Promise<boolean>
}

export function createTitles(store: Store): Titles {
  // A list isn't refused for the name of one of its entries.
  const runOf = onceEach(
    async (runId: RunId): Promise<RunRecord | null> =>
      store.load(partitionOfRun(store.info, runId), 'run', { runId }).catch(() => null),
  )
  const nodesOf = onceEach(async (hash: DefinitionHash): Promise<WorkflowDocument['nodes']> => {
    const version = await store.load(homePartition, 'workflowVersion', { hash }).catch(() => null)
    // Documents are JSON by construction.
    return version === null ? {} : (JSON.parse(version.document) as WorkflowDocument).nodes
  })
  const titlesOf = async (run: RunRecord | null, nodeId: NodeId | null): Promise<HistoryTitles> => {
    if (run === null) return { workflowTitle: null, nodeTitle: null, taskKind: null }
    const node = nodeId === null ? undefined : (await nodesOf(run.definitionHash))[nodeId]
    return {
      workflowTitle: run.workflowTitle,
      nodeTitle: node?.title ?? engineStepTitles.get(nodeId ?? '') ?? null,
      taskKind: node?.kind ?? null,
    }
  }
  return {
    on: async (found, includeCore) => {
      const told = await Promise.all(
        found.map(async (one) => ({ one, run: one.runId === null ? null : await runOf(one.runId) })),
      )
      const shown = told.filter(({ run }) => includeCore || !isCore(run))
      return Promise.all(
        shown.map(async ({ one, run }) => ({ ...one, ...(await titlesOf(run, one.nodeId)) })),
      )
    },
    isCalled: async ({ runId, nodeId }, title) => {
      if (runId === null || nodeId === null) return false
      const { nodeTitle, taskKind } = await titlesOf(await runOf(runId), nodeId)
      const said = nodeTitle ?? taskSpecsByKind.get(taskKind ?? '')?.title
      return said?.toLowerCase() === title.trim().toLowerCase()
    },
  }
}

/** Reads what a key leads to once, however many ask. */
function onceEach<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>()
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value
  }
}

const isCore = (run: RunRecord | null): boolean => run !== null && isCoreWorkflow(run.workflowId)
