/** What the shown run knows of a node: input, output, error, log, attempt by attempt. */

import { useState } from 'react'
import type { AttemptRecord } from '../../../src-engine/model/attempt.ts'
import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { lookOf } from '../../canvas/node-look.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { useNodeRun } from '../../state/selectors.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { clockWords, spanWords } from '../../ui/time-words.ts'
import styles from './Inspector.module.css'
import { LogLines, useLog } from './LogLines.tsx'
import { PayloadView } from './PayloadView.tsx'

export function RunData({ id }: { readonly id: NodeId }) {
  const run = useNodeRun(id)
  const hasRun = useRuns((state) => state.current !== null)
  const [chosen, setChosen] = useState<number | null>(null)
  if (run === null) return <p className={styles['none']}>{hasRun ? empty.nodeNotRun : empty.noRun}</p>
  const { invocation, attempts } = run
  const look = lookOf(run)
  const past = attempts.find((one) => one.number === chosen) ?? null
  return (
    <div className={styles['section']} data-testid="run-data">
      <div className={styles['status']}>
        <StatusBadge style={look.style} />
        {look.reason !== null && invocation?.error === null && <span>{look.reason}</span>}
      </div>
      {attempts.length > 0 && <Attempts attempts={attempts} chosen={past} onChoose={setChosen} />}
      {invocation !== null && past === null && <Latest invocation={invocation} attempts={attempts} />}
      {past !== null && <Past attempt={past} />}
      {invocation?.status === 'APPROVAL_REQUIRED' && <Decision invocation={invocation} />}
    </div>
  )
}

function Attempts(props: {
  readonly attempts: readonly AttemptRecord[]
  readonly chosen: AttemptRecord | null
  readonly onChoose: (number: number | null) => void
}) {
  const { attempts, chosen, onChoose } = props
  return (
    <div className={styles['attempts']} role="group" aria-label="Attempts">
      <button type="button" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        Latest
      </button>
      {attempts.map((one) => (
        <button
          type="button"
          key={`${one.number}:${one.startedAt}`}
          aria-pressed={chosen === one}
          data-outcome={one.outcome}
          data-testid={`attempt-${one.number}`}
          onClick={() => onChoose(one.number)}
        >
          {`#${one.number} ${one.outcome} · ${spanWords(one.endedAt - one.startedAt)}`}
        </button>
      ))}
    </div>
  )
}

function Latest({
  invocation,
  attempts,
}: {
  readonly invocation: InvocationRecord
  readonly attempts: readonly AttemptRecord[]
}) {
  const log = useLog(attempts.at(-1)?.log ?? null, invocation.id)
  return (
    <>
      <Facts invocation={invocation} />
      {invocation.error !== null && <ErrorCard error={invocation.error} />}
      <PayloadView title="Output" payload={invocation.output} testId="run-output" />
      <PayloadView title="Input" payload={invocation.input} testId="run-input" />
      <LogLines lines={log} />
    </>
  )
}

function Past({ attempt: past }: { readonly attempt: AttemptRecord }) {
  const log = useLog(past.log, null)
  return (
    <>
      <dl className={styles['facts']}>
        <dt>Started</dt>
        <dd>{clockWords(past.startedAt)}</dd>
        <dt>Runner</dt>
        <dd>
          <code>{past.runnerId}</code>
        </dd>
      </dl>
      {past.error !== null && <ErrorCard error={past.error} />}
      <PayloadView title="Output" payload={past.output} />
      <PayloadView title="Input" payload={past.input} />
      <LogLines lines={log} />
    </>
  )
}

function Facts({ invocation }: { readonly invocation: InvocationRecord }) {
  const { startedAt, finishedAt } = invocation
  if (startedAt === null) return null
  return (
    <dl className={styles['facts']}>
      <dt>Started</dt>
      <dd>{clockWords(startedAt)}</dd>
      {finishedAt !== null && (
        <>
          <dt>Took</dt>
          <dd>{spanWords(finishedAt - startedAt)}</dd>
        </>
      )}
      {invocation.ports !== null && invocation.ports.length > 0 && invocation.ports[0] !== 'out' && (
        <>
          <dt>Went to</dt>
          <dd>{invocation.ports.join(', ')}</dd>
        </>
      )}
    </dl>
  )
}

export function ErrorCard({ error }: { readonly error: ErrorRecord }) {
  return (
    <div className={styles['error']} role="alert" data-testid="run-error-card">
      <b>{error.message}</b>
      {error.hint !== '' && <p>{error.hint}</p>}
      <code>{error.code}</code>
    </div>
  )
}

/** A step whose effect may have happened: a person says what it counts as. */
function Decision({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  return (
    <div className={styles['decision']}>
      <p>Its effect may have happened before it was cut off. Check the outside system, then choose.</p>
      <div>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => decide(designer, invocation, { kind: 'run-again' })}
        >
          Run again
        </button>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => decide(designer, invocation, { kind: 'take-as-done', output: null })}
        >
          Take as done
        </button>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          data-kind="danger"
          onClick={() => decide(designer, invocation, { kind: 'fail' })}
        >
          Fail
        </button>
      </div>
    </div>
  )
}

type DecisionKind =
  | { readonly kind: 'run-again' }
  | { readonly kind: 'take-as-done'; readonly output: null }
  | { readonly kind: 'fail' }

function decide(designer: Designer, invocation: InvocationRecord, decision: DecisionKind): void {
  const { id, runId } = invocation
  void attempt(designer, () =>
    designer.connection.call('invocations.resolve', { runId, invocationId: id, decision }),
  )
}
