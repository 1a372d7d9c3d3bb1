/** Keeps the list of runs and the shown run fresh: events are gathered and applied once per frame. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { withMocksOf } from '../commands/mocks.ts'
import { runStyle } from '../status/status-style.ts'
import { asJson } from './blank-document.ts'
import { breakpointsOf } from './breakpoints-here.ts'
import { chosenMocks } from './chosen-mocks.ts'
import type { Designer } from './designer.ts'
import { tellError } from './designer.ts'
import type { LogPiece } from './event-log.ts'
import { gatherEvents } from './gather-events.ts'
import { waysOf } from './generations.ts'
import { TimelineReader } from './read-timeline.ts'
import type { RunListFilter, ShownRun } from './runs-store.ts'
import type { Site } from './site.ts'
import { onMocks } from './site.ts'
import { closeUnusedLines, lineOfRun, lineTo } from './site-lines.ts'

const listPageSize = 50
/** The list is asked for again at most this often while things happen. */
const listDelayMs = 250

/** Follows what concerns all runs, for the list and for whoever else looks at it; returns the way to stop. */
export function startRunsList(
  designer: Designer,
  onEvents: (events: readonly EngineEvent[]) => void,
): () => void {
  let isAsking = false
  const refresh = (): void => {
    if (isAsking) return
    isAsking = true
    designer.ambient.after(listDelayMs, () => {
      isAsking = false
      void loadRuns(designer)
    })
  }
  const stop = designer.connection.follow(
    { kind: 'runs' },
    {
      events: (events) => {
        // Also without events: steps went on, and the list counts them.
        refresh()
        if (events.length > 0) onEvents(events)
      },
    },
  )
  const unsubscribe = designer.connection.state.subscribe((state) => {
    if (state.status === 'open') void loadRuns(designer)
  })
  void loadRuns(designer)
  return () => {
    stop()
    unsubscribe()
  }
}

/** Asks for the newest runs of the list's filter. */
export async function loadRuns(designer: Designer): Promise<void> {
  const filter = listFilter(designer)
  try {
    const page = { ...filter, after: null, limit: listPageSize }
    const { runs, next } = await designer.connection.call('runs.list', page)
    // Another filter was chosen meanwhile: its own answer is on the way.
    const { statuses, workflowId } = listFilter(designer)
    if (statuses !== filter.statuses || workflowId !== filter.workflowId) return
    designer.runs.getState().setList(runs, next !== null)
  } catch {
    // The engine is away; the list is asked for again when it is back.
  }
}

/** Narrows the list to runs in some states, of one workflow. */
export async function filterRuns(designer: Designer, filter: RunListFilter): Promise<void> {
  designer.runs.getState().setListFilter(filter)
  await loadRuns(designer)
}

/** What the list is narrowed to now. */
function listFilter(designer: Designer): RunListFilter {
  const { listStatuses, listWorkflow } = designer.runs.getState()
  return { statuses: listStatuses, workflowId: listWorkflow }
}

/** Asks for the next page of older runs. */
export async function loadMoreRuns(designer: Designer): Promise<void> {
  const filter = listFilter(designer)
  const last = designer.runs.getState().list.at(-1)?.run.id ?? null
  const page = { ...filter, after: last, limit: listPageSize }
  const { runs, next } = await designer.connection.call('runs.list', page)
  // Runs began and ended meanwhile, or another filter was chosen: what is below the list as it is now joins it.
  const { statuses, workflowId } = listFilter(designer)
  const { list, setList } = designer.runs.getState()
  const isSame = statuses === filter.statuses && workflowId === filter.workflowId
  if (!isSame || list.at(-1)?.run.id !== (last ?? undefined)) return
  setList([...list, ...runs], next !== null)
}

/** What is being followed, so that another run takes its place. */
const stopByDesigner = new WeakMap<Designer, () => void>()

/** Publishes and starts the open document where it is to run, and shows the run on it. */
export async function startRun(designer: Designer, input: JsonValue, site: Site): Promise<RunId> {
  const { runId, hash } = await lineTo(designer, site).call('runs.start', {
    ...(site?.name === onMocks.name ? mockedDocument(designer) : openedDocument(designer)),
    input,
    requestId: designer.ambient.newId(),
    breakpoints: breakpointsOf(designer),
  })
  showRun(designer, { runId, site, hash, overlay: null })
  designer.view.getState().setFollowing(true)
  return runId
}

/** The open document as the engine takes it, and where its relative references begin. */
export function openedDocument(designer: Designer): {
  readonly document: JsonObject
  readonly baseDirectory: string | null
} {
  const { history, path } = designer.document.getState()
  const baseDirectory = path === null ? null : path.replace(/[\\/][^\\/]*$/, '')
  return { document: asJson(history.document), baseDirectory }
}

/** The same with the mocks of the chosen set alone; with all of them, of which each step's first counts, for none. */
function mockedDocument(designer: Designer): ReturnType<typeof openedDocument> {
  const { document } = designer.document.getState().history
  const set = chosenMocks(designer)
  const { baseDirectory } = openedDocument(designer)
  return { document: asJson(set === null ? document : withMocksOf(document, set)), baseDirectory }
}

/** Stops showing a run. */
export function leaveRun(designer: Designer): void {
  stopByDesigner.get(designer)?.()
  stopByDesigner.delete(designer)
  closeTimeline(designer)
  designer.runs.getState().hide()
  closeUnusedLines(designer, [])
}

/**
 * Loads the events of the shown run from its first, for the timeline. Gives the way to stop: it keeps a past
 * that is still looked at, so that inspector and log can be read at that moment.
 */
export function openTimeline(designer: Designer): () => void {
  const { current } = designer.runs.getState()
  if (current === null) return () => undefined
  if (current.timeline === null) {
    stopTimelineByDesigner.get(designer)?.()
    const topic = { kind: 'run', runId: current.runId } as const
    const line = lineOfRun(designer, current.runId)
    const reader = new TimelineReader(designer)
    const take = (pieces: readonly LogPiece[]): void => reader.take(pieces)
    // Packed as they come: reading them is work for slices.
    const stop = line.follow(topic, { events: take, groups: take }, [])
    stopTimelineByDesigner.set(designer, () => {
      reader.stop()
      stop()
    })
  }
  const { runId } = current
  const looking = lookingByDesigner.get(designer) ?? new Set<object>()
  lookingByDesigner.set(designer, looking)
  const me = {}
  looking.add(me)
  return () => {
    looking.delete(me)
    const now = designer.runs.getState().current
    // Somebody else looks at them still.
    if (looking.size > 0 || now?.runId !== runId) return
    if (now.timeline?.isLive === true) closeTimeline(designer)
  }
}

/** Who looks at the events of the shown run. */
const lookingByDesigner = new WeakMap<Designer, Set<object>>()

/** Back to what is now, and no events from the first any more. */
export function closeTimeline(designer: Designer): void {
  stopTimelineByDesigner.get(designer)?.()
  stopTimelineByDesigner.delete(designer)
  designer.runs.getState().closeTimeline()
}

const stopTimelineByDesigner = new WeakMap<Designer, () => void>()

export function showRun(designer: Designer, place: Omit<ShownRun, 'shownOn'>): void {
  const { document } = designer.document.getState().history
  showRunAgain(designer, { ...place, shownOn: place.overlay === null ? document : null })
  designer.view.getState().newRunIsThere()
}

/** Shows a run as it was shown before something else was looked at. */
export function showRunAgain(designer: Designer, run: ShownRun): void {
  const { document } = designer.document.getState().history
  stopByDesigner.get(designer)?.()
  closeTimeline(designer)
  const { show, takeSnapshot, takeEvents, takeLines, takeAttempts } = designer.runs.getState()
  show(run, waysOf(run.overlay ?? document))
  designer.view.getState().lookAtNewest()
  closeUnusedLines(designer, [run.site])
  const line = lineTo(designer, run.site)
  let isFollowed = true
  const takeShown = (events: readonly EngineEvent[]): void => {
    // It may be time to show them when the same run is followed anew: these events are older than its snapshot.
    if (!isFollowed) return
    const before = designer.runs.getState().current?.live.replay.run?.status
    takeEvents(events)
    announceChange(designer, before)
  }
  const isMoved = (): boolean => designer.canvas.current?.isMoving() === true
  const gathered = gatherEvents(designer.ambient, takeShown, isMoved)
  const topic = { kind: 'run', runId: run.runId } as const
  const stop = line.follow(topic, {
    snapshot: (snapshot) => {
      gathered.clear()
      const before = designer.runs.getState().current?.live.replay.run?.status
      takeSnapshot(snapshot)
      // It may be another one, for a page that was stuck.
      if (before !== undefined) announceChange(designer, before)
      void line
        .call('runs.attempts', { runId: run.runId, invocationId: null })
        .then((attempts) => takeAttempts(run.runId, attempts))
        .catch((error: unknown) => tellError(designer, error))
    },
    events: gathered.add,
    live: (lines) => takeLines(lines),
    ended: (error) => tellError(designer, error),
  })
  stopByDesigner.set(designer, () => {
    isFollowed = false
    stop()
  })
}

/** One sentence for screen readers when the run changes its status. */
function announceChange(designer: Designer, before: string | undefined): void {
  const run = designer.runs.getState().current?.live.replay.run
  if (run === null || run === undefined || run.status === before) return
  const error = run.error === null ? '' : ` ${run.error.message}`
  designer.view.getState().announce(`${run.workflowTitle}: ${runStyle[run.status].label}.${error}`)
}
