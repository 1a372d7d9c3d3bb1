/** Why a step isn't at work: what it waits for, who has it, where in line it stands, what can be done. */

import { runId as toRunId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../../src-engine/model/invocation-status.ts'
import type { PermitQueue, WhyWaiting } from '../../../src-engine/protocol/why-waiting.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { showRunOf } from '../../state/show-run.ts'
import { shownSite } from '../../state/site-lines.ts'
import { withClocks } from '../../status/wait-words.ts'
import { fill, why } from '../../text/messages.ts'
import { Meter } from '../../ui/Meter.tsx'
import { goingWords, momentWords } from '../../ui/time-words.ts'
import { useClockWords } from '../../ui/use-clock.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './Inspector.module.css'

const waiting: ReadonlySet<InvocationStatus> = new Set([
  'REGISTERED',
  'REROUTED',
  'RETRY',
  'CONCURRENCY_CONTROLLED',
  'WAITING',
])
/** The others are counted. */
const holdersMax = 5

/** Nothing for a step that is at work or has ended. */
export function WhyWaits({ invocation }: { readonly invocation: InvocationRecord }) {
  return waiting.has(invocation.status) ? <Asked invocation={invocation} /> : null
}

function Asked({ invocation: { id, runId, nodeId } }: { readonly invocation: InvocationRecord }) {
  const { answer } = useLiveAnswer('runs.why', { runId, nodeId })
  const reason = answer?.waiting.find((one) => one.invocationId === id) ?? null
  return reason === null ? null : <Reason reason={reason} />
}

function Reason({ reason }: { readonly reason: WhyWaiting }) {
  const { message, since, until, permit, help } = reason
  const waited = useClockWords(true, (now) => goingWords(since, now))
  return (
    <section className={styles['why']} aria-label={why.title} data-testid="why-waits">
      <h3>{why.title}</h3>
      <p>{withClocks(message)}</p>
      {permit !== null && <Line permit={permit} />}
      <dl className={styles['facts']}>
        <dt>For</dt>
        <dd>{waited}</dd>
        {until !== null && (
          <>
            <dt>Until</dt>
            <dd>{`${momentWords(until)} at the latest`}</dd>
          </>
        )}
      </dl>
      {help !== '' && <p className={styles['lead']}>{help}</p>}
    </section>
  )
}

/** The line in front of a permit. */
function Line({ permit }: { readonly permit: PermitQueue }) {
  const { key, limit, holders, position, waiting: count } = permit
  return (
    <>
      <Meter
        label={key}
        value={holders.length}
        max={limit}
        words={fill(why.used, { used: holders.length, limit })}
      />
      <p>{fill(why.position, { position, count })}</p>
      <ul className={styles['holders']}>
        {holders.slice(0, holdersMax).map((holder) => (
          <Holder key={holder} holder={holder} />
        ))}
        {holders.length > holdersMax && <li>{`and ${holders.length - holdersMax} more`}</li>}
      </ul>
    </>
  )
}

/** A step of this run by its name, another run by the way to it. */
function Holder({ holder }: { readonly holder: string }) {
  const designer = useDesigner()
  const own = useRuns(
    ({ current }) =>
      [...(current?.live.replay.invocations.values() ?? [])].find(({ id }) => id === holder)?.nodeId ?? null,
  )
  if (own !== null) return <li>{`“${own}” of this run`}</li>
  if (!holder.startsWith('run_')) {
    return (
      <li>
        <code>{holder}</code>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        onClick={() =>
          void showRunOf(designer, { runId: toRunId(holder), nodeId: null, site: shownSite(designer) })
        }
      >
        {holder}
      </button>
    </li>
  )
}
