/** Writes into the history of a run that its worker is to die, and that it has. */

import { crashCauses, noteCrash } from '../../core/control/note-crash.ts'
import { opId } from '../../model/ids.ts'
import type { CrashNoteRequest } from '../engine.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

export async function writeCrashNote(
  { dependencies, runner }: { readonly dependencies: RunnerDependencies; readonly runner: Runner },
  { runId, note, by, detail }: CrashNoteRequest,
): Promise<void> {
  await dependencies.book.decide(runId, (state) =>
    noteCrash(
      state,
      runner.context({
        actor: 'operator',
        cause: { kind: crashCauses[note], by, detail },
        opId: opId(`${crashCauses[note]}:${runId}:${state.run.version}`),
        runId,
        claims: false,
      }),
    ),
  )
}
