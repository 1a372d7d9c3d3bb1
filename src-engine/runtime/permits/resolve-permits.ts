/** The permits of claimed work that depend on its parameters: known once these are resolved. */

import { createHash } from 'node:crypto'
import { resolvedPlan } from '../../core/permits/node-permits.ts'
import type { RunState } from '../../core/run-state.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationRecord, PermitPlan } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { scopeOf, workOf } from '../executor.ts'
import type { RunnerDependencies } from '../runner.ts'

/** Null when there is nothing to add, or when the parameters can't be resolved: then the attempt says why. */
export async function resolvePermits(
  dependencies: RunnerDependencies,
  state: RunState,
  record: InvocationRecord,
): Promise<PermitPlan | null> {
  const { executor, log } = dependencies
  const { permits } = record
  const work = workOf(state, { ...record, attempt: record.attempt + 1 })
  if (permits === null || permits.resolved || work?.node.permits === null || work === null) return null
  const spec = executor.host.specsByKind.get(record.taskKind)
  if (spec === undefined) return null
  try {
    const parameters = await executor.host.resolver.resolveParameters({
      parameters: work.node.parameters,
      spec,
      scope: scopeOf(executor, work),
    })
    return resolvedPlan(work.node.permits, permits, {
      parameters: (parameters ?? null) as JsonValue,
      hash: shortHash,
    })
  } catch (thrown) {
    log.debug('permits.unresolved', { invocationId: record.id, error: recordOfThrown(thrown).message })
    return null
  }
}

/** 128 bits: equal only for equal texts, and short enough to read. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
