/** The one way a run begins: its record, its version, its first decision, all in one checkpoint. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import type { Decision } from '../../core/draft.ts'
import { inLine, queueRun, refuseRun } from '../../core/permits/run-line.ts'
import { whenFull } from '../../core/permits/run-permits.ts'
import type { MissingKey } from '../../core/permits/wait-reason.ts'
import { createRunState } from '../../core/run-state.ts'
import type { CommitAnswer } from '../../model/checkpoint.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { DefinitionHash, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { ActorKind } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import { newRun } from '../../model/new-records.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { BeginHooks, FirstCommit } from '../decision-attempt.ts'
import { UnsureDecision } from '../decision-attempt.ts'
import type { Definitions } from '../definitions.ts'
import type { EngineObserver } from '../engine-observer.ts'
import { versionOf } from '../published-version.ts'
import type { RegisterGuard } from '../register-look.ts'
import { boundTo } from '../register-look.ts'
import { epochOfRun, partitionOfRun } from '../run-place.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { createBeginTurns } from './begin-turns.ts'
import type { FirstDecision } from './ruled-start.ts'
import { ruledStart } from './ruled-start.ts'
import { lineAhead, planOf, withPermit } from './run-gate.ts'

export interface RunToStart {
  readonly id: RunId
  readonly document: WorkflowDocument
  readonly hash: DefinitionHash
  readonly input: Payload
  /** Its id was made for it just now: nobody else can have begun it. */
  readonly isNew?: boolean
  /** Frozen seed of its random numbers. */
  readonly seed: string
  readonly actor: ActorKind
  /** What its record says beyond that: who asked for it, what it repeats, whom it belongs to. */
  readonly record: Partial<RunRecord>
  /** Versions that its steps are bound to and that are published with it; none when absent. */
  readonly versions?: readonly WorkflowVersion[]
  /** Registers that move in the same checkpoint (`value`), or must not have moved. */
  readonly registers?: readonly JoinedRegister[]
  /** A permit that this run needs beside those of its workflow, and waits in line for. */
  readonly line?: Permit
}

export interface JoinedRegister extends RegisterGuard {
  /** Absent for one that is only to be as it was. */
  readonly value?: JsonValue
  /** When it comes due; as `RegisterWrite` has it. */
  readonly dueAt?: Instant | null
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
  const { dependencies, definitions } = parts
  const { limits } = dependencies
  const turns = createBeginTurns(dependencies.clock)
  return {
    begin: async (given) => {
      const wait = given.isNew === true ? turns.enter() : null
      if (wait !== null) await wait
      const { hash, document } = given
      const workflow = definitions.add(hash, document)
      const { run, decide } = await ruledStart(dependencies, workflow, recordOf(parts, given))
      const version = (await definitions.isPublished(hash)) ? null : versionOf(document, hash, run.now)
      const own =
        workflow.runPermits === null && limits.tenantRuns(run.tenant) === null
          ? null
          : await planOf(dependencies, workflow, run)
      const plan = given.line === undefined ? own : withPermit(own, given.line)
      const start = { given, workflow, version, decide }
      if (plan !== null) return beginLimited(parts, { ...start, run, plan })
      return (await tryToBegin(parts, { ...start, run }, decide)).kind === 'accepted'
    },
  }
}

interface Start {
  readonly given: RunToStart
  readonly workflow: CompiledWorkflow
  readonly run: RunRecord
  /** Published with it; null when it is known. */
  readonly version: WorkflowVersion | null
  /** How it begins where nothing limits it. */
  readonly decide: FirstDecision
}

/** Begins the run, or puts it in line, or ends it, as its workflow says; false when there is one of its id. */
async function beginLimited(
  parts: RunStarterParts,
  limited: Start & { readonly plan: PermitPlan },
): Promise<boolean> {
  const { run, plan, workflow, given } = limited
  let missing = await lineAhead(parts.dependencies, plan)
  if (missing === null) {
    const answer = await tryToBegin(parts, { ...limited, run: { ...run, permits: plan } }, limited.decide)
    if (answer.kind !== 'refused') return answer.kind === 'accepted'
    if (answer.refusal.kind !== 'slot-taken') return false
    missing = answer.refusal
  }
  const full: MissingKey = missing
  const as = whenFull(workflow.runPermits, full.key)
  if (as === 'skip' || as === 'fail') {
    const refused = { ...limited, run: { ...run, permits: plan } }
    const refuse: FirstDecision = (state, context, version) =>
      refuseRun(state, context, { missing: full, as, version })
    return (await tryToBegin(parts, refused, refuse)).kind === 'accepted'
  }
  // Its time begins with its start; what somebody else bounds stays bounded.
  const queued = { ...inLine(run, plan, full), deadlineAt: given.record.deadlineAt ?? null }
  return (await tryToBegin(parts, { ...limited, run: queued }, queueRun)).kind === 'accepted'
}

/** How often the epoch may change while a run is begun: each failover changes it once. */
const epochsMax = 3

/** What was decided for an epoch that has passed by then is decided again for the new one. */
async function tryToBegin(
  parts: RunStarterParts,
  start: Start,
  decide: FirstDecision,
): Promise<CommitAnswer> {
  const { info } = parts.dependencies.store
  for (let tries = 1; ; tries += 1) {
    const epoch = epochOfRun(info, start.run.id)
    const answer = await beginOnce(parts, { ...start, isAgain: tries > 1 }, decide)
    const isPassed = answer.kind === 'refused' && epochOfRun(info, start.run.id) !== epoch
    if (!isPassed || tries === epochsMax) return answer
  }
}

async function beginOnce(
  parts: RunStarterParts,
  { given, workflow, run, version, isAgain }: Start & { readonly isAgain: boolean },
  decide: FirstDecision,
): Promise<CommitAnswer> {
  const { dependencies, definitions, runner } = parts
  const state = createRunState(workflow, run)
  const { cause } = run
  const name = opId(`start:${run.id}`)
  const context = runner.context({ actor: given.actor, cause, opId: name, runId: run.id, begins: true })
  const decision = joined(decide(state, context, version), given)
  dependencies.executor.failpoints('start.before-commit')
  const answer = await commit(parts, {
    state,
    decision,
    hooks: isAgain ? slotsOnly(runner) : hooksOf(runner, given, decision),
  })
  if (answer.kind !== 'accepted') return answer
  dependencies.executor.failpoints('start.after-commit')
  definitions.notePublished(given.hash)
  runner.executeRest(decision)
  return answer
}

/**
 * What may be refused for somebody else's sake, as a permit that is taken, begins nothing before it is there; nor does what
 * a store writes elsewhere first, as the version of a definition.
 */
function hooksOf(runner: Runner, { isNew }: RunToStart, { checkpoint }: Decision): BeginHooks {
  const { expect, writes } = checkpoint
  const sides = expect.registers.length + writes.take.length + writes.workflowVersions.length
  if (isNew === true && sides === 0) return { isNew, ...runner.ahead }
  return slotsOnly(runner)
}

const slotsOnly = (runner: Runner): BeginHooks => ({
  sent: (made) => runner.reserve(made),
  takenBack: (made) => runner.unreserve(made),
})

function recordOf({ dependencies, definitions, observer }: RunStarterParts, given: RunToStart): RunRecord {
  const { id, document, hash, input, seed } = given
  const workflow = definitions.add(hash, document)
  const now = dependencies.clock.now()
  return newRun({
    id,
    partition: partitionOfRun(dependencies.store.info, id),
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
  const moved = registers.flatMap(({ key, value, dueAt }) => {
    if (value === undefined) return []
    return [dueAt === undefined ? { key, value } : { key, value, dueAt }]
  })
  const checkpoint = {
    ...decision.checkpoint,
    expect: { ...boundTo(registers), ...expect, registers: [...expect.registers, ...expected] },
    writes: {
      ...writes,
      registers: [...writes.registers, ...moved],
      workflowVersions: [...versions, ...writes.workflowVersions],
    },
  }
  return { ...decision, checkpoint }
}

async function commit(
  parts: RunStarterParts,
  { state, decision, hooks }: FirstCommit,
): Promise<CommitAnswer> {
  let answer: CommitAnswer | null = null
  try {
    answer = await parts.dependencies.book.begin(state, decision, hooks)
    return answer
  } finally {
    // The store could not say, or says that it has been there before.
    if (answer === null || answer.kind === 'repeated') void takeUp(parts, decision)
  }
}

/** Has the runner execute what a start gave it that is there all the same: nobody else knows of that. */
async function takeUp({ dependencies, runner }: RunStarterParts, decision: Decision): Promise<void> {
  if (decision.started.length === 0) return
  const { book, executions, log } = dependencies
  const runId = decision.changes.run.id
  const unsure = new UnsureDecision(decision, executions)
  try {
    const found = await book.decide(runId, () => null, { unsure, sent: (made) => runner.reserve(made) })
    if (found !== null) runner.execute(found.started)
  } catch (thrown) {
    // Mostly that there is no such run: then it didn't begin.
    log.debug('start.not-found', { runId, error: recordOfThrown(thrown).message })
  }
}
