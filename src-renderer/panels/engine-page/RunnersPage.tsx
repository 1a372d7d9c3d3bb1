/** Every process that executes steps: whether it lives, what it has to do, what it can do. */

import { CircleCheck, CirclePause, CircleSlash, ClockAlert } from 'lucide-react'
import type { RunnerRecord } from '../../../src-engine/model/runner.ts'
import type { StatusStyle } from '../../status/status-style.ts'
import { empty } from '../../text/messages.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { instantWords, spanWords } from '../../ui/time-words.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './EnginePage.module.css'
import { PageError } from './PageError.tsx'

/** Two missed heartbeats of the default interval. */
const silentAfterMs = 30_000

const still = (label: string, tone: StatusStyle['tone'], icon: StatusStyle['icon']): StatusStyle => ({
  label,
  tone,
  icon,
  isMoving: false,
})
const looks = {
  working: still('Working', 'good', CircleCheck),
  draining: still('Draining', 'wait', CirclePause),
  silent: still('Silent', 'bad', ClockAlert),
  stopped: still('Stopped', 'muted', CircleSlash),
}

/** What can be said of a runner from its row. */
function lookOfRunner(runner: RunnerRecord, now: number): StatusStyle {
  if (runner.stoppedAt !== null) return looks.stopped
  if (now - runner.heartbeatAt > silentAfterMs) return looks.silent
  return runner.drainingSince === null ? looks.working : looks.draining
}

export function RunnersPage() {
  const { answer, error } = useLiveAnswer('runners.list', {})
  if (answer === null) return <PageError error={error} />
  const { runners, now } = answer
  const here = runners.filter((runner) => runner.stoppedAt === null)
  const busy = here.reduce((sum, runner) => sum + runner.active, 0)
  const slots = here.reduce((sum, runner) => sum + runner.slots, 0)
  return (
    <>
      <header className={styles['head']}>
        <h1>Runners</h1>
        <p>{`${here.length} at work, ${busy} of ${slots} slots busy`}</p>
      </header>
      {runners.length === 0 ? (
        <p className={styles['none']}>{empty.runners}</p>
      ) : (
        <table className={styles['table']} data-testid="runners-table">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Runner</th>
              <th scope="col">Slots</th>
              <th scope="col">Pools</th>
              <th scope="col">Heartbeat</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {runners.map((runner) => (
              <Row key={runner.id} runner={runner} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Row({ runner, now }: { readonly runner: RunnerRecord; readonly now: number }) {
  const { process, active, slots } = runner
  const isHere = runner.stoppedAt === null
  return (
    <tr data-testid={`runner-${runner.id}`} data-faded={!isHere}>
      <td>
        <StatusBadge style={lookOfRunner(runner, now)} />
      </td>
      <td>
        <span className={styles['name']}>{`${process.host} · ${process.pid}`}</span>
        <code className={styles['id']}>{runner.id}</code>
        {runner.labels.length > 0 && <span className={styles['id']}>{runner.labels.join('  ')}</span>}
      </td>
      <td>
        <span className={styles['meter']}>
          <meter min={0} max={Math.max(1, slots)} value={isHere ? active : 0} aria-label="Busy slots" />
          <span>{isHere ? `${active} of ${slots}` : '—'}</span>
        </span>
      </td>
      <td>{runner.pools.join(', ')}</td>
      <td>{isHere ? `${spanWords(Math.max(0, now - runner.heartbeatAt))} ago` : '—'}</td>
      <td>
        <time title={new Date(runner.startedAt).toLocaleString()}>{instantWords(runner.startedAt, now)}</time>
      </td>
    </tr>
  )
}
