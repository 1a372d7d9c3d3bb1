/** Brings about what a run and the step that started it mean for each other. Each may be repeated. */

import type { CallOutcome } from '../../core/calls.ts'
import { awaitsRun, endCall, errorOfCall } from '../../core/calls.ts'
import { isHeld } from '../../core/control/hold.ts'
import { pauseRun, resumeRun } from '../../core/control/pause.ts'
import type { DecisionContext } from '../../core/draft.ts'
import { cancelRun } from '../../core/requests.ts'
import type { RunState } from '../../core/run-state.ts'
import { isRecorded } from '../../core/run-state.ts'
import { canRollBack, compensateRun } from '../../core/saga/act.ts'
import { stepOfUndo } from '../../core/saga/undo-chain.ts'
import { endUndoOfChild, undoAwaiting } from '../../core/saga/undo-child.ts'
import type { ChildRun } from '../../model/child-run.ts'
import type { RunLink } from '../../model/effect.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { RunRecord } from '../../model/run.ts'
import { hasComeToRest, isRollingBack, runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import { workOf } from '../attempt-work.ts'
import type { Definitions } from '../definitions.ts'
import { loadedState } from '../loaded-state.ts'
import { askRetry } from '../retry-condition.ts'
import type { MakeDecision } from '../run-book.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { RunStarter } from '../starting/run-starter.ts'
import { traceParentOfChild } from '../tracing/trace-context.ts'

export interface RunLinks {
  readonly start: (child: ChildRun) => Promise<void>
  /** The run does as its step does since that instant; undefined where that isn't known. */
  readonly follow: (link: RunLink, since: Instant | undefined) => Promise<void>
  readonly ended: (link: RunLink) => Promise<void>
  readonly undo: (link: RunLink) => Promise<void>
}

export interface RunLinksParts {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly starter: RunStarter
  readonly runner: Runner
  /** There may be work that nobody was told of. */
  readonly poke: () => void
}

/** Links between runs, as this process tends them. */
export function createRunLinks(parts: RunLinksParts): RunLinks {
  return {
    start: async (child) => {
      const { runId, parentRunId, parentInvocationId } = child
      if (!child.waits || (await isAwaited(parts, child))) await begin(parts, child)
      // Meanwhile the step may have been cancelled or paused, and whoever did that found no run.
      if (!child.waits) return
      const link = { runId, parentRunId, parentInvocationId }
      // Where its step had forgotten in a failover that it waits, the run may have ended, and have told nobody.
      await tellEnd(parts, link, await followParent(parts, link, beforeAll))
    },
    follow: async (link, since = afterAll) => {
      await followParent(parts, link, since)
    },
    ended: async (link) => tellEnd(parts, link, await loadRun(parts, link.runId)),
    undo: (link) => undoChild(parts, link),
  }
}

async function tellEnd(parts: RunLinksParts, link: RunLink, run: RunRecord | null): Promise<void> {
  if (run === null || !hasComeToRest(run.status)) return
  await tell(parts, link, { kind: 'ended', run, isUndoable: await isUndoable(parts, run) })
}

/** Whether anything of a run that succeeded is recorded to be undone. */
async function isUndoable({ dependencies, definitions }: RunLinksParts, run: RunRecord): Promise<boolean> {
  if (run.status !== 'SUCCEEDED') return false
  const { saga } = await definitions.compiled(run.definitionHash)
  if (saga === null) return false
  const { store, partition } = dependencies
  return (await store.load(partition, 'invocations', { runId: run.id })).some(isRecorded)
}

/** Has the run be rolled back; whatever there is nothing to do about is told at once. */
async function undoChild(parts: RunLinksParts, link: RunLink): Promise<void> {
  const { dependencies, runner } = parts
  const { runId, parentRunId, parentInvocationId: by } = link
  const parent = await dependencies.store.load(dependencies.partition, 'invocation', { invocationId: by })
  if (!awaitsRun(parent, runId)) return
  const made = await dependencies.book.decide(runId, (state) => {
    const context = runner.context({
      actor: 'run',
      cause: { kind: 'compensate', by, detail: `as its parent ${parentRunId}` },
      opId: opId(`compensate:${runId}:${state.run.version}`),
      runId,
      claims: false,
    })
    return canRollBack(state, context) ? compensateRun(state, context) : null
  })
  const run = await loadRun(parts, runId)
  if (made === null && run !== null && hasComeToRest(run.status)) {
    // It ended a moment ago: the next delivery finds that.
    if (await isUndoable(parts, run)) throw new SagasmithError('lost_race', { details: { runId } })
    await tell(
      parts,
      { ...link, parentInvocationId: stepOfUndo(by) },
      { kind: 'ended', run, isUndoable: false },
    )
  }
  parts.poke()
}

const loadRun = ({ dependencies }: RunLinksParts, runId: RunId): Promise<RunRecord | null> =>
  dependencies.store.load(dependencies.partition, 'run', { runId })

async function isAwaited(
  { dependencies }: RunLinksParts,
  link: Pick<RunLink, 'runId' | 'parentInvocationId'>,
): Promise<boolean> {
  const { store, partition } = dependencies
  const invocationId = link.parentInvocationId
  return awaitsRun(await store.load(partition, 'invocation', { invocationId }), link.runId)
}

/** A workflow that can't begin (any more) fails the step that waits for it. */
async function begin(parts: RunLinksParts, child: ChildRun): Promise<void> {
  const { definitions, starter, dependencies } = parts
  const { runId: id, hash, input, parentRunId, parentInvocationId, waits } = child
  let refusal: ErrorRecord | null = null
  try {
    const { document, timeoutMs } = await definitions.compiled(hash)
    const ends = [timeoutMs === null ? null : dependencies.clock.now() + timeoutMs, child.deadlineAt]
    const known = ends.filter((at) => at !== null)
    const parent = dependencies.book.cachedState(parentRunId)?.run ?? (await loadRun(parts, parentRunId))
    const traceParent = traceParentOfChild(id, parent?.traceParent ?? null)
    await starter.begin({
      id,
      document,
      hash,
      input,
      seed: id,
      actor: 'run',
      record: {
        tenant: child.tenant,
        parentRunId,
        parentInvocationId: waits ? parentInvocationId : null,
        baseDirectory: child.baseDirectory,
        priority: child.priority,
        deadlineAt: known.length === 0 ? null : Math.min(...known),
        cause: { kind: 'parent', by: parentInvocationId, detail: null },
        ...(traceParent === null ? {} : { traceParent }),
      },
    })
  } catch (thrown) {
    refusal = recordOfThrown(thrown)
    if (refusal.retryable) throw thrown
  }
  if (refusal === null) return
  dependencies.log.error('sub-workflow.refused', { runId: id, error: refusal.message })
  const link = { runId: id, parentRunId, parentInvocationId }
  if (waits) await tell(parts, link, { kind: 'refused', error: refusal })
}

/** Of a start: whoever had the run go on did so later. */
const beforeAll: Instant = Number.NEGATIVE_INFINITY
const afterAll: Instant = Number.POSITIVE_INFINITY

/** Whether somebody has had the run go on, after it had ended, at the instant or later: its parent heard of that end. */
const wentOnSince = ({ run, invocations }: RunState, at: Instant): boolean =>
  run.generation > 0 &&
  [...invocations.values()].every(
    ({ generation, registeredAt }) => generation < run.generation || registeredAt >= at,
  )

/**
 * Cancels or pauses the run as the step that started it is by now, or takes back such a pause; gives the run as it was
 * found. That the step waits for it no more is nothing to one that somebody has had go on by itself since.
 */
async function followParent(parts: RunLinksParts, link: RunLink, since: Instant): Promise<RunRecord | null> {
  const { store, partition } = parts.dependencies
  const { runId, parentRunId, parentInvocationId: invocationId } = link
  const run = await loadRun(parts, runId)
  // What is being rolled back goes on with that, whatever its parent does.
  if (run === null || runMachine.final.has(run.status) || isRollingBack(run.status)) return run
  const parent = await store.load(partition, 'invocation', { invocationId })
  const context = (what: string, state: RunState): DecisionContext =>
    parts.runner.context({
      actor: 'run',
      cause: { kind: what, by: invocationId, detail: `as its parent ${parentRunId}` },
      opId: opId(`${what}:${runId}:${state.run.version}`),
      runId,
      claims: false,
    })
  const unlessFinal = (make: MakeDecision): Promise<unknown> =>
    parts.dependencies.book.decide(runId, (state) =>
      runMachine.final.has(state.run.status) || isRollingBack(state.run.status) ? null : make(state, null),
    )
  if (!awaitsRun(parent, runId)) {
    await unlessFinal((state) =>
      wentOnSince(state, since) ? null : cancelRun(state, context('cancel', state)),
    )
  } else if (parent !== null && isHeld(parent)) {
    await unlessFinal((state) => pauseRun(state, context('pause', state), invocationId))
  } else if (run.waitReason?.pausedWith !== undefined) {
    // Whoever paused the run itself has to resume it, too.
    await unlessFinal((state) =>
      state.run.waitReason?.pausedWith === undefined ? null : resumeRun(state, context('resume', state)),
    )
  }
  parts.poke()
  return run
}

/** What the condition of the step's retries says of a run that didn't go well; null where nobody asks. */
async function answerOf(
  { dependencies }: RunLinksParts,
  { runId: child, parentRunId, parentInvocationId: id }: RunLink,
  outcome: CallOutcome,
): Promise<boolean | null> {
  if (outcome.kind === 'ended' && outcome.run.status === 'SUCCEEDED') return null
  const state = await loadedState(dependencies.book, parentRunId)
  const record = state?.invocations.get(id)
  if (state === null || record === undefined || !awaitsRun(record, child)) return null
  const work = workOf(state, record)
  if (work === null) return null
  return (await askRetry(dependencies.executor, work, errorOfCall(record, outcome)))?.again ?? null
}

/** Hands the step how its run came out. */
async function tell(parts: RunLinksParts, link: RunLink, outcome: CallOutcome): Promise<void> {
  const { dependencies, runner } = parts
  const { runId: child, parentRunId, parentInvocationId: id } = link
  if ((await loadRun(parts, parentRunId)) === null) return
  const random = dependencies.executor.random.next()
  const again = await answerOf(parts, link, outcome)
  const decision = await dependencies.book.decide(
    parentRunId,
    (state) => {
      const undo = undoAwaiting(state, id, child)
      const called = state.invocations.get(id)
      const context = runner.context({
        actor: 'run',
        cause: { kind: 'run', by: child, detail: null },
        // Each compensation is told by a name of its own: one that is tried again begins as new as the one before.
        opId: opId(
          undo === null ? `called:${child}:${called?.version ?? 0}` : `undone:${undo.id}:${undo.version}`,
        ),
        runId: parentRunId,
      })
      if (undo !== null && outcome.kind === 'ended')
        return endUndoOfChild(state, context, { step: id, ...outcome })
      return endCall(state, context, { id, child, outcome, random, again })
    },
    { sent: (made) => runner.reserve(made), takenBack: (made) => runner.unreserve(made) },
  )
  if (decision !== null) runner.execute(decision.started)
  parts.poke()
}
