/** Every process that executes steps: whether it lives, what it has to do, what it can do. */

import { Server } from 'lucide-react'
import type { RunnerRecord } from '../../../src-engine/model/runner.ts'
import type { RunnerStanding } from '../../../src-engine/protocol/runner-standing.ts'
import { empty, fill, standings } from '../../text/messages.ts'
import { policyWords, trustWords as words } from '../../text/trust-words.ts'
import own from '../../trust/Trust.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { instantWords } from '../../ui/time-words.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './EnginePage.module.css'
import { Chores } from './lanes/Chores.tsx'
import { RunnerLanes } from './lanes/RunnerLanes.tsx'
import { PageError } from './PageError.tsx'
import {
  heartbeatWords,
  lookOfRunner,
  roomWords,
  sinceWords,
  sortedRunners,
  standingWords,
} from './runner-rows.ts'

export function RunnersPage() {
  const { answer, error } = useLiveAnswer('runners.list', {})
  if (answer === null) return <PageError error={error} />
  const { runners, now, standings: known } = answer
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
        {slots > 0 && <p data-testid="runners-room">{roomWords(known)}</p>}
      </header>
      {runners.length === 0 ? (
        <EmptyState icon={Server} text={empty.runners} />
      ) : (
        <table className={styles['table']} data-even data-testid="runners-table">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Runner</th>
              <th scope="col">Slots</th>
              <th scope="col">Load</th>
              <th scope="col">Pools</th>
              <th scope="col">Executes</th>
              <th scope="col">Heartbeat</th>
              <th scope="col">Started</th>
            </tr>
          </thead>
          <tbody>
            {sortedRunners(runners, now).map((runner) => (
              <Row
                key={runner.id}
                runner={runner}
                standing={known.find(({ runnerId }) => runnerId === runner.id) ?? null}
                isAlone={known.length === 1}
                now={now}
              />
            ))}
          </tbody>
        </table>
      )}
      <RunnerLanes runners={runners} />
      <Chores runners={runners} />
    </>
  )
}

function Row(props: {
  readonly runner: RunnerRecord
  /** Null for one that has stopped. */
  readonly standing: RunnerStanding | null
  /** Whether there is no other to compare it with. */
  readonly isAlone: boolean
  readonly now: number
}) {
  const { runner, standing, isAlone, now } = props
  const { process, active, slots, parentId } = runner
  const isHere = runner.stoppedAt === null
  const look = lookOfRunner(runner, now)
  const since = sinceWords(runner, now)
  return (
    <tr data-testid={`runner-${runner.id}`} data-faded={!isHere} data-state={look.label}>
      <td className={styles['nowrap']}>
        <StatusBadge style={look} />
        {since !== null && (
          <span className={styles['id']} title={new Date(runner.heartbeatAt).toLocaleString()}>
            {since}
          </span>
        )}
      </td>
      <td>
        <span className={styles['name']}>{`${process.host} · ${process.pid}`}</span>
        <code className={styles['id']}>{runner.id}</code>
        {parentId !== null && <span className={styles['id']}>{`started by ${parentId}`}</span>}
        {runner.labels.length > 0 && <span className={styles['id']}>{runner.labels.join('  ')}</span>}
      </td>
      <td>
        {isHere ? <Meter label="Busy slots" value={active} max={slots} /> : '—'}
        {standing !== null && <span className={styles['id']}>{standingWords(standing)}</span>}
      </td>
      <td>{standing === null ? '—' : <Load runner={runner} standing={standing} isAlone={isAlone} />}</td>
      <td>
        <span className={styles['chips']}>
          {runner.pools.map((pool) => (
            <span key={pool}>{pool}</span>
          ))}
        </span>
      </td>
      <td>
        <Policy runner={runner} />
      </td>
      <td className={styles['nowrap']}>{isHere ? heartbeatWords(now - runner.heartbeatAt) : '—'}</td>
      <td className={styles['nowrap']}>
        <time title={new Date(runner.startedAt).toLocaleString()}>{instantWords(runner.startedAt, now)}</time>
      </td>
    </tr>
  )
}

/** What it executes: whatever is published, or what somebody vouched for. */
function Policy({ runner: { trust } }: { readonly runner: RunnerRecord }) {
  const policy = trust?.policy ?? 'all'
  const { title, hint } = policyWords[policy]
  const count = trust?.definitions.length ?? 0
  return (
    <>
      <span className={own['policy']} data-policy={policy} title={hint}>
        {title}
      </span>
      {trust !== undefined && (
        <span className={styles['id']}>{fill(trust.more ? words.more : words.known, { count })}</span>
      )}
    </>
  )
}

/** Its score among the others, and what its host says: nothing where nothing is measured. */
function Load(props: {
  readonly runner: RunnerRecord
  readonly standing: RunnerStanding
  readonly isAlone: boolean
}) {
  const { cpuPercent, gpuPercent } = props.runner
  const { score, isFirst } = props.standing
  return (
    <span className={styles['loads']} data-testid="runner-load">
      <span title={standings.scoreHint}>
        {`Score ${score.toFixed(2)}`}
        {isFirst && !props.isAlone && <em className={styles['first']}>{standings.first}</em>}
      </span>
      {cpuPercent !== null && (
        <Meter label="CPU" value={cpuPercent} max={100} words={`${Math.round(cpuPercent)} % CPU`} />
      )}
      {gpuPercent !== null && (
        <Meter label="GPU" value={gpuPercent} max={100} words={`${Math.round(gpuPercent)} % GPU`} />
      )}
    </span>
  )
}
