/**
 * A run on the memory store that tests lead from decision to decision. Every decision is committed, and
 * after each the state kept in memory must be what the records alone would give, and what the events tell.
 */

import assert from 'node:assert/strict'
import type { CompiledWorkflow } from '../../../src-engine/core/compile.ts'
import { compileWorkflow } from '../../../src-engine/core/compile.ts'
import type { Claimant, Decision, DecisionContext } from '../../../src-engine/core/draft.ts'
import { applyDecision } from '../../../src-engine/core/draft.ts'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { finishAttempt, finishAttempts } from '../../../src-engine/core/finish-attempt.ts'
import type { JoinedCheckpoint } from '../../../src-engine/core/join-checkpoints.ts'
import { joinOnto } from '../../../src-engine/core/join-checkpoints.ts'
import { rebuildRunState, skippedNodes } from '../../../src-engine/core/rebuild.ts'
import { recoverInvocation } from '../../../src-engine/core/recover.ts'
import { beginAttempt } from '../../../src-engine/core/requests.ts'
import type { MutableRunState, RunState } from '../../../src-engine/core/run-state.ts'
import { applyChanges, createRunState, forwardId } from '../../../src-engine/core/run-state.ts'
import { startRun } from '../../../src-engine/core/start-run.ts'
import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import type { Fence } from '../../../src-engine/model/fence.ts'
import {
  definitionHash,
  invocationId,
  nodeId,
  opId,
  runId,
  runnerId,
  workflowId,
} from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { ActorKind, InvocationStatus } from '../../../src-engine/model/invocation-status.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { newRun } from '../../../src-engine/model/new-records.ts'
import { replayRun } from '../../../src-engine/model/replay.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from '../model/workflow-fixture.ts'

/** When every scene begins. */
export const sceneStart = 1_000_000
/** How long a scene's claims hold. */
const sceneTtlMs = 60_000

const runner = runnerId('runner-a')

/** A payload of a value. */
export const json = (value: unknown) => ({ kind: 'inline', json: JSON.stringify(value) }) as const

/** An attempt that went well. */
export const succeeded = (output: unknown = null, ports: readonly string[] | null = null): AttemptEnd => {
  return { kind: 'succeeded', output: json(output), ports }
}

/** An attempt that failed in a way worth a retry, unless told otherwise. */
export function failed(code = 'task_failed', retryable = true): AttemptEnd {
  const error = { code, message: `It was ${code}.`, hint: 'Look.', details: {}, retryable }
  return { kind: 'failed', error, random: 0.5 }
}

/** An attempt that took too long. */
export function timedOut(): AttemptEnd {
  const error = { code: 'task_timeout', message: 'Too long.', hint: 'Wait.', details: {}, retryable: true }
  return { kind: 'timed-out', error, random: 0.5 }
}

export interface Scene {
  now: number
  /** How much the runner may take at once. */
  capacity: number
  readonly state: RunState
  readonly deadLetters: string[]
  /** What the last decision started, by node. */
  readonly started: readonly string[]
  readonly decide: (
    make: (state: RunState, context: DecisionContext) => Decision | null,
    as?: { readonly actor?: ActorKind; readonly claims?: boolean },
  ) => Promise<Decision | null>
  readonly start: () => Promise<Decision | null>
  readonly end: (node: string, end?: AttemptEnd) => Promise<Decision | null>
  /** The same of an invocation by its whole id. */
  readonly endId: (id: string, end: AttemptEnd) => Promise<Decision | null>
  /** Attempts that succeed in the same moment; each gives its node's name. */
  readonly endTogether: (nodes: readonly string[]) => Promise<Decision | null>
  /** Ends one after the other, all in one checkpoint; null where they don't go into one. */
  readonly endInTurn: (nodes: readonly string[]) => Promise<Checkpoint | null>
  readonly lose: (node: string, random?: number) => Promise<Decision | null>
  readonly loseId: (id: string, random?: number) => Promise<Decision | null>
  readonly claim: () => Promise<readonly string[]>
  /** Claimed work begins; its slot was taken with the claim. */
  readonly begin: (node: string) => Promise<Decision | null>
  readonly beginId: (id: string) => Promise<Decision | null>
  /** From here on the run is bound to another version. */
  readonly rebind: (workflow: CompiledWorkflow) => void
  readonly record: (node: string) => InvocationRecord
  readonly statuses: () => Record<string, InvocationStatus>
  readonly skipped: () => readonly string[]
  readonly output: () => unknown
}

/** A scene for a document with these parts. */
export const sceneOf = (parts: JsonObject): Scene => createScene(documentOf(parts))

/** A scene for a document; nothing has happened yet. */
function createScene(document: WorkflowDocument): Scene {
  return new StoreScene(document)
}

class StoreScene implements Scene {
  now = sceneStart
  capacity = 16
  started: readonly string[] = []
  readonly deadLetters: string[] = []
  readonly state: MutableRunState
  readonly #store = createMemoryStore()
  #opCount = 0

  constructor(document: WorkflowDocument) {
    const workflow = compileWorkflow(document, taskSpecsByKind)
    this.state = createRunState(workflow, sceneRun(workflow.timeoutMs))
  }

  start = (): Promise<Decision | null> =>
    this.decide((state, context) => startRun(state, context, null), { actor: 'operator' })

  end = (node: string, end: AttemptEnd = succeeded()): Promise<Decision | null> =>
    this.endId(this.record(node).id, end)

  endId = (text: string, end: AttemptEnd): Promise<Decision | null> => {
    const { id, lease } = this.#found(text)
    const fence = lease?.fence ?? { epoch: 1, counter: 0 }
    const fact = { invocationId: id, fence, end, input: json({}), log: null }
    return this.decide((state, context) => finishAttempt(state, context, fact))
  }

  endTogether = (nodes: readonly string[]): Promise<Decision | null> => {
    const facts = nodes.map((node) => {
      const { id, lease } = this.record(node)
      const fence = lease?.fence ?? { epoch: 1, counter: 0 }
      return { invocationId: id, fence, end: succeeded(node), input: json({}), log: null }
    })
    return this.decide((state, context) => finishAttempts(state, context, facts))
  }

  endInTurn = async (nodes: readonly string[]): Promise<Checkpoint | null> => {
    let joined: JoinedCheckpoint | null = null
    for (const node of nodes) {
      const { id, lease } = this.record(node)
      const fence = lease?.fence ?? { epoch: 1, counter: 0 }
      const continues = joined?.written ?? null
      const context: DecisionContext = { ...this.#context('runner', true), continues }
      const fact = { invocationId: id, fence, end: succeeded(node), input: json({}), log: null }
      const decision = finishAttempt(this.state, context, fact)
      assert.ok(decision !== null)
      if (joined === null) joined = joinOnto(decision.checkpoint)
      else if (!joined.takes(decision.checkpoint)) return null
      applyDecision(this.state, decision)
    }
    const whole = joined?.whole() ?? null
    if (whole !== null) await this.#commit(whole)
    await this.#verify()
    return whole
  }

  lose = (node: string, random = 0.5): Promise<Decision | null> => this.loseId(this.record(node).id, random)

  loseId = (text: string, random = 0.5): Promise<Decision | null> => {
    const { id, lease } = this.#found(text)
    const fence: Fence = lease?.fence ?? { epoch: 1, counter: 0 }
    const lost = { id, fence, random }
    return this.decide((state, context) => recoverInvocation(state, context, lost), {
      actor: 'recovery',
      claims: false,
    })
  }

  /** What a free runner takes from the store. */
  claim = async (): Promise<readonly string[]> => {
    const { claimed } = await this.#store.claim({
      partition: 0,
      runnerId: runner,
      limit: this.capacity,
      now: this.now,
      ttlMs: sceneTtlMs,
      pools: ['default'],
      capabilities: [...taskSpecsByKind.keys()],
      labels: [],
      agingMs: 300_000,
      invocationIds: null,
    })
    const records = claimed.map((item) => item.invocation)
    applyChanges(this.state, {
      run: this.state.run,
      invocations: records,
      edges: new Map(),
      nodes: new Map(),
    })
    return records.map((record) => record.nodeId)
  }

  begin = (node: string): Promise<Decision | null> => this.beginId(this.record(node).id)

  beginId = (text: string): Promise<Decision | null> => {
    const { id } = this.#found(text)
    return this.decide((state, context) => beginAttempt(state, context, { id, permits: null }), {
      claims: false,
    })
  }

  rebind = (workflow: CompiledWorkflow): void => {
    this.state.workflow = workflow
  }

  #found(id: string): InvocationRecord {
    const record = this.state.invocations.get(invocationId(id))
    if (record === undefined) throw new Error(`${id} has not been made`)
    return record
  }

  decide = async (
    make: (state: RunState, context: DecisionContext) => Decision | null,
    as: { readonly actor?: ActorKind; readonly claims?: boolean } = {},
  ): Promise<Decision | null> => {
    const decision = make(this.state, this.#context(as.actor ?? 'runner', as.claims !== false))
    if (decision === null) return null
    if (as.claims !== false) assert.ok(decision.started.length <= this.capacity)
    await this.#commit(decision.checkpoint)
    applyDecision(this.state, decision)
    this.started = decision.started.map((record) => record.nodeId)
    for (const letter of decision.checkpoint.writes.deadLetters) this.deadLetters.push(letter.reason)
    await this.#verify()
    return decision
  }

  record = (node: string): InvocationRecord => {
    // `step@each:0` names a step of an item or turn.
    const [id = node, path = ''] = node.split('@')
    const record = this.state.invocations.get(forwardId(this.state, nodeId(id), path))
    if (record === undefined) throw new Error(`${node} has not been invoked`)
    return record
  }

  statuses = (): Record<string, InvocationStatus> =>
    Object.fromEntries(
      [...this.state.invocations.values()].map((record) => [
        record.path === '' ? record.nodeId : `${record.nodeId}@${record.path}`,
        record.status,
      ]),
    )

  skipped = (): readonly string[] => skippedNodes(this.state).map((node) => node.nodeId)

  output = (): unknown => {
    const { output } = this.state.run
    return output?.kind === 'inline' ? JSON.parse(output.json) : output
  }

  #context(kind: ActorKind, claims: boolean): DecisionContext {
    this.#opCount += 1
    return {
      now: this.now,
      actor: { kind, id: runner },
      cause: { kind: 'test', by: null, detail: null },
      opId: opId(`op-${this.#opCount}`),
      epoch: 1,
      claimant: claims ? this.#claimant() : null,
    }
  }

  async #commit(checkpoint: Checkpoint): Promise<void> {
    const answers = await this.#store.commit(0, [checkpoint])
    assert.equal(answers[0]?.kind, 'accepted', JSON.stringify(answers))
  }

  #claimant(): Claimant {
    const { capacity } = this
    return {
      runnerId: runner,
      ttlMs: sceneTtlMs,
      capacity,
      takesEarlier: true,
      accepts: ({ route }) => route === null,
    }
  }

  /** The records, the events and the memory must tell the same. */
  async #verify(): Promise<void> {
    const store = this.#store
    const { run: kept, workflow } = this.state
    const run = await store.load(0, 'run', { runId: kept.id })
    const invocations = await store.load(0, 'invocations', { runId: kept.id })
    const events = await store.readEvents({
      after: { partition: 0, epoch: 1, seq: 0 },
      runId: null,
      until: null,
      limit: 100_000,
    })
    assert.deepEqual(run, kept)
    assert.ok(run !== null)
    assert.deepEqual(comparable(rebuildRunState(workflow, run, invocations)), comparable(this.state))
    const replayed = replayRun(events)
    assert.deepEqual(replayed.run, run)
    assert.deepEqual([...replayed.invocations.values()], invocations)
    assert.deepEqual(replayed.skipped.map((node) => node.nodeId).sort(), [...this.skipped()].sort())
  }
}

function comparable(state: RunState) {
  return {
    ...state,
    workflow: null,
    available: [...state.available].sort(),
    invocations: [...state.invocations.values()],
  }
}

const sceneRun = (timeoutMs: number | null): RunRecord =>
  newRun({
    id: runId('run-1'),
    workflowId: workflowId('w'),
    workflowTitle: 'Orders',
    definitionHash: definitionHash('w1_test'),
    input: json({ order: 7 }),
    now: sceneStart,
    seed: 'seed',
    deadlineAt: timeoutMs === null ? null : sceneStart + timeoutMs,
  })
