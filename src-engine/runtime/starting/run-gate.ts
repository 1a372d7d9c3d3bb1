/** Whether a new run may begin at once: what its workflow and its tenant allow, and who is in line before it. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import { runPlan } from '../../core/permits/run-permits.ts'
import type { MissingKey } from '../../core/permits/wait-reason.ts'
import { SagasmithError } from '../../model/errors.ts'
import { isCoreWorkflow } from '../../model/ids.ts'
import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import { nameFor } from '../permits/resolve-permits.ts'
import type { RunnerDependencies } from '../runner.ts'

/** The plan of a run that something limits; null for all others. Throws what its key's expression throws. */
export async function planOf(
  dependencies: RunnerDependencies,
  workflow: CompiledWorkflow,
  run: RunRecord,
): Promise<PermitPlan | null> {
  const { limits } = dependencies
  const { runPermits } = workflow
  // The engine's own runs are never in the way of anybody. And a run that another one waits for counts as
  // part of that one: were they to take turns, the first would wait for the second for ever.
  const isFree = isCoreWorkflow(run.workflowId) || run.parentInvocationId !== null
  const tenantLimit = isFree ? null : limits.tenantRuns(run.tenant)
  if (runPermits === null && tenantLimit === null) return null
  const expression = runPermits?.key ?? null
  const key = expression === null ? undefined : await valueOf(dependencies, { workflow, run, expression })
  return runPlan(runPermits, { tenant: run.tenant, tenantLimit, key, hash: nameFor(dependencies.store) })
}

/** The plan with one more permit, whichever others there are. */
export const withPermit = (plan: PermitPlan | null, permit: Permit): PermitPlan =>
  plan === null
    ? { permits: [permit], resolved: true, blockedSince: null, blockedBy: null }
    : { ...plan, permits: [permit, ...plan.permits] }

/** The key's value as a transform would give it, on the run's input alone. */
async function valueOf(
  { executor }: RunnerDependencies,
  asked: { readonly workflow: CompiledWorkflow; readonly run: RunRecord; readonly expression: string },
): Promise<JsonValue> {
  const { workflow, run, expression } = asked
  const spec = executor.host.specsByKind.get('transform')
  if (spec === undefined) throw new SagasmithError('task_kind_unknown', { details: { kind: 'transform' } })
  const input = await executor.payloads.value(run.input)
  const { id, generation, now, seed } = run
  const resolved = await executor.host.resolver.resolveParameters({
    parameters: { expression },
    spec,
    scope: {
      input: () => input,
      nodes: async () => ({}),
      run: () => ({ id, generation, now, attempt: 0, input }),
      vars: workflow.variables,
      now,
      seed,
    },
  })
  return (resolved as { readonly expression?: JsonValue }).expression ?? null
}

/** The first of the plan's permits for which others are in line already: nobody gets past them. */
export async function lineAhead(
  { store, partition, clock }: RunnerDependencies,
  plan: PermitPlan,
): Promise<MissingKey | null> {
  for (const { key } of plan.permits) {
    const { runs } = await store.load(partition, 'permitWaiters', { key, limit: 1 })
    if (runs.length === 0) continue
    const now = clock.now()
    const holders = await store.load(partition, 'slotHolders', { key })
    const counting = holders.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    return { key, holders: counting.map(({ holder }) => holder) }
  }
  return null
}
