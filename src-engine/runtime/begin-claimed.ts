/** Claimed work begins: its permits are resolved where they depend on parameters, then it is RUNNING. */

import type { Decision } from '../core/draft.ts'
import { isUnresolved } from '../core/permits/node-permits.ts'
import type { MissingPermit } from '../core/permits/wait-for-permit.ts'
import { yieldForPermit } from '../core/permits/wait-for-permit.ts'
import { beginAttempt } from '../core/requests.ts'
import { recordOfThrown } from '../model/errors.ts'
import { opId } from '../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../model/invocation.ts'
import type { PermitLines } from './permits/permit-lines.ts'
import { onFullOf } from './permits/permit-lines.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

/** Begins what was claimed; its slot is taken already, and given back when it doesn't begin. */
export type BeginClaimed = (invocation: InvocationRecord) => void

export function createBeginClaimed(
  dependencies: RunnerDependencies,
  runner: Runner,
  lines: () => PermitLines,
): BeginClaimed {
  const { slots, log, executor } = dependencies
  return (invocation) => {
    executor.failpoints('begin.before-commit')
    const begun =
      invocation.permits === null || !isUnresolved(invocation.permits)
        ? decideToBegin({ dependencies, runner, lines }, invocation, null)
        : resolveAndBegin({ dependencies, runner, lines }, invocation)
    begun.then(
      (decision) => {
        executor.failpoints('begin.after-commit')
        if (decision === null || decision.started.length === 0) slots.give(1)
        else runner.execute(decision.started)
      },
      (thrown: unknown) => {
        slots.give(1)
        log.error('begin.failed', { invocationId: invocation.id, error: recordOfThrown(thrown).message })
      },
    )
  }
}

interface BeginParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly lines: () => PermitLines
}

/** Which permits it needs depends on its parameters: these first, while it is PENDING. */
async function resolveAndBegin(parts: BeginParts, invocation: InvocationRecord): Promise<Decision | null> {
  const plan = await parts.lines().registrar.claimed(invocation)
  return plan === 'left' ? null : decideToBegin(parts, invocation, plan)
}

async function decideToBegin(
  { dependencies, runner, lines }: BeginParts,
  invocation: InvocationRecord,
  plan: PermitPlan | null,
): Promise<Decision | null> {
  const { id } = invocation
  const counter = invocation.fence?.counter ?? 0
  const onFull = onFullOf(dependencies.settings)
  let missing: Pick<MissingPermit, 'key' | 'holders'> | null = null
  const context = (name: string) =>
    runner.context({
      actor: 'runner',
      cause: { kind: 'claim', by: id, detail: null },
      opId: opId(`${name}:${id}:${counter}`),
      runId: invocation.runId,
      claims: false,
    })
  const decision = await dependencies.book.decide(
    invocation.runId,
    (state) =>
      missing === null
        ? beginAttempt(state, context('begin'), { id, permits: plan })
        : yieldForPermit(state, context('yield'), { ...missing, id, plan, onFull }),
    {
      claimed: invocation,
      slotTaken: (found) => {
        missing = found
      },
    },
  )
  // Whoever had the permit may have let go of it before this one stood in line.
  const key = (missing as MissingPermit | null)?.key
  if (key !== undefined) void lines().serve(key)
  return decision
}
