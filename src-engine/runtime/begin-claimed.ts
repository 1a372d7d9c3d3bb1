/** Claimed work begins: its permits are resolved where they depend on parameters, then it is RUNNING. */

import { breakpointOf } from '../core/control/breakpoints.ts'
import type { Decision, DecisionContext } from '../core/draft.ts'
import { isUnresolved } from '../core/permits/node-permits.ts'
import type { MissingPermit } from '../core/permits/wait-for-permit.ts'
import { yieldForPermit } from '../core/permits/wait-for-permit.ts'
import type { Verdict } from '../core/policy/verdict.ts'
import { planUnder } from '../core/policy/verdict.ts'
import type { BreakAnswer } from '../core/requests.ts'
import { beginAttempt } from '../core/requests.ts'
import { gateStepId } from '../model/engine-steps.ts'
import { recordOfThrown } from '../model/errors.ts'
import { opId } from '../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../model/invocation.ts'
import type { PolicyRuling } from '../model/policy/ruling.ts'
import { second } from '../model/time.ts'
import { askCondition } from './break-condition.ts'
import { loadedState } from './loaded-state.ts'
import type { PermitLines } from './permits/permit-lines.ts'
import { onFullOf } from './permits/permit-lines.ts'
import { isVelocityKey } from './policy/verdict-of-answer.ts'
import type { DecisionHooks, MakeDecision } from './run-book.ts'
import type { Runner, RunnerDependencies } from './runner.ts'
import { unlessTakenBack } from './surely-there.ts'

/** Begins what was claimed; its slot is taken already, and given back when it doesn't begin. */
export type BeginClaimed = (invocation: InvocationRecord) => void

export function createBeginClaimed(
  dependencies: RunnerDependencies,
  runner: Runner,
  lines: () => PermitLines,
): BeginClaimed {
  const { slots, log, executor } = dependencies
  const begin = (invocation: InvocationRecord, halt: Halt): void => {
    const isPlain = invocation.permits === null || !isUnresolved(invocation.permits)
    const begun =
      isPlain && !dependencies.policy.kernel.isActive()
        ? decideToBegin({ dependencies, runner, lines, halt }, invocation, null)
        : askAndBegin({ dependencies, runner, lines, halt }, invocation)
    begun.then(
      (decision) => {
        executor.failpoints('begin.after-commit')
        const { condition, answer } = halt
        if (decision === null && condition !== null && answer === undefined) {
          void askCondition(dependencies, invocation, condition).then((told) => {
            begin(invocation, { condition, answer: told })
          })
        } else if (decision === null || decision.started.length === 0) slots.give(1)
        else runner.executeRest(decision)
      },
      (thrown: unknown) => {
        slots.give(1)
        log.error('begin.failed', { invocationId: invocation.id, error: recordOfThrown(thrown).message })
      },
    )
  }
  return (invocation) => {
    executor.failpoints('begin.before-commit')
    begin(invocation, { condition: null, answer: undefined })
  }
}

/** A breakpoint before the step. */
interface Halt {
  /** What has to be asked first; null while nobody knows of anything. */
  condition: string | null
  /** What it gave; undefined until it was asked. */
  readonly answer: BreakAnswer | undefined
}

interface BeginParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly lines: () => PermitLines
  readonly halt: Halt
}

/** Which permits it needs may depend on its parameters: these first, while it is PENDING; then the policy. */
async function askAndBegin(parts: BeginParts, invocation: InvocationRecord): Promise<Decision | null> {
  const { permits } = invocation
  const plan =
    permits === null || !isUnresolved(permits) ? null : await parts.lines().registrar.claimed(invocation)
  if (plan === 'left') return null
  const { book } = parts.dependencies
  const policy = parts.dependencies.policy.kernel
  const full = new Set<string>()
  for (;;) {
    if (!policy.isActive()) return decideToBegin(parts, invocation, { ...notAsked, plan })
    const state = await loadedState(book, invocation.runId)
    const verdict = state === null ? null : await policy.ruleOnStep(state, invocation, full)
    const wasFull = full.size
    const decision = await decideToBegin(parts, invocation, { plan, verdict, full })
    // Somebody else took the last place of a velocity rule meanwhile: then that rule applies.
    if (decision !== null || full.size === wasFull) return decision
  }
}

/** What is known before the decision: permits that depend on parameters, and what the policy says. */
interface Known {
  readonly plan: PermitPlan | null
  readonly verdict: Verdict | null
  /** Places of velocity rules that were found to be taken. */
  readonly full: Set<string>
}

const notAsked: Known = { plan: null, verdict: null, full: new Set() }

async function decideToBegin(
  { dependencies, runner, lines, halt }: BeginParts,
  invocation: InvocationRecord,
  known: Known | null,
): Promise<Decision | null> {
  const { plan, verdict, full } = known ?? notAsked
  const { id } = invocation
  const counter = invocation.fence?.counter ?? 0
  const onFull = onFullOf(dependencies.settings)
  let missing: Pick<MissingPermit, 'key' | 'holders'> | null = null
  let mustAskAgain = false
  const asked = verdict === null ? null : underVerdict(invocation, plan, verdict)
  const context = (name: string, continues: DecisionContext['continues'] = null) =>
    runner.context({
      continues,
      actor: verdict === null || verdict.kind === 'goes' ? 'runner' : 'policy',
      cause: { kind: 'claim', by: id, detail: null },
      opId: opId(`${name}:${id}:${counter}`),
      runId: invocation.runId,
      claims: false,
    })
  const make: MakeDecision = (state, continues) => {
    if (mustAskAgain) return null
    if (halt.answer === undefined) {
      halt.condition = breakpointOf(state.run, state.invocations.get(id) ?? invocation)?.condition ?? null
      if (halt.condition !== null) return null
    }
    const begun = { ...(asked ?? { id, permits: plan }), broke: halt.answer }
    if (missing === null) return beginAttempt(state, context('begin', continues), begun)
    // A run that may not begin yet stands in no line of steps.
    if (invocation.nodeId === gateStepId && asked !== null) {
      return beginAttempt(state, context('yield'), { ...asked, verdict: noRoom(asked.verdict, missing) })
    }
    return yieldForPermit(state, context('yield'), { ...missing, id, plan: asked?.permits ?? plan, onFull })
  }
  const slotTaken: DecisionHooks['slotTaken'] = (found) => {
    if (isVelocityKey(found.key)) {
      full.add(found.key)
      mustAskAgain = true
    } else missing = found
  }
  const come = await unlessTakenBack(dependencies, invocation.runId, async () => {
    const decision = await dependencies.book.decide(invocation.runId, make, {
      // What is asked of the policy, or takes permits only now, may be refused: it waits for the answer.
      ...(known === null && isUpToDate(dependencies.book, invocation) ? aheadOf(dependencies, runner) : {}),
      claimed: invocation,
      slotTaken,
    })
    const isToAsk = mustAskAgain || (halt.condition !== null && halt.answer === undefined)
    return decision !== null || isToAsk ? { decision } : null
  })
  // Whoever had the permit may have let go of it before this one stood in line.
  const key = (missing as MissingPermit | null)?.key
  if (key !== undefined) void lines().serve(key)
  return come?.decision ?? null
}

/** What is known of its run is mostly what is there: it is read anew, or has the step as it was when it was claimed. */
function isUpToDate(book: RunnerDependencies['book'], { id, runId, version }: InvocationRecord): boolean {
  const state = book.cachedState(runId)
  return state === null || state.invocations.get(id)?.version === version - 1
}

/** A pure step begins while its beginning is under way. Its slot is taken by the claim, and kept should it have to begin anew. */
export function aheadOf({ slots }: RunnerDependencies, { ahead }: Runner): DecisionHooks {
  return {
    shares: true,
    sent(decision, again) {
      ahead.sent(decision, again)
      slots.putBack(decision.started.length)
    },
    takenBack(decision) {
      slots.take(decision.started.length)
      ahead.takenBack(decision)
    },
  }
}

/** What the decision is told: the gate's permits are its run's. */
function underVerdict(invocation: InvocationRecord, plan: PermitPlan | null, verdict: Verdict) {
  const asked = verdict.kind === 'goes' && invocation.nodeId !== gateStepId ? verdict.permits : []
  return { id: invocation.id, permits: planUnder(plan ?? invocation.permits, asked), verdict }
}

/** As many run as the policy allows: this one comes back. */
function noRoom(verdict: Verdict, { holders }: Pick<MissingPermit, 'holders'>): Verdict {
  if (verdict.kind !== 'goes') return verdict
  const reason = `The policy allows no more at once; ${holders.length} run.`
  const ruling: PolicyRuling = { ...verdict.ruling, decision: 'THROTTLE', reason }
  return { kind: 'waits', ruling, code: 'safety_throttled', delayMs: noRoomMs }
}

const noRoomMs = 5 * second
