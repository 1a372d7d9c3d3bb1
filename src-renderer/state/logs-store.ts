/** What the page of logs is narrowed to; it stays as it is while a run is looked at. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { RunId } from '../../src-engine/model/ids.ts'
import { invocationId, runId, runnerId } from '../../src-engine/model/ids.ts'
import type { LogLevel, LogQuery, LogSource } from '../../src-engine/protocol/history.ts'
import type { NamedPlace } from '../../src-engine/protocol/named-places.ts'
import { namedPlaces } from '../../src-engine/protocol/named-places.ts'

/** Times told from now; `range` is between two instants. */
export const logTimes = ['any', 'quarter', 'hour', 'today', 'week', 'range'] as const
export type LogTime = (typeof logTimes)[number]

export interface LogFilter {
  readonly text: string
  readonly level: LogLevel
  readonly source: LogSource
  readonly time: LogTime
  /** Of `range`, as the fields have them; empty for open. */
  readonly from: string
  readonly to: string
  readonly run: string
  readonly step: string
  readonly runner: string
}

export const everyEntry: LogFilter = {
  ...{ text: '', level: 'info', source: 'all', time: 'any', from: '', to: '' },
  ...{ run: '', step: '', runner: '' },
}

export interface LogsState {
  readonly filter: LogFilter
  readonly setFilter: (filter: LogFilter) => void
}

export type LogsStore = StoreApi<LogsState>

export const createLogsStore = (): LogsStore =>
  createStore<LogsState>((set) => ({ filter: everyEntry, setFilter: (filter) => set({ filter }) }))

/** What a pasted text names, that logs can be narrowed to; null where it is only words. */
export function pastedPlace(text: string): Exclude<NamedPlace, { kind: 'link' }> | null {
  for (const place of namedPlaces(text)) {
    if (place.kind !== 'link') return place
    if (place.link.kind === 'run') return { kind: 'run', runId: place.link.runId }
  }
  return null
}

/** The question of a filter: what is pasted is looked for by what it names, words as they are. Pure. */
export function logQueryOf(
  filter: LogFilter,
  now: number,
): Omit<LogQuery, 'before' | 'after' | 'limit' | 'includeCore'> {
  const [text, run, step, runner] = [filter.text, filter.run, filter.step, filter.runner].map((one) =>
    one.trim(),
  )
  const pasted = pastedPlace(text ?? '')
  const asked = {
    text: pasted === null && text ? text : null,
    level: filter.level,
    source: filter.source,
    runId: run ? runId(run) : null,
    step: step ? step : null,
    runnerId: runner ? runnerId(runner) : null,
    ...timesOf(filter, now),
  }
  if (pasted === null) return asked
  if (pasted.kind === 'runner') return { ...asked, runnerId: runnerId(pasted.runnerId) }
  const named: RunId = pasted.runId
  return pasted.kind === 'run'
    ? { ...asked, runId: named }
    : { ...asked, runId: named, step: invocationId(pasted.invocationId) }
}

const minuteMs = 60_000

function timesOf({ time, from, to }: LogFilter, now: number): Pick<LogQuery, 'since' | 'until'> {
  if (time === 'range') return { since: instantOf(from), until: instantOf(to) }
  const since = {
    any: null,
    quarter: now - 15 * minuteMs,
    hour: now - 60 * minuteMs,
    today: new Date(now).setHours(0, 0, 0, 0),
    week: now - 7 * 24 * 60 * minuteMs,
  }[time]
  return { since, until: null }
}

function instantOf(text: string): number | null {
  const at = Date.parse(text)
  return Number.isFinite(at) ? at : null
}
