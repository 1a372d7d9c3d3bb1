/** What the safety policy says about a run that is to start: at once, bounded, behind a gate, or not at all. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import type { Decision, DecisionContext } from '../../core/draft.ts'
import { boundedRun, startBehindGate } from '../../core/policy/gate.ts'
import type { MutableRunState } from '../../core/run-state.ts'
import { startRun } from '../../core/start-run.ts'
import { SagasmithError } from '../../model/errors.ts'
import { bypassedTag } from '../../model/policy/ruling.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { RunnerDependencies } from '../runner.ts'

/** What the first checkpoint of a run says. */
export type FirstDecision = (
  state: MutableRunState,
  context: DecisionContext,
  version: WorkflowVersion | null,
) => Decision

/** The run as it may start, and how it does. Throws `engine_stopped` where the engine stops meanwhile. */
export async function ruledStart(
  { policy: { kernel } }: Pick<RunnerDependencies, 'policy'>,
  workflow: CompiledWorkflow,
  run: RunRecord,
): Promise<{ readonly run: RunRecord; readonly decide: FirstDecision }> {
  const verdict = kernel.isActive() ? await kernel.ruleOnStart(run, workflow, nothingFull) : null
  if (verdict === null) return { run, decide: startRun }
  if (verdict.kind === 'stopping') throw new SagasmithError('engine_stopped')
  // What counts starts is counted as the gate opens: who finds no room comes back to it.
  if (verdict.kind === 'goes' && verdict.takes.length + verdict.permits.length > 0)
    return {
      run,
      decide: (state, context, version) => startBehindGate(state, context, { version, verdict: null }),
    }
  if (verdict.kind !== 'goes')
    return { run, decide: (state, context, version) => startBehindGate(state, context, { version, verdict }) }
  const { constraints, bypassed } = verdict.ruling
  const bounded = boundedRun(run, constraints?.maxRuntimeMs)
  const tagged = bypassed === undefined ? bounded : { ...bounded, tags: [...bounded.tags, bypassedTag] }
  return { run: tagged, decide: startRun }
}

const nothingFull: ReadonlySet<string> = new Set()
