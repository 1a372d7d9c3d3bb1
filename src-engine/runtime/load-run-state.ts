/** The state of a run, as the store has it. */

import { rebuildRunState } from '../core/rebuild.ts'
import type { MutableRunState } from '../core/run-state.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import type { Logger } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import type { Definitions } from './definitions.ts'
import { unreadable } from './sealing/sealed-store.ts'

/** What loading needs. */
export interface RunStateDependencies {
  readonly store: Store
  readonly partition: number
  readonly definitions: Definitions
}

/** Throws `run_not_found`, `seal_key_missing`, `sealed_value_damaged`, and what the store throws. */
export async function loadRunState(
  dependencies: RunStateDependencies,
  runId: RunId,
): Promise<MutableRunState> {
  const { store, partition, definitions } = dependencies
  const run = await store.load(partition, 'run', { runId })
  if (run === null) {
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  }
  const invocations = await store.load(partition, 'invocations', { runId })
  if (store.sealing !== undefined) {
    const problem = unreadable([run, ...invocations])
    if (problem !== null) throw problem
  }
  const compiled = await definitions.compiled(run.definitionHash)
  return rebuildRunState(compiled, run, invocations)
}

/** Null when the store could not be read for now. */
export async function unlessAway(
  loading: Promise<MutableRunState>,
  { runId, log }: { readonly runId: RunId; readonly log: Logger },
): Promise<MutableRunState | null> {
  try {
    return await loading
  } catch (thrown) {
    const { retryable, message } = recordOfThrown(thrown)
    if (!retryable) throw thrown
    log.error('load.failed', { runId, error: message })
    return null
  }
}
