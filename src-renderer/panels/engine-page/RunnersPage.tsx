/** Every process that executes steps: whether it lives, what it has to do, what it can do. */

import type { RunnerRecord } from '../../../src-engine/model/runner.ts'
import { empty } from '../../text/messages.ts'
import { Meter } from '../../ui/Meter.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { instantWords, spanWords } from '../../ui/time-words.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './EnginePage.module.css'
import { PageError } from './PageError.tsx'
import { heartbeatWords, lookOfRunner, runnerLooks, sortedRunners } from './runner-rows.ts'

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
        <p>{`${here.length} at work`}</p>
        <Meter
          label="Busy slots of all runners"
          value={busy}
          max={slots}
          words={`${busy} of ${slots} slots busy`}
        />
      </header>
      {runners.length === 0 ? (
        <p className={styles['none']}>{empty.runners}</p>
      ) : (
        <table className={styles['table']} data-even data-testid="runners-table">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Runner</th>
              <th scope="col">Slots</th>
              <th scope="col">Load</th>
              <th scope="col">Pools</th>
              <th scope="col">Heartbeat</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {sortedRunners(runners, now).map((runner) => (
              <Row key={runner.id} runner={runner} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Row({ runner, now }: { readonly runner: RunnerRecord; readonly now: number }) {
  const { process, active, slots, drainingSince, parentId } = runner
  const isHere = runner.stoppedAt === null
  const look = lookOfRunner(runner, now)
  return (
    <tr data-testid={`runner-${runner.id}`} data-faded={!isHere}>
      <td>
        <StatusBadge style={look} />
        {look === runnerLooks.draining && drainingSince !== null && (
          <span className={styles['id']}>{`for ${spanWords(Math.max(0, now - drainingSince))}`}</span>
        )}
      </td>
      <td>
        <span className={styles['name']}>{`${process.host} · ${process.pid}`}</span>
        <code className={styles['id']}>{runner.id}</code>
        {parentId !== null && <span className={styles['id']}>{`started by ${parentId}`}</span>}
        {runner.labels.length > 0 && <span className={styles['id']}>{runner.labels.join('  ')}</span>}
      </td>
      <td>{isHere ? <Meter label="Busy slots" value={active} max={slots} /> : '—'}</td>
      <td>{isHere ? <Load runner={runner} /> : '—'}</td>
      <td>
        <span className={styles['chips']}>
          {runner.pools.map((pool) => (
            <span key={pool}>{pool}</span>
          ))}
        </span>
      </td>
      <td>{isHere ? heartbeatWords(now - runner.heartbeatAt) : '—'}</td>
      <td>
        <time title={new Date(runner.startedAt).toLocaleString()}>{instantWords(runner.startedAt, now)}</time>
      </td>
    </tr>
  )
}

/** What its host says: nothing where nothing is measured. */
function Load({ runner: { cpuPercent, gpuPercent } }: { readonly runner: RunnerRecord }) {
  if (cpuPercent === null && gpuPercent === null) return <>—</>
  return (
    <span className={styles['loads']}>
      {cpuPercent !== null && (
        <Meter label="CPU" value={cpuPercent} max={100} words={`${Math.round(cpuPercent)} % CPU`} />
      )}
      {gpuPercent !== null && (
        <Meter label="GPU" value={gpuPercent} max={100} words={`${Math.round(gpuPercent)} % GPU`} />
      )}
    </span>
  )
}
