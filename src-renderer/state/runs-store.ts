/** The list of runs, and the one that is shown. Engine truth: changes only through snapshots and events. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { AttemptRecord, LogLine } from '../../src-engine/model/attempt.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { DefinitionHash, RunId, WorkflowId } from '../../src-engine/model/ids.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { RunSummary } from '../../src-engine/protocol/api.ts'
import type { RunSnapshot } from '../../src-engine/protocol/snapshot.ts'
import type { EventLog } from './event-log.ts'
import type { Ways } from './generations.ts'
import { isRolledBack } from './rolled-back.ts'
import type { RunModel } from './run-model.ts'
import { advance, emptyRunModel, modelAt, modelOfSnapshot, withAttempts } from './run-model.ts'
import type { Site } from './site.ts'
import type { TimelineReading } from './timeline-reading.ts'
import type { Rows } from './timeline-rows.ts'

/** Lines that a running task printed, kept until its attempt has the whole log. */
const liveLinesMax = 2_000

/** What the list of runs is narrowed to. */
export interface RunListFilter {
  /** Null for runs in any state. */
  readonly statuses: readonly RunStatus[] | null
  /** Null for runs of any workflow. */
  readonly workflowId: WorkflowId | null
}

/** The events of a run from its first, and where the playhead stands. */
export interface Timeline {
  readonly events: EventLog
  readonly reading: TimelineReading
  /** As many of the events were read when this was shown, and what they look like. */
  readonly read: number
  readonly rows: Rows
  /** The model after `position` events; while the playhead is at the newest one, whatever was looked at before. */
  readonly model: RunModel
  readonly position: number
  /** Whether the playhead stays at the newest event. */
  readonly isLive: boolean
  /** The way to the position is still being made: the model is the one that was shown before. */
  readonly isComing: boolean
}

export interface OpenRun {
  readonly runId: RunId
  /** Where it is done. */
  readonly site: Site
  /** Of a copy of a cluster's run: it is only read here. */
  readonly pulled: PulledRun | null
  readonly live: RunModel
  /** The keys of attempts that were asked for: their events may still come. */
  readonly fetched: ReadonlySet<string>
  /** Null until the timeline was asked for. */
  readonly timeline: Timeline | null
  readonly liveLines: ReadonlyMap<string, readonly LogLine[]>
  /** Its own version of the document; null while the open document is shown under it. */
  readonly overlay: WorkflowDocument | null
  readonly hash: DefinitionHash | null
  /** The open document when the run was shown on it; it may have been edited since. */
  readonly shownOn: WorkflowDocument | null
}

/** What is known of a run before its records come. */
export type ShownRun = Pick<OpenRun, 'runId' | 'site' | 'overlay' | 'hash' | 'shownOn'>

export interface RunsState {
  readonly list: readonly RunSummary[]
  readonly isListLoaded: boolean
  /** What the list is narrowed to; null for all runs. */
  readonly listStatuses: readonly RunStatus[] | null
  /** The one workflow whose runs are listed; null for all. */
  readonly listWorkflow: WorkflowId | null
  readonly hasMore: boolean
  readonly current: OpenRun | null
  readonly setList: (list: readonly RunSummary[], hasMore: boolean) => void
  readonly setListFilter: (filter: RunListFilter) => void
  readonly show: (run: ShownRun, ways: Ways) => void
  readonly hide: () => void
  readonly takeSnapshot: (snapshot: RunSnapshot) => void
  readonly takeAttempts: (runId: RunId, attempts: readonly AttemptRecord[]) => void
  readonly takeEvents: (events: readonly EngineEvent[]) => void
  readonly takeLines: (lines: readonly { readonly invocationId: string; readonly line: LogLine }[]) => void
  /** Shows what has come of the timeline, and what was read of that. */
  readonly showTimeline: (events: EventLog, reading: TimelineReading) => void
  readonly movePlayhead: (position: number) => void
  readonly goLive: () => void
  readonly closeTimeline: () => void
}

export type RunsStore = StoreApi<RunsState>

/** No runs known, none shown. */
export function createRunsStore(): RunsStore {
  return createStore<RunsState>((set, get) => {
    const change = (next: (current: OpenRun) => OpenRun): void => {
      const { current } = get()
      if (current !== null) set({ current: next(current) })
    }
    return {
      list: [],
      isListLoaded: false,
      listStatuses: null,
      listWorkflow: null,
      hasMore: false,
      current: null,
      setList: (list, hasMore) => set({ list, hasMore, isListLoaded: true }),
      setListFilter: ({ statuses, workflowId }) => set({ listStatuses: statuses, listWorkflow: workflowId }),
      show: (run, ways) => {
        const live = { ...emptyRunModel, ways }
        const nothing = { pulled: null, fetched: new Set<string>(), timeline: null, liveLines: new Map() }
        set({ current: { ...run, ...nothing, live } })
      },
      hide: () => set({ current: null }),
      takeSnapshot: (snapshot) =>
        change((current) => ({
          ...current,
          hash: snapshot.run.definitionHash,
          pulled: snapshot.pulled ?? null,
          // What was printed so far comes after it.
          liveLines: new Map(),
          live: modelOfSnapshot(snapshot, current.live.replay.attempts, current.live.ways),
        })),
      takeAttempts: (runId, attempts) =>
        change((current) => (current.runId === runId ? withFetched(current, attempts) : current)),
      takeEvents: (events) =>
        change((current) => ({
          ...current,
          live: advance(current.live, withoutRepeats(events, current.fetched)),
        })),
      takeLines: (lines) => change((current) => withLines(current, lines)),
      showTimeline: (events, reading) => change((current) => withTimeline(current, events, reading)),
      movePlayhead: (position) => change((current) => withPlayhead(current, position, false)),
      goLive: () => change((current) => withPlayhead(current, Number.MAX_SAFE_INTEGER, true)),
      closeTimeline: () => change((current) => ({ ...current, timeline: null })),
    }
  })
}

/** What the canvas shows: the playhead rules while it isn't at the newest event. */
export function shownModel(current: OpenRun): RunModel {
  const { timeline } = current
  return timeline === null || timeline.isLive ? current.live : timeline.model
}

/** The time that is shown: of the event under the playhead, or no end while it is at the newest one. */
export function shownUntil({ timeline }: OpenRun): number {
  if (timeline === null || timeline.isLive) return Number.POSITIVE_INFINITY
  return timeline.events.at(timeline.position - 1)?.at ?? 0
}

/** How many of the timeline's events have come at the moment that is shown. */
export function shownUntilPosition({ timeline }: OpenRun): number {
  if (timeline === null) return 0
  return timeline.isLive ? timeline.events.length : timeline.position
}

/** Whether the run is still under way. */
export function isUnderWay(current: OpenRun | null): boolean {
  const run = current?.live.replay.run
  return run !== null && run !== undefined && !runMachine.final.has(run.status)
}

/** Whether it can be paused or cancelled: what is taken back already comes to its end by itself. */
export function isStoppable(current: OpenRun | null): boolean {
  const run = current?.live.replay.run ?? null
  return run !== null && !runMachine.final.has(run.status) && !isRolledBack(run.status)
}

function withFetched(current: OpenRun, fetched: readonly AttemptRecord[]): OpenRun {
  const all = [...fetched, ...current.live.replay.attempts]
  const attempts = [...new Map(all.map((attempt) => [attemptKey(attempt), attempt])).values()]
  return { ...current, fetched: new Set(fetched.map(attemptKey)), live: withAttempts(current.live, attempts) }
}

/** An attempt may come twice: with the ones that were fetched, and with its event on the way meanwhile. */
function withoutRepeats(events: readonly EngineEvent[], fetched: OpenRun['fetched']): readonly EngineEvent[] {
  if (fetched.size === 0) return events
  return events.map((event) => {
    const { body } = event
    if (body.type !== 'invocation.changed' || body.attempt === null) return event
    return fetched.has(attemptKey(body.attempt)) ? { ...event, body: { ...body, attempt: null } } : event
  })
}

const attemptKey = ({ invocationId, number, startedAt }: AttemptRecord): string =>
  `${invocationId}:${number}:${startedAt}`

function withLines(
  current: OpenRun,
  lines: readonly { readonly invocationId: string; readonly line: LogLine }[],
): OpenRun {
  const liveLines = new Map(current.liveLines)
  for (const { invocationId, line } of lines) {
    liveLines.set(invocationId, [...(liveLines.get(invocationId) ?? []), line].slice(-liveLinesMax))
  }
  return { ...current, liveLines }
}

function withTimeline(current: OpenRun, events: EventLog, reading: TimelineReading): OpenRun {
  const before = current.timeline ?? newTimeline(current, events, reading)
  const { read } = reading
  const rows = before.reading === reading && before.read === read ? before.rows : reading.rows()
  const timeline: Timeline = { ...before, events, reading, read, rows }
  const { isLive, isComing, position } = timeline
  const shown = { ...current, timeline }
  if (isLive) return withPlayhead(shown, events.length, true)
  // The playhead may be on its way to where the reading has come by now.
  return isComing && reading.keyframes.isNear(position) ? withPlayhead(shown, position, false) : shown
}

function newTimeline({ live: { ways } }: OpenRun, events: EventLog, reading: TimelineReading): Timeline {
  return {
    ...{ events, reading, read: reading.read, rows: reading.rows() },
    ...{ model: { ...emptyRunModel, ways }, position: 0, isLive: true, isComing: false },
  }
}

function withPlayhead(current: OpenRun, wanted: number, isLive: boolean): OpenRun {
  if (current.timeline === null) return current
  const { events, reading, model, isLive: wasLive } = current.timeline
  const position = Math.max(0, Math.min(wanted, events.length))
  const isComing = !isLive && !reading.keyframes.isNear(position)
  const seen = wasLive && isComing ? current.live : model
  // At the newest event the live model is shown: nobody needs another one.
  const shown = isLive || isComing ? seen : modelAt(reading.keyframes.at(events, position), model)
  return { ...current, timeline: { ...current.timeline, model: shown, position, isLive, isComing } }
}
