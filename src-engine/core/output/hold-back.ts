/** Holding a result back: before it is handed on, or afterwards, when others may have begun to work with it. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { OutputCheck } from '../../model/output/output-check.ts'
import type { Payload } from '../../model/payload.ts'
import { dispatchWith } from '../control/hold.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import {
  changeRun,
  createDraft,
  finishDraft,
  moveInvocation,
  nodeOf,
  recordOf,
  runIsFinal,
  touchInvocation,
} from '../draft.ts'
import { tellsResult } from '../effects.ts'
import { handlingPorts } from '../handling-ports.ts'
import { propagateFrom } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { isLoser } from '../run-state.ts'
import { rollBack } from '../saga/act.ts'
import { runOutputAnew, settle } from '../settle.ts'
import { failureAt, noteFailure } from '../stopping.ts'
import { begunWith, handsOn, isAround } from './dependents.ts'

/** What a check that holds a result back says before anything is known of the others. */
export type FreshCheck = Omit<OutputCheck, 'held' | 'input' | 'ports' | 'dependents' | 'dependentsCount'>

/** The result of an attempt that is over is kept from everybody: its error port, or the end of its run. */
export function withhold(
  draft: Draft,
  record: InvocationRecord,
  held: { readonly check: OutputCheck; readonly input: Payload | null; readonly attempt: AttemptRecord },
): void {
  const { check, input, attempt } = held
  const node = nodeOf(draft, record)
  const ports = handlingPorts(node)
  const error = failureAt(record, quarantineError(record, check))
  const after = moveInvocation(draft, record.id, {
    to: 'OUTPUT_QUARANTINED',
    cause: causeOf(record, check),
    set: {
      input: null,
      output: null,
      ports,
      error,
      dispatch: dispatchWith(record, { check: { ...check, input } }),
    },
    attempt: { ...attempt, input: null },
  })
  // Nobody waits for what a join needed no longer: it must not become the run's failure.
  if (ports === null && !isLoser(after)) noteFailure(draft, error, record.path)
  else propagateFrom(draft, node, after)
}

/** A loser stays one: the cause of a record says so. */
const causeOf = (record: InvocationRecord, { rule }: FreshCheck) =>
  isLoser(record) ? record.cause : { kind: 'quarantine', by: rule, detail: null }

/** Why a step whose result is held back has none. */
function quarantineError(
  { nodeId }: Pick<InvocationRecord, 'nodeId'>,
  { rule, phase, reason, decision }: FreshCheck,
): ErrorRecord {
  const why = reason === '' ? '' : ` ${reason}`
  const by = rule === null ? '' : ` (rule “${rule}”)`
  const message = `The result of “${nodeId}” is held back${by}:${why === '' ? ' the output policy says so.' : why}`
  return errorRecord('output_quarantined', { message, details: { rule, phase, decision } })
}

/**
 * A result that was handed on is held back, with the same result wherever it was handed on as it is. What had
 * begun to work with it isn't run again, but listed; nothing new begins in its run. Null when there is no such
 * result any more: somebody was first.
 */
export function quarantineLate(
  state: RunState,
  context: DecisionContext,
  given: { readonly id: InvocationId; readonly check: FreshCheck },
): Decision | null {
  const { id, check } = given
  const record = handedOn(state, id)
  if (record === null) return null
  const draft = createDraft(state, context)
  const dependents = begunWith(state, record)
  const full = { ...check, ...listOf(dependents) }
  takeBack(draft, record, full)
  for (const other of handsOn(state, record, dependents)) {
    takeBack(draft, other, { ...full, ...listOf([]), with: id })
  }
  const error = failureAt(record, quarantineError(record, check))
  if (!runIsFinal(draft.run)) {
    stop(draft, error)
    settle(draft)
  } else {
    hideRunOutput(draft, id)
    undoWhatFollowed(draft, error)
  }
  return finishDraft(draft)
}

/** The step as long as its result counts; null where somebody was first. */
function handedOn(state: RunState, id: InvocationId): InvocationRecord | null {
  const record = state.invocations.get(id)
  return record?.status !== 'SUCCESS' || record.output === null || isDecided(record) ? null : record
}

/** A run that has ended is rolled back where its workflow says so, and there is something to undo. */
function undoWhatFollowed(draft: Draft, error: ErrorRecord): void {
  if (draft.state.workflow.saga?.rollbackOn.has('quarantined') !== true || !rollBack(draft)) return
  if (draft.run.error === null) changeRun(draft, { error })
  settle(draft)
}

const listedMax = 100

const listOf = (dependents: readonly InvocationRecord[]) => ({
  dependents: dependents.slice(0, listedMax).map(({ id }) => id),
  dependentsCount: dependents.length,
})

/** A person let it go, knowing what is in it. */
export const isDecided = ({ dispatch }: InvocationRecord): boolean => {
  const standing = dispatch?.check?.standing
  return standing === 'released' || standing === 'redacted'
}

function takeBack(
  draft: Draft,
  record: InvocationRecord,
  check: Omit<OutputCheck, 'held' | 'input' | 'ports'>,
): void {
  const { output: held, input, ports, finishedAt } = record
  moveInvocation(draft, record.id, {
    to: 'OUTPUT_QUARANTINED',
    cause: causeOf(record, check),
    set: {
      input: null,
      output: null,
      error: quarantineError(record, check),
      // It ended when it ended.
      finishedAt,
      dispatch: dispatchWith(record, { check: { ...check, held, input, ports } }),
    },
  })
}

/** What the run gave may hold what is held back: it says nothing more until that is decided. */
function hideRunOutput(draft: Draft, of: InvocationId): void {
  if (draft.run.output === null) return
  changeRun(draft, { output: null })
  tellsResult(draft, of, 'held')
}

/** Beside an earlier failure this one would leave no trace, and the other branches would go on. */
function stop(draft: Draft, error: ErrorRecord): void {
  const { run, context } = draft
  if (run.error === null) changeRun(draft, { error, output: null })
  else if (run.cancelRequestedAt === null) changeRun(draft, { cancelRequestedAt: context.now, output: null })
}

/** Puts a copy without what was found in the place of a result that was handed on; null as above. */
export function redactLate(
  state: RunState,
  context: DecisionContext,
  given: { readonly id: InvocationId; readonly check: FreshCheck; readonly output: Payload },
): Decision | null {
  const { id, check, output } = given
  const record = handedOn(state, id)
  if (record === null) return null
  const dependents = begunWith(state, record)
  const others = handsOn(state, record, dependents)
  // A map or loop puts together what its items gave: there is no copy of that.
  if (others.some((other) => isAround(other, record)))
    return quarantineLate(state, context, { id, check: { ...check, standing: 'held' } })
  const draft = createDraft(state, context)
  const full = { ...check, ...listOf(dependents), held: null, input: null, ports: record.ports }
  replace(draft, record, { check: full, output })
  for (const other of others) {
    const { ports } = other
    replace(draft, other, { check: { ...full, ...listOf([]), ports, with: id }, output })
  }
  if (runIsFinal(draft.run) && draft.run.output !== null) {
    changeRun(draft, { output: runOutputAnew(draft) })
    tellsResult(draft, id, 'redacted')
  }
  return finishDraft(draft)
}

/** Something was taken out of what an attempt gave, before it was handed on. */
export function noteRedacted(draft: Draft, id: InvocationId, check: OutputCheck): void {
  const record = recordOf(draft, id)
  if (record === undefined) return
  touchInvocation(draft, id, { dispatch: dispatchWith(record, { check }) })
}

function replace(
  draft: Draft,
  record: InvocationRecord,
  { check, output }: { readonly check: OutputCheck; readonly output: Payload },
): void {
  touchInvocation(draft, record.id, { input: null, output, dispatch: dispatchWith(record, { check }) })
}
