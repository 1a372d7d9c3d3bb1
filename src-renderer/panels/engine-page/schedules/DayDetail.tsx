/** A day that was picked in the calendar. */

import type { MonthDay } from '../../../../src-engine/model/month-view.ts'
import type { ScheduleMonth } from '../../../../src-engine/protocol/triggers.ts'
import { fill } from '../../../text/messages.ts'
import { schedules as words } from '../../../text/schedule-words.ts'
import { dayLines } from './day-lines.ts'
import styles from './Schedules.module.css'

export function DayDetail({ day, view }: { readonly day: MonthDay; readonly view: ScheduleMonth }) {
  const { starts, notes } = dayLines(day, view)
  const title = fill(words.day, { date: day.date })
  return (
    <section className={styles['day']} aria-label={title} aria-live="polite" data-testid="day-detail">
      <h3>{title}</h3>
      {starts.length === 0 && <p>{words.quiet}</p>}
      <ul>
        {starts.map(({ id, name, count }) => (
          <li key={id}>
            <b>{count.toLocaleString('en-GB')} ×</b> {name}
          </li>
        ))}
        {notes.map((note) => (
          <li key={note} data-tone="wait">
            {note}
          </li>
        ))}
      </ul>
    </section>
  )
}
