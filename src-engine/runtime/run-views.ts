/**
 * Runs as readers see them: the state that the events tell, at the newest or at any earlier event. Made from
 * the events alone, so it fits the feed exactly; recently read runs are kept to continue from.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import { SagasmithError } from '../model/errors.ts'
import type { EventDraft, PartitionCursor } from '../model/event.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import { eventBatchMax } from '../model/limits.ts'
import { draftsOf, placeAfter } from '../model/packed-group.ts'
import type { ReplayState } from '../model/replay.ts'
import { applyEvents, emptyReplay } from '../model/replay.ts'
import type { RunSnapshot } from '../protocol/snapshot.ts'
import type { GroupQuery } from '../store/group-page.ts'
import type { EventQuery, Store } from '../store/store.ts'
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

interface Reading {
  readonly store: Store
  readonly hidden: HiddenOutputs | null
}

async function advance(
  reading: Reading,
  runId: RunId,
  { from, until }: { readonly from: View; readonly until: number | null },
): Promise<View> {
  let view = from
  for (;;) {
    const query = { after: view.after, runId, limit: eventBatchMax }
    const found =
      (until === null ? await readGroups(reading, query) : null) ??
      (await readEvents(reading, { ...query, until }))
    if (found.after === null) return view
    view = { state: applyEvents(view.state, found.drafts), after: found.after }
    if (!found.isFull) return view
  }
}

interface Found {
  readonly drafts: readonly EventDraft[]
  /** The place after the last of them; null for none. */
  readonly after: PartitionCursor | null
  readonly isFull: boolean
}

/** As the store keeps them: a long run is not hashed to be looked at. Null where that can't be, or may not be seen. */
async function readGroups({ store, hidden }: Reading, query: GroupQuery): Promise<Found | null> {
  const page = (await store.readGroups?.(query)) ?? null
  if (page === null || (await hidden?.concerns(page.groups)) === true) return null
  const last = page.groups.at(-1)
  return {
    drafts: page.groups.flatMap(draftsOf),
    after: last === undefined ? null : placeAfter(last),
    isFull: page.isFull,
  }
}

async function readEvents({ store, hidden }: Reading, query: EventQuery): Promise<Found> {
  const events = await store.readEvents(query)
  const last = events.at(-1)
  if (last === undefined) return { drafts: [], after: null, isFull: false }
  const drafts = hidden === null ? events : await hidden.events(events)
  return { drafts, after: placeAfter(last), isFull: events.length >= query.limit }
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
