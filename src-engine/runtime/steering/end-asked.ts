/** Asks a run to end because a step said so. */

import { cancelRun } from '../../core/requests.ts'
import type { AskedEnd } from '../../model/effect.ts'
import { recordOfThrown } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

/** May be repeated: a run that has ended, is asked already or was had go on since isn't asked again. */
export async function endAsked(
  {
    dependencies,
    runner,
    poke,
  }: { readonly dependencies: RunnerDependencies; readonly runner: Runner; readonly poke: () => void },
  { runId, by, reason, generation }: AskedEnd,
): Promise<void> {
  try {
    await dependencies.book.decide(runId, (state) => {
      if (generation !== undefined && state.run.generation > generation) return null
      const context = runner.context({
        actor: 'run',
        cause: { kind: 'cancel', by, detail: reason === '' ? null : reason },
        opId: opId(`cancel:${runId}:${by}`),
        runId,
        claims: false,
      })
      return cancelRun(state, context)
    })
    poke()
  } catch (thrown) {
    const { code, message } = recordOfThrown(thrown)
    // It was deleted meanwhile: there is nothing to end.
    if (code !== 'run_not_found') throw thrown
    dependencies.log.info('run.cancel-not-needed', { runId, by, why: message })
  }
}
