/**
 * Runs as readers see them: the state that the events tell, at the newest or at any earlier event. Made from
 * the events alone, so it fits the feed exactly; recently read runs are kept to continue from.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import { SagasmithError } from '../model/errors.ts'
import type { PartitionCursor } from '../model/event.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import { eventBatchMax } from '../model/limits.ts'
import type { ReplayState } from '../model/replay.ts'
import { applyEvents, emptyReplay } from '../model/replay.ts'
import type { RunSnapshot } from '../protocol/snapshot.ts'
import type { Store } from '../store/store.ts'
import type { HiddenOutputs } from './output-policy/hidden-outputs.ts'
import { feedStart, partitionOfRun } from './run-place.ts'

/** Runs that somebody looks at, and a few more. */
const viewsMax = 32

interface View {
  readonly state: ReplayState
  readonly after: PartitionCursor
}

export interface RunViews {
  readonly snapshot: (runId: RunId) => Promise<RunSnapshot>
  readonly stateAt: (runId: RunId, seq: number) => Promise<RunSnapshot>
  /** Of one step by number, or of the whole run. */
  readonly attempts: (runId: RunId, invocationId: InvocationId | null) => Promise<readonly AttemptRecord[]>
}

/** Without `hidden` nothing is left out: for who compares what is stored. */
export function createRunViews(store: Store, hidden: HiddenOutputs | null = null): RunViews {
  const views = new Map<RunId, View>()
  const start = (runId: RunId): View => ({
    state: emptyReplay,
    after: feedStart(partitionOfRun(store.info, runId)),
  })
  return {
    snapshot: async (runId) => {
      const view = await advance({ store, hidden }, runId, {
        from: views.get(runId) ?? start(runId),
        until: null,
      })
      views.delete(runId)
      views.set(runId, view)
      const [oldest] = views.keys()
      if (views.size > viewsMax && oldest !== undefined) views.delete(oldest)
      return snapshotOf(runId, view)
    },
    attempts: async (runId, invocationId) => {
      const partition = partitionOfRun(store.info, runId)
      const attempts = await store.load(partition, 'attempts', { runId, invocationId })
      return hidden === null ? attempts : hidden.attempts(attempts)
    },
    stateAt: async (runId, seq) =>
      snapshotOf(runId, await advance({ store, hidden }, runId, { from: start(runId), until: seq })),
  }
}

async function advance(
  { store, hidden }: { readonly store: Store; readonly hidden: HiddenOutputs | null },
  runId: RunId,
  range: { readonly from: View; readonly until: number | null },
): Promise<View> {
  let view = range.from
  for (;;) {
    const events = await store.readEvents({
      after: view.after,
      runId,
      until: range.until,
      limit: eventBatchMax,
    })
    const last = events.at(-1)
    if (last === undefined) return view
    const { partition, epoch, seq } = last
    const shown = hidden === null ? events : await hidden.events(events)
    view = { state: applyEvents(view.state, shown), after: { partition, epoch, seq } }
    if (events.length < eventBatchMax) return view
  }
}

function snapshotOf(runId: RunId, view: View): RunSnapshot {
  const { run, invocations, skipped } = view.state
  if (run === null) {
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  }
  return {
    run,
    invocations: [...invocations.values()],
    skipped,
    epoch: view.after.epoch,
    seq: view.after.seq,
  }
}
