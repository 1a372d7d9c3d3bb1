/** The one way a run begins: its record, its version, its first decision, all in one checkpoint. */

import type { Decision } from '../../core/draft.ts'
import type { MutableRunState } from '../../core/run-state.ts'
import { createRunState } from '../../core/run-state.ts'
import { startRun } from '../../core/start-run.ts'
import type { CommitAnswer } from '../../model/checkpoint.ts'
import type { DefinitionHash, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { ActorKind } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import { newRun } from '../../model/new-records.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { Definitions } from '../definitions.ts'
import type { EngineObserver } from '../engine-observer.ts'
import { versionOf } from '../published-version.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

export interface RunToStart {
  readonly id: RunId
  readonly document: WorkflowDocument
  readonly hash: DefinitionHash
  readonly input: Payload
  /** Frozen seed of its random numbers. */
  readonly seed: string
  readonly actor: ActorKind
  /** What its record says beyond that: who asked for it, what it repeats, whom it belongs to. */
  readonly record: Partial<RunRecord>
  /** Versions that its steps are bound to and that are published with it; none when absent. */
  readonly versions?: readonly WorkflowVersion[]
  /** Registers that move in the same checkpoint (`value`), or must not have moved. */
  readonly registers?: readonly JoinedRegister[]
}

export interface JoinedRegister {
  readonly key: string
  readonly version: number
  /** Absent for one that is only to be as it was. */
  readonly value?: JsonValue
}

export interface RunStarter {
  /** Whether the run began now; false when there is one of its id, or a register has moved. */
  readonly begin: (run: RunToStart) => Promise<boolean>
}

export interface RunStarterParts {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly runner: Runner
  readonly observer: EngineObserver
}

/** Starts runs in this process. */
export function createRunStarter(parts: RunStarterParts): RunStarter {
  const { dependencies, definitions, runner } = parts
  return {
    begin: async (given) => {
      const { hash, document } = given
      const state = createRunState(definitions.add(hash, document), recordOf(parts, given))
      const { run } = state
      const version = (await definitions.isPublished(hash)) ? null : versionOf(document, hash, run.now)
      const { cause } = run
      const context = runner.context({
        actor: given.actor,
        cause,
        opId: opId(`start:${run.id}`),
        runId: null,
      })
      const decision = joined(startRun(state, context, version), given)
      runner.reserve(decision)
      dependencies.executor.failpoints('start.before-commit')
      const answer = await commit(parts, state, decision)
      if (answer.kind !== 'accepted') return false
      dependencies.executor.failpoints('start.after-commit')
      definitions.notePublished(hash)
      runner.execute(decision.started)
      return true
    },
  }
}

function recordOf({ dependencies, definitions, observer }: RunStarterParts, given: RunToStart): RunRecord {
  const { id, document, hash, input, seed } = given
  const workflow = definitions.add(hash, document)
  const now = dependencies.clock.now()
  return newRun({
    id,
    partition: dependencies.partition,
    workflowId: document.id,
    workflowTitle: document.title,
    definitionHash: hash,
    priority: workflow.priority,
    input,
    now,
    seed,
    deadlineAt: workflow.timeoutMs === null ? null : now + workflow.timeoutMs,
    traceParent: observer.traceParentOf(id),
    ...given.record,
  })
}

/** What must hold beside the run's own start, and what happens with it. */
function joined(decision: Decision, { registers = [], versions = [] }: RunToStart): Decision {
  if (registers.length === 0 && versions.length === 0) return decision
  const { expect, writes } = decision.checkpoint
  const expected = registers.map(({ key, version }) => ({ key, version }))
  const moved = registers.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]))
  const checkpoint = {
    ...decision.checkpoint,
    expect: { ...expect, registers: [...expect.registers, ...expected] },
    writes: {
      ...writes,
      registers: [...writes.registers, ...moved],
      workflowVersions: [...versions, ...writes.workflowVersions],
    },
  }
  return { ...decision, checkpoint }
}

async function commit(
  { dependencies, runner }: RunStarterParts,
  state: MutableRunState,
  decision: Decision,
): Promise<CommitAnswer> {
  let accepted = false
  try {
    const answer = await dependencies.book.begin(state, decision)
    accepted = answer.kind === 'accepted'
    return answer
  } finally {
    if (!accepted) runner.unreserve(decision)
  }
}
