/** Crashing the worker of a run, and what became of it. */

import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { crashReportOf } from '../../runtime/crash/crash-report.ts'
import { feedStart, partitionOfRun } from '../../runtime/run-place.ts'
import type { Store } from '../../store/store.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { personHere } from '../person.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `runs.crash` and `runs.crashReport`. */
export const crashHandlers = ({
  engine,
  crash,
}: HandlerDeps): Handlers<'runs.crash' | 'runs.crashReport'> => ({
  'runs.crash': async (request) => {
    if (crash === null) {
      throw new SagasmithError('crash_not_possible', {
        message: 'Workers are crashed only on this machine, by the engine that works on its data.',
        hint: 'Run the workflow on this machine’s engine to crash its worker; a cluster’s workers are left alone.',
      })
    }
    return crash.crash({ ...request, by: request.by ?? personHere() })
  },
  'runs.crashReport': async ({ runId }) => {
    const run = await engine.store.load(0, 'run', { runId })
    if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
    const version = await engine.version(run.definitionHash)
    // It was validated before it was published.
    const { nodes } = JSON.parse(version.document) as WorkflowDocument
    const events = await eventsOf(engine.store, runId)
    const report = crashReportOf(events, ({ nodeId }) => {
      const node = nodes[nodeId]
      return node?.sideEffect ?? taskSpecsByKind.get(node?.kind ?? '')?.sideEffect ?? 'unsafe'
    })
    return { report }
  },
})

async function eventsOf(store: Store, runId: RunId): Promise<readonly EngineEvent[]> {
  const all: EngineEvent[] = []
  for (let after: PartitionCursor = feedStart(partitionOfRun(store.info, runId)); ; ) {
    const events = await store.readEvents({ after, runId, until: null, limit: eventBatchMax })
    all.push(...events)
    const last = events.at(-1)
    if (last === undefined || events.length < eventBatchMax) return all
    after = { partition: last.partition, epoch: last.epoch, seq: last.seq }
  }
}
