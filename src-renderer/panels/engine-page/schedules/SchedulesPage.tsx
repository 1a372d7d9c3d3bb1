/** A month of everything that is scheduled, as a calendar: what starts, where it gets tight, what clocks do. */

import { CalendarClock, ChevronLeft, ChevronRight } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { ScheduleMonth } from '../../../../src-engine/protocol/triggers.ts'
import { fill } from '../../../text/messages.ts'
import { schedules as words } from '../../../text/schedule-words.ts'
import { EmptyState, WorkflowFirst } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { spanWords } from '../../../ui/time-words.ts'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import page from '../EnginePage.module.css'
import { DayDetail } from './DayDetail.tsx'
import { dayAfter } from './day-lines.ts'
import { monthAt, monthCells } from './month-cells.ts'
import styles from './Schedules.module.css'

export function SchedulesPage() {
  const today = new Date(useSlowClock())
  const [away, setAway] = useState(0)
  const month = monthAt({ year: today.getFullYear(), month: today.getMonth() + 1 }, away)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const view = useAnswer('triggers.month', { ...month, timeZone, workers: null })
  const [picked, setPicked] = useState<string | null>(null)
  const day = view?.days.find(({ date }) => date === picked)
  const title = `${words.months[month.month - 1]} ${month.year}`
  return (
    <div data-testid="schedules-page">
      <header className={page['head']}>
        <h1>{words.page}</h1>
        <p>{words.lead}</p>
      </header>
      <div className={styles['bar']}>
        <IconButton icon={ChevronLeft} label={words.earlier} onClick={() => setAway(away - 1)} />
        <h2 data-testid="schedules-month">{title}</h2>
        <IconButton icon={ChevronRight} label={words.later} onClick={() => setAway(away + 1)} />
        <span>{timeZone}</span>
      </div>
      {view !== null && view.schedules.length + view.unreadable.length === 0 && (
        <EmptyState icon={CalendarClock} text={words.none}>
          <WorkflowFirst />
        </EmptyState>
      )}
      {view !== null && view.schedules.length > 0 && (
        <>
          <Calendar view={view} title={title} picked={picked} onPick={setPicked} />
          {day !== undefined && <DayDetail day={day} view={view} />}
          <Schedules view={view} />
        </>
      )}
      {view?.unreadable.map(({ id, message }) => (
        <p key={id} className={styles['unreadable']} role="alert">
          <b>{view.titles[id] ?? id}</b> {message}
        </p>
      ))}
    </div>
  )
}

function Calendar(props: {
  readonly view: ScheduleMonth
  readonly title: string
  readonly picked: string | null
  readonly onPick: (date: string) => void
}) {
  const { view, title, picked, onPick } = props
  const dates = view.days.map(({ date }) => date)
  // One stop of the Tab key; arrows go from day to day.
  const stop = picked !== null && dates.includes(picked) ? picked : dates[0]
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const index = dates.indexOf(stop ?? '')
    const next = dates[dayAfter(event.key, index, dates.length)]
    if (next === undefined || next === stop) return
    event.preventDefault()
    onPick(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
  }
  const cells = monthCells(view)
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => cells[week * 7 + index] ?? null),
  )
  return (
    <table className={styles['month']} aria-label={fill(words.month, { month: title })}>
      <thead>
        <tr>
          {words.weekdays.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday}
            </th>
          ))}
        </tr>
      </thead>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons take the focus */}
      <tbody onKeyDown={onKeyDown}>
        {weeks.map((week, number) => (
          // Weeks have no identity but their place in the month.
          <tr key={number}>
            {week.map((cell, index) => (
              <td
                key={index}
                data-heat={cell?.heat}
                data-tight={cell?.isTight || undefined}
                data-testid={cell === null ? undefined : `day-${cell.date}`}
              >
                {cell !== null && (
                  <button
                    type="button"
                    data-day={cell.date}
                    aria-pressed={cell.date === picked}
                    tabIndex={cell.date === stop ? 0 : -1}
                    onClick={() => onPick(cell.date)}
                  >
                    <time dateTime={cell.date}>{cell.day}</time>
                    <b>{cell.starts}</b>
                    {cell.notes.map((note) => (
                      <small key={note}>{note}</small>
                    ))}
                  </button>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Schedules({ view }: { readonly view: ScheduleMonth }) {
  const { columns } = words
  return (
    <table className={page['table']} data-testid="schedules-table">
      <thead>
        <tr>
          {[columns.schedule, columns.words, columns.starts, columns.takes].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.schedules.map(({ id, words: said, firesCount, durationMs, isCounted }) => (
          <tr key={id}>
            <td>{view.titles[id] ?? id}</td>
            <td>{said}</td>
            <td title={isCounted ? words.counted : undefined}>
              {firesCount.toLocaleString('en-GB')}
              {isCounted && ' *'}
            </td>
            <td>{durationMs === null ? words.unknown : spanWords(durationMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
