/** What the shown run knows of a node: input, output, error, log, attempt by attempt. */

import { useMemo, useState } from 'react'
import type { AttemptRecord } from '../../../src-engine/model/attempt.ts'
import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { beganAt, lastTurnMs } from '../../canvas/loop-times.ts'
import { lookOf } from '../../canvas/node-look.ts'
import { undoPhaseOf } from '../../canvas/undo-look.ts'
import type { ValuePath } from '../../forms/expression-path.ts'
import { outputOf } from '../../forms/expression-path.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { followValueOf } from '../../state/follow-value.ts'
import { shownModel, shownUntil } from '../../state/runs-store.ts'
import { useNodePlace, useNodeRun } from '../../state/selectors.ts'
import { invocationStyle } from '../../status/status-style.ts'
import { empty, fill } from '../../text/messages.ts'
import { takenItems } from '../../text/result-words.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { clockWords, spanWords } from '../../ui/time-words.ts'
import { Decided, Question } from './ApprovalOfStep.tsx'
import { CallbackAddress } from './CallbackAddress.tsx'
import { ChildRun } from './ChildRun.tsx'
import styles from './Inspector.module.css'
import { LogLines, useLog } from './LogLines.tsx'
import { PayloadView } from './PayloadView.tsx'
import { ReusedResult } from './ReusedResult.tsx'
import { SignalForm } from './SignalForm.tsx'
import { StepControls } from './StepControls.tsx'
import { StepHistory } from './step-history/StepHistory.tsx'
import { TurnPicker } from './TurnPicker.tsx'
import { UndoneBy } from './UndoneBy.tsx'
import { WhyWaits } from './WhyWaits.tsx'

/** The engine answers for every turn at once: of more than these it isn't asked again and again. */
const askedTurnsMax = 200

export function RunData({ id }: { readonly id: NodeId }) {
  const run = useNodeRun(id)
  const hasRun = useRuns((state) => state.current !== null)
  const isNow = useRuns(
    (state) => state.current !== null && shownUntil(state.current) === Number.POSITIVE_INFINITY,
  )
  const place = useNodePlace(id)
  const earlier = useEarlierTries(id, place)
  const [earlierId, setEarlierId] = useState<string | null>(null)
  if (run === null && place !== '') {
    return (
      <div className={styles['section']} data-testid="run-data">
        <TurnPicker id={id} path={place} />
        <p className={styles['none']}>{empty.turnNotRun}</p>
      </div>
    )
  }
  if (run === null) return <p className={styles['none']}>{hasRun ? empty.nodeNotRun : empty.noRun}</p>
  const { invocation } = run
  const look = lookOf(run)
  const past = earlier.find((one) => one.id === earlierId) ?? null
  const shown = past ?? invocation
  return (
    <div className={styles['section']} data-testid="run-data">
      <div className={styles['status']}>
        <StatusBadge style={look.style} />
        {look.reason !== null && invocation?.error === null && <span>{look.reason}</span>}
      </div>
      <TurnPicker id={id} path={place} />
      {invocation?.status === 'APPROVAL_REQUIRED' && isNow && (
        <Question key={`decide ${invocation.id}`} invocation={invocation} />
      )}
      {invocation?.dispatch?.approval !== undefined && <Decided decision={invocation.dispatch.approval} />}
      {run.undo !== null && undoPhaseOf(run.undo) !== 'recorded' && <UndoneBy undo={run.undo} />}
      {invocation !== null && isNow && <SignalForm key={`signal ${invocation.id}`} invocation={invocation} />}
      {invocation !== null && isNow && (
        <CallbackAddress key={`called ${invocation.id}`} invocation={invocation} />
      )}
      {invocation !== null && isNow && <StepControls invocation={invocation} />}
      {invocation !== null && isNow && (run.turns?.total ?? 0) <= askedTurnsMax && (
        <WhyWaits key={`why ${invocation.id}`} invocation={invocation} />
      )}
      {earlier.length > 0 && <Tries earlier={earlier} chosen={past} onChoose={setEarlierId} />}
      {shown !== null && <ChildRun invocation={shown} />}
      {shown !== null && <ReusedResult invocation={shown} />}
      {shown !== null && <OneTry key={`try ${shown.id}`} invocation={shown} />}
    </div>
  )
}

/** What the step did before somebody had the run go on from it, or from before it: newest first. */
function useEarlierTries(id: NodeId, path: string): readonly InvocationRecord[] {
  const invocations = useRuns(({ current }) =>
    current === null ? null : shownModel(current).replay.invocations,
  )
  const generation = useNodeRun(id)?.invocation?.generation ?? 0
  return useMemo(() => {
    if (generation === 0 || invocations === null) return []
    return [...invocations.values()]
      .filter((one) => one.nodeId === id && one.path === path && one.generation < generation)
      .toSorted((left, right) => right.generation - left.generation)
  }, [invocations, generation, id, path])
}

function Tries(props: {
  readonly earlier: readonly InvocationRecord[]
  readonly chosen: InvocationRecord | null
  readonly onChoose: (id: string | null) => void
}) {
  const { earlier, chosen, onChoose } = props
  return (
    <fieldset className={styles['attempts']} aria-label="Before it was retried">
      <button type="button" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        This time
      </button>
      {earlier.map((one) => (
        <button
          type="button"
          key={one.id}
          aria-pressed={chosen === one}
          data-outcome={one.error === null ? undefined : 'failed'}
          data-testid={`try-${one.generation}`}
          onClick={() => onChoose(one.id)}
        >
          {`Before · ${invocationStyle[one.status].label}`}
        </button>
      ))}
    </fieldset>
  )
}

/** One try with its attempts. */
function OneTry({ invocation }: { readonly invocation: InvocationRecord }) {
  const all = useRuns(({ current }) => (current === null ? null : shownModel(current).replay.attempts))
  const [chosen, setChosen] = useState<number | null>(null)
  const attempts = useMemo(
    () => (all ?? []).filter((attempt) => attempt.invocationId === invocation.id),
    [all, invocation.id],
  )
  const past = attempts.find((one) => one.number === chosen) ?? null
  return (
    <>
      {attempts.length > 0 && <Attempts attempts={attempts} chosen={past} onChoose={setChosen} />}
      {past === null ? <Latest invocation={invocation} attempts={attempts} /> : <Past attempt={past} />}
      <StepHistory id={invocation.id} />
    </>
  )
}

function Attempts(props: {
  readonly attempts: readonly AttemptRecord[]
  readonly chosen: AttemptRecord | null
  readonly onChoose: (number: number | null) => void
}) {
  const { attempts, chosen, onChoose } = props
  return (
    <fieldset className={styles['attempts']} aria-label="Attempts">
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
          {`#${one.number} ${one.outcome.replaceAll('-', ' ')} · ${spanWords(one.endedAt - one.startedAt)}`}
        </button>
      ))}
    </fieldset>
  )
}

function Latest({
  invocation,
  attempts,
}: {
  readonly invocation: InvocationRecord
  readonly attempts: readonly AttemptRecord[]
}) {
  const designer = useDesigner()
  const log = useLog(attempts.at(-1)?.log ?? null, invocation.id)
  const { runId, nodeId, path } = invocation
  const following = (of: 'output' | 'parameters') => (field: ValuePath) =>
    void followValueOf(designer, { runId, nodeId, path, of, field })
  // What undoes a step is called with what the step gave, by the engine itself.
  const isForward = invocation.role === 'forward'
  return (
    <>
      <Facts invocation={invocation} attempts={attempts} />
      {/* While it waits for a person, the form above says what this error is. */}
      {invocation.error !== null && invocation.status !== 'APPROVAL_REQUIRED' && (
        <ErrorCard error={invocation.error} />
      )}
      {/* While it waits, its record holds what it may hand on later: that is no output yet. */}
      <PayloadView
        title="Output"
        payload={invocation.status === 'WAITING' ? null : invocation.output}
        root={isForward ? outputOf(nodeId) : null}
        testId="run-output"
        {...(isForward ? { onFollow: following('output') } : {})}
      />
      <PayloadView
        title="Called with"
        payload={invocation.input}
        testId="run-input"
        {...(isForward ? { onFollow: following('parameters') } : {})}
      />
      <PayloadView title="Log" payload={sealedLog(attempts.at(-1))} />
      <LogLines lines={log} />
    </>
  )
}

/** One without lines to show says what keeps them. */
const sealedLog = (attempt: AttemptRecord | undefined): Payload | null =>
  attempt?.log?.kind === 'sealed' ? attempt.log : null

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
      <PayloadView title="Called with" payload={past.input} />
      <PayloadView title="Log" payload={sealedLog(past)} />
      <LogLines lines={log} />
    </>
  )
}

function Facts(props: {
  readonly invocation: InvocationRecord
  readonly attempts: readonly AttemptRecord[]
}) {
  const { invocation, attempts } = props
  const { finishedAt } = invocation
  const startedAt = beganAt(invocation, attempts)
  const turnMs = lastTurnMs(invocation, attempts)
  const takenCount = (invocation.dispatch?.taken ?? []).reduce((sum, { count }) => sum + count, 0)
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
      {turnMs !== null && (
        <>
          <dt>Last turn</dt>
          <dd data-testid="last-turn">{spanWords(turnMs)}</dd>
        </>
      )}
      {takenCount > 0 && (
        <>
          <dt>{takenItems.title}</dt>
          <dd data-testid="taken-items">{fill(takenItems.count, { count: takenCount })}</dd>
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

function ErrorCard({ error }: { readonly error: ErrorRecord }) {
  return (
    <div className={styles['error']} role="alert" data-testid="run-error-card">
      <b>{error.message}</b>
      {error.hint !== '' && <p>{error.hint}</p>}
      <code>{error.code}</code>
    </div>
  )
}
