/** How many runs there are of each status: gathered in memory, written once per transaction. */

import type { WorkflowId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { Database } from './connection.ts'

export interface RunCounts {
  /** A run was made (`from` is null) or moved. */
  readonly moved: (workflowId: WorkflowId, from: RunStatus | null, to: RunStatus) => void
  /** Writes what was gathered; ends every transaction. */
  readonly write: () => void
  /** The transaction was undone. */
  readonly forget: () => void
}

export function createRunCounts(database: Database): RunCounts {
  const add = database.prepare<[WorkflowId, RunStatus, number]>(
    `insert into run_count (workflow_id, status, count) values (?, ?, ?)
     on conflict do update set count = count + excluded.count`,
  )
  const changes = new Map<WorkflowId, Map<RunStatus, number>>()
  return {
    moved(workflowId, from, to) {
      if (from === to) return
      let ofWorkflow = changes.get(workflowId)
      if (ofWorkflow === undefined) changes.set(workflowId, (ofWorkflow = new Map()))
      ofWorkflow.set(to, (ofWorkflow.get(to) ?? 0) + 1)
      if (from !== null) ofWorkflow.set(from, (ofWorkflow.get(from) ?? 0) - 1)
    },
    write() {
      if (changes.size === 0) return
      for (const [workflowId, ofWorkflow] of changes) {
        for (const [status, change] of ofWorkflow) if (change !== 0) add.run(workflowId, status, change)
      }
      changes.clear()
    },
    forget: () => changes.clear(),
  }
}
