/** What concurrency control asks of work where that depends on its parameters: known once these are resolved. */

import { createHash } from 'node:crypto'
import type { CompiledNode } from '../../core/compile.ts'
import type { NodePermits } from '../../core/permits/node-permits.ts'
import { isUnresolved, resolvedPlan } from '../../core/permits/node-permits.ts'
import type { RunState } from '../../core/run-state.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Store } from '../../store/store.ts'
import { scopeOf } from '../attempt-scope.ts'
import { workOf } from '../attempt-work.ts'
import type { RunnerDependencies } from '../runner.ts'

export interface ResolvedPermits {
  readonly node: Pick<CompiledNode, 'keep' | 'redact'>
  readonly permits: NodePermits
  readonly plan: PermitPlan
  readonly parameters: JsonValue
}

/** Null when there is nothing to add, or when the parameters can't be resolved: then the attempt says why. */
export async function resolvePermits(
  dependencies: RunnerDependencies,
  state: RunState,
  record: InvocationRecord,
): Promise<ResolvedPermits | null> {
  const { executor, log } = dependencies
  const { permits } = record
  if (permits === null || !isUnresolved(permits)) return null
  const work = workOf(state, { ...record, attempt: record.attempt + 1 })
  if (work === null || work.node.permits === null) return null
  const spec = executor.host.specsByKind.get(record.taskKind)
  if (spec === undefined) return null
  try {
    const resolved = await executor.host.resolver.resolveParameters({
      parameters: work.node.parameters,
      spec,
      scope: scopeOf(executor, work),
    })
    const parameters = (resolved ?? null) as JsonValue
    const plan = resolvedPlan(work.node.permits, permits, { parameters, hash: nameFor(dependencies.store) })
    return { node: work.node, permits: work.node.permits, plan, parameters }
  } catch (thrown) {
    log.debug('permits.unresolved', { invocationId: record.id, error: recordOfThrown(thrown).message })
    return null
  }
}

/**
 * Names texts by 128 bits: equal only for equal texts, and short enough to read. Where values are sealed, only
 * who has the key can try whether a text has a name.
 */
export const nameFor =
  ({ sealing }: Store) =>
  (text: string): string =>
    sealing?.nameOf(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
