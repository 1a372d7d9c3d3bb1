/** What the page of runs is narrowed to, and the narrowings that were given a name: kept in the page's memory. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { workflowId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { runStatuses } from '../../src-engine/model/run-status.ts'
import type { RunBeginning, RunSearch, RunTime } from '../../src-engine/protocol/run-search.ts'
import { runBeginnings, runTimes } from '../../src-engine/protocol/run-search.ts'
import type { RunListFilter } from './runs-store.ts'
import type { Memory } from './services.ts'

/** Columns that may be left out; status and workflow are always there. */
export const runColumns = ['began', 'created', 'took', 'steps', 'error'] as const
export type RunColumn = (typeof runColumns)[number]

/** Null, or an empty text, for what isn't narrowed. Times are told from now, so that a view stays true tomorrow. */
export interface RunPageFilter extends RunListFilter {
  readonly time: RunTime | null
  readonly origin: RunBeginning | null
  readonly tenant: string | null
  readonly error: string
  readonly failedAt: string
  readonly waitsFor: string | null
  readonly text: string
  /** Columns that are left out: kept with a view, and nothing that the engine is asked. */
  readonly hidden: readonly RunColumn[]
}

export interface RunView {
  readonly id: string
  readonly title: string
  readonly filter: RunPageFilter
}

export interface RunViewsState {
  readonly filter: RunPageFilter
  /** In the order in which they are shown. */
  readonly views: readonly RunView[]
  readonly setFilter: (filter: RunPageFilter) => void
  readonly save: (view: RunView) => void
  readonly rename: (id: string, title: string) => void
  readonly remove: (id: string) => void
  /** By so many places to the front (below zero) or to the end. */
  readonly move: (id: string, by: number) => void
}

export type RunViewsStore = StoreApi<RunViewsState>

const key = 'sagasmith.runViews'
/** More than fit on a screen. */
const viewsMax = 50
const titleCharsMax = 80
const minuteMs = 60_000

export const everyRun: RunPageFilter = {
  statuses: null,
  workflowId: null,
  time: null,
  origin: null,
  tenant: null,
  error: '',
  failedAt: '',
  waitsFor: null,
  text: '',
  hidden: [],
}

const failed: readonly RunStatus[] = ['FAILED', 'TIMED_OUT', 'DENIED', 'COMPENSATION_FAILED']

/** What is there before anybody made one. */
const firstViews: readonly RunView[] = [
  { id: 'failed-today', title: 'Failed today', filter: { ...everyRun, statuses: failed, time: 'today' } },
  { id: 'waiting', title: 'Waiting', filter: { ...everyRun, statuses: ['WAITING', 'PAUSED'] } },
  { id: 'long', title: 'Running long', filter: { ...everyRun, statuses: ['RUNNING'], time: 'older' } },
]

/** The views that were left here. */
export function createRunViewsStore(memory: Memory): RunViewsStore {
  const store = createStore<RunViewsState>((set, get) => ({
    filter: everyRun,
    views: read(memory),
    setFilter: (filter) => set({ filter }),
    save: (view) => set({ views: [...get().views, titled(view, view.title)].slice(-viewsMax) }),
    rename: (id, title) =>
      set({ views: get().views.map((view) => (view.id === id ? titled(view, title) : view)) }),
    remove: (id) => set({ views: get().views.filter((view) => view.id !== id) }),
    move: (id, by) => set({ views: moved(get().views, id, by) }),
  }))
  store.subscribe(({ views }, before) => {
    if (views !== before.views) memory.write(key, JSON.stringify(views))
  })
  return store
}

const titled = (view: RunView, title: string): RunView => {
  const short = title.trim().slice(0, titleCharsMax)
  return short === '' ? view : { ...view, title: short }
}

function moved(views: readonly RunView[], id: string, by: number): readonly RunView[] {
  const from = views.findIndex((view) => view.id === id)
  const view = views[from]
  if (view === undefined) return views
  const others = views.toSpliced(from, 1)
  return others.toSpliced(Math.max(0, Math.min(from + by, others.length)), 0, view)
}

/** What is asked of the engine. Pure. */
export function searchOf(filter: RunPageFilter, now: number): RunListFilter & RunSearch {
  const { statuses, workflowId: workflow, time, origin, tenant, waitsFor } = filter
  const [error, failedAt, text] = [filter.error.trim(), filter.failedAt.trim(), filter.text.trim()]
  return {
    statuses,
    workflowId: workflow,
    since: sinceOf(time, now),
    until: time === 'older' ? now - 10 * minuteMs : null,
    origin,
    tenant,
    error: error === '' ? null : error,
    failedAt: failedAt === '' ? null : failedAt,
    waitsFor,
    text: text === '' ? null : text,
  }
}

function sinceOf(time: RunTime | null, now: number): number | null {
  if (time === 'hour') return now - 60 * minuteMs
  if (time === 'week') return now - 7 * 24 * 60 * minuteMs
  return time === 'today' ? new Date(now).setHours(0, 0, 0, 0) : null
}

/** Whether two narrow to the same. Pure. */
export const areSame = (a: RunPageFilter, b: RunPageFilter): boolean =>
  JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b))

function inOrder(filter: RunPageFilter): readonly unknown[] {
  const { statuses, workflowId: workflow, time, origin, tenant, waitsFor, hidden } = filter
  const texts = [filter.error, filter.failedAt, filter.text].map((text) => text.trim())
  const rest = [workflow, time, origin, tenant, waitsFor, ...texts]
  return [statuses?.toSorted() ?? null, ...rest, hidden.toSorted()]
}

/** What is broken is left out; the first views where nothing was kept. */
function read(memory: Memory): readonly RunView[] {
  const text = memory.read(key)
  if (text === null) return firstViews
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.flatMap(viewOf) : firstViews
  } catch {
    // Somebody else's text under our key.
    return firstViews
  }
}

function viewOf(value: unknown): readonly RunView[] {
  if (!isJsonObject(value)) return []
  const { id, title, filter } = value
  if (typeof id !== 'string' || typeof title !== 'string' || !isJsonObject(filter)) return []
  return [{ id, title, filter: filterOf(filter) }]
}

function filterOf(kept: JsonObject): RunPageFilter {
  const {
    statuses,
    workflowId: workflow,
    time,
    origin,
    tenant,
    error,
    failedAt,
    waitsFor,
    text,
    hidden,
  } = kept
  const known = Array.isArray(statuses) ? runStatuses.filter((status) => statuses.includes(status)) : null
  return {
    statuses: known,
    workflowId: typeof workflow === 'string' ? workflowId(workflow) : null,
    time: runTimes.find((one) => one === time) ?? null,
    origin: runBeginnings.find((one) => one === origin) ?? null,
    tenant: typeof tenant === 'string' ? tenant : null,
    error: typeof error === 'string' ? error : '',
    failedAt: typeof failedAt === 'string' ? failedAt : '',
    waitsFor: typeof waitsFor === 'string' ? waitsFor : null,
    text: typeof text === 'string' ? text : '',
    hidden: runColumns.filter((column) => Array.isArray(hidden) && hidden.includes(column)),
  }
}
