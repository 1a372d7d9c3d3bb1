/** Rollbacks as people see them, and what they decide about them. */

import type { Decision, DecisionContext } from '../../core/draft.ts'
import type { RunState } from '../../core/run-state.ts'
import { abandonRollback, compensateRun, retryUndos, skipUndos } from '../../core/saga/act.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { Payload } from '../../model/payload.ts'
import type { SagaRequest } from '../../protocol/saga.ts'
import type { Claimer } from '../claimer.ts'
import type { Definitions } from '../definitions.ts'
import type { Locks } from '../locks/locks.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { SagaDesk } from './saga-desk.ts'
import { lockKeyOf } from './saga-lock.ts'
import { sagaView } from './saga-view.ts'

interface SagaDeskParts {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly runner: Runner
  readonly claimer: Claimer
  readonly payloads: PayloadStore
  readonly locks: Pick<Locks, 'within'>
}

/** The desk of this engine. */
export function createSagaDesk(parts: SagaDeskParts): SagaDesk {
  const { dependencies, definitions, runner, claimer, payloads, locks } = parts
  const { store, partition, book, clock } = dependencies
  const loaded = async (runId: RunId) => {
    const run = await store.load(partition, 'run', { runId })
    if (run !== null) return run
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  }
  const decideAlone = (request: SagaRequest, input: Payload | null, lock: AbortSignal) => {
    const { runId, action, by, reason } = request
    return book.decide(runId, (state) => {
      // Somebody else may be answering by now.
      if (lock.aborted) throw new SagasmithError('lost_race', { details: { runId } })
      const context = runner.context({
        actor: 'operator',
        cause: { kind: action, by: by ?? 'local', detail: reason },
        opId: opId(`undo-${action}:${runId}:${state.run.version}`),
        runId,
        claims: false,
      })
      return decisionOf(state, context, { ...request, input })
    })
  }
  /** Of two who answer at once the second hears what became of the run by the first. */
  const decide = async (request: SagaRequest, input: Payload | null) => {
    const { sagaLockTtlMs } = dependencies.settings
    dependencies.executor.failpoints('undo.before-commit')
    const decision = await locks.within(lockKeyOf(request.runId), sagaLockTtlMs, (lock) =>
      decideAlone(request, input, lock),
    )
    dependencies.executor.failpoints('undo.after-commit')
    claimer.poke()
    return decision
  }
  return {
    show: async (runId) => {
      const run = await loaded(runId)
      const invocations = await store.load(partition, 'invocations', { runId })
      return sagaView(await definitions.compiled(run.definitionHash), run, invocations)
    },
    act: async (request) => {
      const { runId } = request
      await loaded(runId)
      const requestedAt = clock.now()
      const decision = await decide(request, null)
      return { status: decision?.changes.run.status ?? (await loaded(runId)).status, requestedAt }
    },
    retry: async ({ input, ...request }) => {
      const run = await loaded(request.runId)
      const text = input === null ? null : JSON.stringify(input.value)
      const kept = text === null ? null : await payloads.keep(text, taskOutputBytesMax)
      await decide({ ...request, action: 'retry' }, kept)
      return run
    },
  }
}

function decisionOf(
  state: RunState,
  context: DecisionContext,
  { action, of, input }: SagaRequest & { readonly input: Payload | null },
): Decision | null {
  switch (action) {
    case 'compensate':
      return compensateRun(state, context)
    case 'retry':
      return retryUndos(state, context, { of, input })
    case 'skip':
      return skipUndos(state, context, { of })
    default:
      return abandonRollback(state, context)
  }
}
