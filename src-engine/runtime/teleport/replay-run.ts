/**
 * Replays a run on its recorded effects: the decisions are made anew, by the engine's own rules and in the
 * recorded order, and nothing outside is touched. The same record and the same workflow give the same replay.
 */

import type { CompiledWorkflow } from '../../core/compile.ts'
import { compileWorkflow } from '../../core/compile.ts'
import { skipNode } from '../../core/control/skip.ts'
import type { Decision, DecisionContext } from '../../core/draft.ts'
import { createDraft, finishDraft } from '../../core/draft.ts'
import type { AttemptEnd } from '../../core/finish-attempt.ts'
import { finishAttempt } from '../../core/finish-attempt.ts'
import { withDescendants } from '../../core/generations.ts'
import { cancelRun, timeOutRun } from '../../core/requests.ts'
import type { MutableRunState } from '../../core/run-state.ts'
import { applyChanges, createRunState } from '../../core/run-state.ts'
import { settle } from '../../core/settle.ts'
import { startRun } from '../../core/start-run.ts'
import type { InvocationId, NodeId } from '../../model/ids.ts'
import { opId, runnerId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { AttemptWork } from '../attempt-work.ts'
import { workOf } from '../attempt-work.ts'
import { createExecutions } from '../execution.ts'
import { executeAttempt } from '../executor.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'
import { unlimitedSpecs } from '../permits/unlimited-specs.ts'
import { asBegun } from './as-begun.ts'
import { plainWorkflow } from './plain-workflow.ts'
import { stepKey } from './recording.ts'
import type { Answer, AnswerParts, Asked } from './replay-answers.ts'
import { answering } from './replay-answers.ts'
import type { Definitions } from './step-definitions.ts'
import { endWithoutRoom } from './without-room.ts'

export interface ReplayParts extends AnswerParts {
  /** What executes an attempt; its host is replaced by the one that answers. */
  readonly executor: ExecutorDependencies
  readonly definitions: Definitions
  /** The workflow to replay with. */
  readonly document: WorkflowDocument
  /** What is neither this step nor follows it keeps its result unseen; null for nothing. */
  readonly from: NodeId | null
}

/** An attempt whose answer is known, and that hasn't ended yet. */
interface UnderWay {
  readonly record: InvocationRecord
  readonly answer: Answer
  readonly end: AttemptEnd
  readonly input: Payload | null
  /** In the order of their beginnings. */
  readonly place: number
}

export interface Replayed {
  readonly workflow: CompiledWorkflow
  readonly state: MutableRunState
  /** What is known of the steps that were called, by `stepKey`. */
  readonly answers: ReadonlyMap<string, Answer>
}

/** Never throws for what a step does. */
export async function replaySteps(parts: ReplayParts): Promise<Replayed> {
  const replay = new Replay(parts)
  await replay.play()
  return { workflow: replay.workflow, state: replay.state, answers: replay.answers }
}

class Replay {
  readonly workflow: CompiledWorkflow
  readonly state: MutableRunState
  readonly answers = new Map<string, Answer>()
  readonly #parts: ReplayParts
  readonly #kept: ReadonlySet<NodeId>
  readonly #executions = createExecutions()
  readonly #underWay = new Map<InvocationId, UnderWay>()
  #now: Instant
  #lastRank = 0
  #count = 0
  #isCancelled = false

  constructor(parts: ReplayParts) {
    const { document, recording, host, definitions, from } = parts
    this.#parts = parts
    this.workflow = compileWorkflow(plainWorkflow(document), unlimitedSpecs(host.specsByKind))
    this.#kept = keptBefore(this.workflow, from)
    const run: RunRecord = { ...asBegun(recording.run), definitionHash: definitions.after }
    this.state = createRunState(this.workflow, run)
    this.#now = run.createdAt
  }

  async play(): Promise<void> {
    await this.#apply(startRun(this.state, this.#context('manual'), null))
    while (!runMachine.final.has(this.state.run.status)) {
      // Whatever may begin has begun before anything else ends: when it ends, the record says.
      if (await this.#takeAvailable()) continue
      if (await this.#endNext()) continue
      if (!(await this.#releaseHeld())) return
    }
  }

  /** Ends what ends next, by the record; whether there was anything to end. */
  async #endNext(): Promise<boolean> {
    const next = this.#next()
    const { cancelRank, timeoutRank } = this.#parts.recording
    const interruption = cancelRank ?? timeoutRank
    const rank = next === null ? Number.POSITIVE_INFINITY : this.#rankOf(next)
    if (interruption !== null && !this.#isCancelled && interruption < rank) {
      this.#isCancelled = true
      this.#lastRank = Math.max(this.#lastRank, interruption)
      const decision = cancelRank === null ? this.#timeOut() : cancelRun(this.state, this.#context('cancel'))
      if (decision !== null) await this.#apply(decision)
      return true
    }
    if (next === null) return false
    this.#lastRank = Math.max(this.#lastRank, rank)
    if (next.answer.isSkipped && this.state.invocations.get(next.record.id)?.cancelRequestedAt === null) {
      const decision = skipNode(this.state, this.#context('skip'), next.record.nodeId)
      if (decision !== null) await this.#apply(decision)
      return true
    }
    const was = next.answer.withoutRoom
    if (was !== null) {
      this.#underWay.delete(next.record.id)
      const decision = endWithoutRoom(this.state, this.#context('claim'), { id: next.record.id, was })
      if (decision !== null) await this.#apply(decision)
      return true
    }
    await this.#end(next, next.answer.isHeld ? { kind: 'cancelled' } : next.end)
    return true
  }

  #timeOut(): Decision | null {
    this.state.run = { ...this.state.run, deadlineAt: this.#now }
    return timeOutRun(this.state, this.#context('deadline'))
  }

  /** Of those that can end, the one that ended first; what has no record ends at once. */
  #next(): UnderWay | null {
    let first: UnderWay | null = null
    for (const item of this.#underWay.values()) {
      if (!this.#canEnd(item)) continue
      if (first === null || this.#isBefore(item, first)) first = item
    }
    return first
  }

  #canEnd({ record, answer }: UnderWay): boolean {
    if (answer.isSkipped) return true
    const isAsked = this.state.invocations.get(record.id)?.cancelRequestedAt !== null
    return isAsked || (!answer.isOpen && !answer.isHeld)
  }

  #isBefore(a: UnderWay, b: UnderWay): boolean {
    return this.#rankOf(a) - this.#rankOf(b) < 0 || (this.#rankOf(a) === this.#rankOf(b) && a.place < b.place)
  }

  #rankOf({ answer }: UnderWay): number {
    return answer.rank ?? this.#lastRank
  }

  async #end(item: UnderWay, end: AttemptEnd): Promise<void> {
    const { record, input } = item
    this.#underWay.delete(record.id)
    const current = this.state.invocations.get(record.id)
    const fence = current?.lease?.fence
    if (current === undefined || fence === undefined) return
    // By the record it may have come to its own end first.
    const isRecorded = item.answer.source === 'recorded' && item.answer.end !== null
    const isStopped = current.cancelRequestedAt !== null && !isRecorded
    const decision = finishAttempt(this.state, this.#context('attempt', record.id), {
      invocationId: record.id,
      fence,
      end: isStopped ? { kind: 'cancelled' } : end,
      input,
      log: null,
    })
    if (decision !== null) await this.#apply(decision)
  }

  /** What waits for its next try; time passes for nothing else. */
  async #takeAvailable(): Promise<boolean> {
    const { state } = this
    if (state.available.size === 0) return false
    const instants = [...state.available].map((id) => state.invocations.get(id)?.notBefore ?? this.#now)
    this.#now = Math.max(this.#now, Math.min(...instants))
    const draft = createDraft(state, this.#context('claim'))
    settle(draft)
    const decision = finishDraft(draft)
    if (decision.started.length === 0) return false
    await this.#apply(decision)
    return true
  }

  /** It was stopped by something that doesn't happen now: so nothing is recorded of how it would have ended. */
  async #releaseHeld(): Promise<boolean> {
    const held = [...this.#underWay.values()].find(({ answer }) => answer.isHeld)
    if (held === undefined) return false
    await this.#begin(held.record, true)
    return true
  }

  async #apply(decision: Decision): Promise<void> {
    applyChanges(this.state, decision.changes)
    for (const record of decision.started) await this.#begin(record, false)
  }

  async #begin(record: InvocationRecord, anew: boolean): Promise<void> {
    const work = this.#workOf(record)
    const fence = record.lease?.fence
    if (work === null || fence === undefined) return
    const { host, executor, recording, definitions } = this.#parts
    const key = stepKey(record.nodeId, record.path)
    const asked: Asked = {
      record,
      recorded: recording.steps.get(key),
      definition: definitions.differenceAt(record.nodeId),
      isKept: this.#kept.has(outermostId(work.node)),
      anew,
    }
    const { answer, run } = answering(this.#parts, asked)
    this.answers.set(key, answer)
    const execution = this.#executions.open({ runId: record.runId, invocationId: record.id, fence })
    const clock = { ...executor.clock, now: () => this.#now }
    const runOf = (kind: string) => (host.runOf(kind) === null ? null : run)
    const report = await executeAttempt({ ...executor, clock, host: { ...host, runOf } }, work, execution)
    this.#executions.close(execution)
    this.#count += 1
    this.#underWay.set(record.id, {
      record,
      answer,
      end: answer.end ?? report.end,
      input: report.input,
      place: this.#count,
    })
  }

  #workOf(record: InvocationRecord): AttemptWork | null {
    const work = workOf(this.state, record)
    const recorded = this.#parts.recording.steps.get(stepKey(record.nodeId, record.path))
    if (work === null || recorded === undefined) return work
    // Expressions see which try it is, and a person may have put in another input.
    const attempt = recorded.failures[record.failureCount]?.number ?? Math.max(recorded.record.attempt, 1)
    const given = recorded.record.dispatch?.input ?? null
    return {
      ...work,
      record: { ...record, attempt },
      input: given === null ? work.input : { kind: 'single', payload: given },
    }
  }

  #context(kind: string, by: string | null = null): DecisionContext {
    this.#count += 1
    // Each time another one: whoever failed with a step leaves it to others for a while.
    const id = runnerId(`replay_${this.#count}`)
    return {
      now: this.#now,
      actor: { kind: 'runner', id },
      cause: { kind, by, detail: null },
      opId: opId(`replay:${this.#count}`),
      epoch: 1,
      claimant: {
        runnerId: id,
        ttlMs: 300_000,
        capacity: Number.POSITIVE_INFINITY,
        takesEarlier: true,
        accepts: () => true,
      },
    }
  }
}

/** All that neither is the step nor follows it; items and turns go with their map or loop. */
function keptBefore(workflow: CompiledWorkflow, from: NodeId | null): ReadonlySet<NodeId> {
  if (from === null) return new Set()
  const node = workflow.nodeById.get(from)
  const start = workflow.nodes.find(({ id }) => node !== undefined && id === outermostId(node))
  const after = withDescendants(start === undefined ? [] : [start])
  return new Set(
    workflow.nodes.filter((one) => !after.has(one) && one !== workflow.outputStep).map(({ id }) => id),
  )
}

function outermostId(node: AttemptWork['node']): NodeId {
  let at = node
  while (at.container !== null) at = at.container
  return at.id
}
