/** Has a run that is under way stop elsewhere. */

import { setBreakpoints } from '../../core/control/step-over.ts'
import type { Breakpoint } from '../../model/breakpoint.ts'
import { opId } from '../../model/ids.ts'
import type { BreakpointsRequest } from '../../protocol/debugging.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

/** Writes the breakpoints; they count for all that begins from then on. Throws `run_not_found`, `run_already_final`. */
export async function changeBreakpoints(
  { dependencies, runner }: { readonly dependencies: RunnerDependencies; readonly runner: Runner },
  { runId, breakpoints, by }: BreakpointsRequest,
): Promise<readonly Breakpoint[]> {
  await dependencies.book.decide(runId, (state) =>
    setBreakpoints(
      state,
      runner.context({
        actor: 'operator',
        cause: { kind: 'breakpoints', by: by ?? 'local', detail: null },
        opId: opId(`breakpoints:${runId}:${state.run.version}`),
        runId,
        claims: false,
      }),
      breakpoints,
    ),
  )
  return breakpoints
}
