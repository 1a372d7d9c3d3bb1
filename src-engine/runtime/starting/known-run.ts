/** The run that a request made before. */

import type { DefinitionHash, RunId } from '../../model/ids.ts'
import type { RunnerDependencies } from '../runner.ts'
import { surelyThere } from '../surely-there.ts'

/** What a repeated start is answered; null where there is no such run. */
export async function knownRun(
  { store, partition }: Pick<RunnerDependencies, 'store' | 'partition'>,
  id: RunId,
): Promise<{ readonly runId: RunId; readonly hash: DefinitionHash } | null> {
  const known = await surelyThere(store, id, {
    look: () => store.load(partition, 'run', { runId: id }),
    isThere: (run) => run !== null,
  })
  return known === null ? null : { runId: known.id, hash: known.definitionHash }
}
