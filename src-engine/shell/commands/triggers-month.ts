/** `triggers month`: every day of a month, with what is scheduled on it and where it gets tight. */

import type { MonthDay } from '../../model/month-view.ts'
import type { ScheduleMonth } from '../../protocol/triggers.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import { spanText, tableText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withSession } from './with-session.ts'

/** Prints the month of all published schedules. */
export function monthAction(context: CommandContext, [text]: readonly string[]): Promise<ExitCode> {
  const { zone, workers } = context.flags
  const request = {
    ...monthOfText(text ?? new Date(systemClock.now()).toISOString().slice(0, 7)),
    timeZone: typeof zone === 'string' ? zone : 'UTC',
    workers: typeof workers === 'string' ? workersOf(workers) : null,
  }
  return withSession(context, 'look', async (session): Promise<ExitCode> => {
    show(context, await session.call('triggers.month', request))
    return 0
  })
}

function monthOfText(text: string): { readonly year: number; readonly month: number } {
  const [, year = '', month = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year !== '') return { year: Number(year), month: Number(month) }
  throw usageError(`“${text}” is no month.`, 'Write it as 2026-03.')
}

function workersOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw usageError(`“${text}” is no number of workers.`, '--workers is a number from 1 to 9999.')
}

function show({ json, emit, terminal }: CommandContext, view: ScheduleMonth): void {
  const { days, schedules, titles, unreadable } = view
  if (json) {
    for (const { id, ...schedule } of schedules) {
      emit({ type: 'month.schedule', id, title: titles[id] ?? id, ...schedule })
    }
    for (const day of days) emit({ type: 'month.day', ...day })
    return
  }
  const { bold, dim, yellow } = terminal.colors
  for (const { id, words, firesCount, isCounted, durationMs } of schedules) {
    const long = durationMs === null ? 'no run has ended yet' : `takes ${spanText(durationMs)}`
    const more = isCounted ? `${long}, too often to look at each` : long
    terminal.line(`${bold(titles[id] ?? id)}  ${words}  ${dim(`${firesCount} times, ${more}`)}`)
  }
  for (const { id, message } of unreadable) terminal.line(yellow(`${titles[id] ?? id}: ${message}`))
  if (schedules.length === 0) {
    terminal.line('No schedule is on.')
    return
  }
  terminal.line('')
  for (const row of tableText(days.map((day) => rowOf(day, titles)))) terminal.line(row.trimEnd())
}

function rowOf(day: MonthDay, titles: ScheduleMonth['titles']): readonly string[] {
  const { date, firesCount, peak, waits, skippedCount, clockShiftMs, shifted, missing } = day
  const nameOf = (id: string): string => titles[id] ?? id
  const marks = [
    ...(skippedCount === 0 ? [] : [`${skippedCount} skipped for a run that still goes on`]),
    ...(waits.count === 0 ? [] : [`${waits.count} wait, up to ${spanText(waits.longestMs)}`]),
    ...(clockShiftMs === 0 ? [] : [`clocks go ${clockShiftMs > 0 ? 'forward' : 'back'}`]),
    ...(shifted.length === 0 ? [] : [`moved: ${namesOf(shifted, nameOf)}`]),
    ...(missing.length === 0 ? [] : [`not this month: ${namesOf(missing, nameOf)}`]),
  ]
  return [
    date,
    firesCount === 1 ? '1 start' : `${firesCount} starts`,
    peak === null || peak.count < 2 ? '' : `${peak.count} at once`,
    marks.join('; '),
  ]
}

const namesOf = (marked: readonly { readonly id: string }[], nameOf: (id: string) => string): string =>
  [...new Set(marked.map(({ id }) => nameOf(id)))].join(', ')
