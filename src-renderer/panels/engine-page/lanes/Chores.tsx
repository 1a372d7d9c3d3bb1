/** Whose turn it is at the periodic chores: the windows of the cycle, and how the last turns went. */

import { CircleCheck, CircleSlash, CircleX, LoaderCircle } from 'lucide-react'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import type {
  AtomicServiceSlot,
  AtomicServiceStatus,
  AtomicServiceTurn,
} from '../../../../src-engine/protocol/atomic-service.ts'
import type { StatusStyle } from '../../../status/status-style.ts'
import { reasonWords, turnKinds, turnStatuses, choreWords as words } from '../../../text/lane-words.ts'
import { fill } from '../../../text/messages.ts'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { aheadWords, clockWords, spanWords } from '../../../ui/time-words.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { choreStrip } from './chore-windows.ts'
import styles from './Lanes.module.css'
import type { LaneSpan } from './lane-rows.ts'
import { TimeAxis } from './TimeAxis.tsx'

/** As many as the strip has room for; the table has fewer. */
const turnsAsked = 60
const turnsListed = 8

export function Chores({ runners }: { readonly runners: readonly RunnerRecord[] }) {
  const { answer, error } = useLiveAnswer('atomicService.status', { limit: turnsAsked })
  const nameOf = (id: string): string => {
    const runner = runners.find((one) => one.id === id)
    return runner === undefined ? id : `${runner.process.host} · ${runner.process.pid}`
  }
  return (
    <section className={styles['section']} aria-label={words.title} data-testid="chores">
      <header className={styles['head']}>
        <h2>{words.title}</h2>
        <p>{words.lead}</p>
      </header>
      {answer === null ? <PageError error={error} /> : <Known status={answer} nameOf={nameOf} />}
    </section>
  )
}

interface Shown {
  readonly status: AtomicServiceStatus
  readonly nameOf: (id: string) => string
}

function Known({ status, nameOf }: Shown) {
  const { slots, turns, running, now, intervalMs, marginMs } = status
  const cycle = spanWords(intervalMs)
  return (
    <>
      {slots.length === 0 ? (
        <p className={styles['none']}>{words.none}</p>
      ) : (
        <>
          <p className={styles['note']}>
            {slots.length === 1
              ? fill(words.cycleOfOne, { cycle })
              : fill(words.cycle, { cycle, margin: spanWords(marginMs) })}
            {running !== null &&
              ` ${fill(words.at, { runner: nameOf(running.runnerId), span: spanWords(now - running.startedAt) })}`}
          </p>
          <Strip status={status} nameOf={nameOf} />
        </>
      )}
      <h3 className={styles['subhead']}>{words.turns}</h3>
      {turns.length === 0 ? (
        <p className={styles['note']}>{words.noTurns}</p>
      ) : (
        <Turns turns={turns.slice(0, turnsListed)} nameOf={nameOf} />
      )}
    </>
  )
}

function Strip({ status, nameOf }: Shown) {
  const { slots, now } = status
  const { span, windows, turns } = choreStrip(status)
  return (
    <section className={styles['strip']} aria-label={words.strip} data-testid="chores-strip">
      <TimeAxis span={span} />
      {slots.map((slot) => (
        <div key={slot.runnerId} className={styles['slot']} data-own={slot.isOwnerNow || undefined}>
          <span className={styles['name']} title={slot.runnerId}>
            {nameOf(slot.runnerId)}
          </span>
          <div className={styles['track']}>
            {windows
              .filter(({ runnerId }) => runnerId === slot.runnerId)
              .map(({ from, to, isCurrent }) => (
                <i
                  key={from}
                  data-current={isCurrent || undefined}
                  title={fill(words.window, {
                    runner: nameOf(slot.runnerId),
                    from: clockWords(from).slice(0, 8),
                    to: clockWords(to).slice(0, 8),
                  })}
                  style={placed(span, { from, to })}
                />
              ))}
            {turns
              .filter(({ runnerId }) => runnerId === slot.runnerId)
              .map((turn) => (
                <TurnMark key={turn.id} turn={turn} span={span} />
              ))}
            <b
              className={styles['needle']}
              style={{ left: placed(span, { from: now, to: now }).left }}
              aria-hidden
            />
          </div>
          <SlotWords slot={slot} now={now} />
        </div>
      ))}
    </section>
  )
}

function SlotWords({ slot, now }: { readonly slot: AtomicServiceSlot; readonly now: number }) {
  const { isOwnerNow, reason, skipMessage, nextStart, slotStart } = slot
  const next = nextStart === null ? words.noWindow : fill(words.next, { when: aheadWords(nextStart, now) })
  const own = isOwnerNow && slotStart !== null ? words.own : null
  return (
    <span className={styles['slotWords']} title={skipMessage ?? undefined} data-reason={reason}>
      {[own, reason === 'ASSIGNED' && own !== null ? null : reasonWords(reason), own === null ? next : null]
        .filter((text) => text !== null)
        .join(' · ')}
    </span>
  )
}

const looks: Readonly<Record<AtomicServiceTurn['status'], Omit<StatusStyle, 'label'>>> = {
  RUNNING: { tone: 'active', icon: LoaderCircle, isMoving: true },
  COMPLETED: { tone: 'good', icon: CircleCheck, isMoving: false },
  ABANDONED: { tone: 'bad', icon: CircleX, isMoving: false },
  BLOCKED: { tone: 'muted', icon: CircleSlash, isMoving: false },
}

function TurnMark({ turn, span }: { readonly turn: AtomicServiceTurn; readonly span: LaneSpan }) {
  const { icon: Icon, tone } = looks[turn.status]
  const why = turn.reason === null ? '' : `: ${reasonWords(turn.reason)}`
  const said = `${clockWords(turn.startedAt)} ${turnStatuses[turn.status]}, ${turnKinds[turn.kind]}${why}`
  return (
    <span
      className={styles['turn']}
      data-tone={tone}
      data-turn={turn.status}
      title={said}
      style={{ left: placed(span, { from: turn.startedAt, to: turn.startedAt }).left }}
    >
      <Icon size={12} strokeWidth={2.4} aria-hidden />
      <span className="visually-hidden">{said}</span>
    </span>
  )
}

function Turns({
  turns,
  nameOf,
}: {
  readonly turns: readonly AtomicServiceTurn[]
  readonly nameOf: Shown['nameOf']
}) {
  const { columns } = words
  return (
    <table className={page['table']} data-testid="chore-turns">
      <thead>
        <tr>
          {[columns.when, columns.who, columns.how, columns.outcome, columns.took, columns.why].map(
            (title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {turns.map(({ id, runnerId, kind, status, startedAt, endedAt, reason }) => (
          <tr key={id} data-status={status}>
            <td className={page['nowrap']}>{clockWords(startedAt)}</td>
            <td title={runnerId}>{nameOf(runnerId)}</td>
            <td>{turnKinds[kind]}</td>
            <td>
              <StatusBadge style={{ ...looks[status], label: turnStatuses[status] }} />
            </td>
            <td className={page['nowrap']}>{endedAt === null ? '—' : spanWords(endedAt - startedAt)}</td>
            <td className={page['words']}>{reason === null ? '—' : reasonWords(reason)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const placed = (span: LaneSpan, { from, to }: LaneSpan) => {
  const share = (ms: number): number => (ms / (span.to - span.from)) * 100
  return { left: `${share(from - span.from)}%`, width: `${share(to - from)}%` }
}
