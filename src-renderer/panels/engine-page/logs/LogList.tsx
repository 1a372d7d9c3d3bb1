/** The entries as a list: arrow keys go through it, Enter and a press lead to the run at that moment. */

import type { LucideIcon } from 'lucide-react'
import { CircleX, Dot, Info, TriangleAlert } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { LogEntry, LogLevel } from '../../../../src-engine/protocol/history.ts'
import { useDesigner } from '../../../state/context.ts'
import { showMoment } from '../../../state/show-moment.ts'
import { levelWords, logWords as words } from '../../../text/log-words.ts'
import { clockWords, momentWords } from '../../../ui/time-words.ts'
import styles from './Logs.module.css'
import { placeOf } from './log-place.ts'

const icons: Readonly<Record<LogLevel, LucideIcon>> = {
  debug: Dot,
  info: Info,
  warn: TriangleAlert,
  error: CircleX,
}

export function LogList({ entries }: { readonly entries: readonly LogEntry[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys go from one of its buttons to the next
    <ol className={styles['list']} aria-label={words.list} data-testid="log-list" onKeyDown={walk}>
      {entries.map((entry, index) => (
        <Row key={entry.id} entry={entry} isFirst={index === 0} />
      ))}
    </ol>
  )
}

function Row({ entry, isFirst }: { readonly entry: LogEntry; readonly isFirst: boolean }) {
  const designer = useDesigner()
  const { at, level, stream, text, runId, nodeId, invocationId, seq, runnerId } = entry
  const place = placeOf(entry, designer.specs)
  const Icon = icons[level]
  const open = (): void => {
    if (runId !== null) void showMoment(designer, { runId, nodeId, invocationId, seq })
  }
  return (
    <li>
      <button
        type="button"
        className={styles['row']}
        data-testid="log-row"
        data-level={level}
        data-stream={stream === 'event' ? 'event' : 'line'}
        aria-disabled={runId === null || undefined}
        tabIndex={isFirst ? 0 : -1}
        title={[momentWords(at), runId, place.id, runnerId].filter((one) => one !== null).join(' · ')}
        onClick={open}
      >
        <time dateTime={new Date(at).toISOString()}>{timeWords(at)}</time>
        <span className={styles['level']}>
          <Icon size={14} strokeWidth={2.2} aria-hidden />
          <span className="visually-hidden">{levelWords[level]}</span>
        </span>
        <span className={styles['where']}>
          <b>
            {place.title}
            {place.turn !== '' && <small>{place.turn}</small>}
          </b>
          <span>{titleWords(entry)}</span>
        </span>
        <span className={styles['text']}>
          {text}
          {stream !== 'event' && stream !== 'task' && <em>{stream}</em>}
        </span>
      </button>
    </li>
  )
}

/** Within a day the date says nothing. */
function timeWords(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return isToday ? clockWords(at) : momentWords(at)
}

const titleWords = ({ workflowTitle, runId }: LogEntry): string =>
  runId === null ? '' : (workflowTitle ?? words.unnamed)

/** Moves the keyboard through the rows. */
function walk(event: KeyboardEvent<HTMLOListElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = rows.findIndex((row) => row === event.currentTarget.ownerDocument.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  const row = next === undefined ? undefined : rows[next]
  if (row === undefined) return
  event.preventDefault()
  event.stopPropagation()
  row.focus()
}
