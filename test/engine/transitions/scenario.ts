/** Stories that lead engines, as they are, along moves of the status tables. */

import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { ControlAction } from '../../../src-engine/protocol/run-control.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import type { TaskOutcome } from '../../../src-engine/tasks/task.ts'
import { documentOf } from '../model/workflow-fixture.ts'
import { EnginesScene } from '../runtime/permits/engines-scene.ts'

export const second = 1_000
export const minute = 60_000

/** One story, and the moves that it is told for. */
export interface Scenario {
  readonly name: string
  /** `FROM > TO` of invocations, and of runs with `run ` before it. */
  readonly reaches: readonly string[]
  readonly play: (store: Store) => Promise<void>
}

/** A document whose only step is this one, and what else it says. */
export const oneStep = (node: JsonObject = {}, parts: JsonObject = {}): WorkflowDocument =>
  documentOf({ nodes: { work: { kind: 'noop', ...node } }, ...parts })

/** Tried twice, ten seconds apart. */
export const twice: JsonObject = { maxAttempts: 2, backoff: 'fixed', delayMs: 10 * second, jitter: 0 }

/** What nobody here can do: it is for a pool that no runner works for. */
export const nowhere: JsonObject = { pool: 'elsewhere' }

/** Engines with a few words to steer runs by. */
export class Story extends EnginesScene {
  /** One engine on the store; what runs can stand still. */
  static async begin(store: Store, settings: Parameters<EnginesScene['launch']>[0] = {}): Promise<Story> {
    const story = new Story(store)
    story.pausable = true
    await story.launch(settings)
    return story
  }

  /** Starts a run of the document and lets its first step begin. */
  async started(document: WorkflowDocument = oneStep(), engine = 0, input: JsonValue = {}): Promise<RunId> {
    const run = await this.start(document, input, engine)
    await this.pass(10)
    return run
  }

  async ask(runId: RunId, action: ControlAction, given: { node?: string; engine?: number } = {}) {
    const { node, engine = 0 } = given
    const request = { runId, action, by: null, reason: null, wait: false }
    await this.control(engine, { ...request, nodeId: node === undefined ? null : nodeId(node) })
    await this.pass(second)
  }

  /** The oldest of what runs ends with this. */
  async finish(outcome: TaskOutcome): Promise<void> {
    const [oldest] = this.atWork
    if (oldest === undefined) throw new Error('nothing is at work')
    oldest.finish(outcome)
    await this.pass(10)
  }

  /** The process of an engine dies where it stands; the others learn of it. */
  async die(engine: number): Promise<void> {
    this.processes[engine]?.die()
    await this.pass(10 * second)
  }

  /** An engine is told to stop, and has a moment for it. */
  async stop(engine: number): Promise<void> {
    const stopped = this.engines[engine]?.stop()
    await this.pass(second)
    for (const work of this.atWork.filter((one) => one.engine === engine)) work.end(new Error('stopped'))
    await this.pass(10 * second)
    await stopped
  }

  /** A person decides about a step that nobody knows the effect of. */
  async resolve(runId: RunId, decision: 'run-again' | 'fail', engine = 0): Promise<void> {
    const [record] = await this.records(runId)
    if (record === undefined) throw new Error('the run has no step')
    await this.within(
      this.engines[engine]?.resolveInvocation(runId, record.id, { kind: decision }) ??
        Promise.reject(new Error('there is no engine')),
    )
    await this.pass(10)
  }

  /** An ended run goes on under its next generation. */
  async again(runId: RunId): Promise<void> {
    const request = { runId, nodeId: null, input: null, document: null, version: 'same', by: null } as const
    await this.within(
      this.engines[0]?.retryRun({ ...request, reason: null }) ??
        Promise.reject(new Error('there is no engine')),
    )
    await this.pass(10)
  }

  /** By these rules results are judged from now on. */
  async setOutputRules(rules: readonly JsonObject[]): Promise<void> {
    const document: JsonObject = { format: 1, rules: [...rules] }
    await this.within(
      this.engines[0]?.outputs.policy.change({ document, ifHash: null, by: 'ada' }) ??
        Promise.reject(new Error('there is no engine')),
    )
    await this.pass(10 * second)
  }

  /** Somebody decides about a rollback. */
  async saga(runId: RunId, action: 'compensate' | 'retry' | 'abandon'): Promise<void> {
    const request = { runId, action, of: null, by: 'ada', reason: 'By phone.' } as const
    await this.within(this.engines[0]?.saga.act(request) ?? Promise.reject(new Error('there is no engine')))
    await this.pass(10)
  }
}

/** Somebody answers what a step or the policy asks. */
export async function answer(story: Story, says: 'approve' | 'reject'): Promise<void> {
  const approvals = story.engines[0]?.approvals
  if (approvals === undefined) throw new Error('there is no engine')
  const { entries } = await story.within(
    approvals.list({ runId: null, approver: null, after: null, limit: 10 }),
  )
  const [entry] = entries
  if (entry === undefined || !('hash' in entry)) throw new Error('nobody asks anything')
  const { runId, invocationId, hash } = entry
  const said = { answer: says, values: {}, comment: null, by: 'ada' } as const
  await story.within(approvals.decide({ runId, invocationId, hash, ...said }))
  await story.pass(10)
}

/** A failure that is worth another try. */
export const broken = (): Error => new SagasmithError('task_failed')

/** A step asks people about nothing much. */
export const asking = (given: { expiresAt?: number; onExpiry?: 'reject' | 'fail' } = {}): TaskOutcome => ({
  kind: 'asks',
  shown: { title: 'May it?', message: '', details: null, form: null },
  terms: {
    approvers: [],
    otherPerson: false,
    pushBack: false,
    onReject: 'deny',
    expiresAt: given.expiresAt ?? null,
    onExpiry: given.onExpiry ?? 'fail',
    escalateAt: null,
    escalateTo: [],
  },
})

/** A step waits for an instant, and holds no slot meanwhile. */
export const parked = (until: number): TaskOutcome => ({
  kind: 'parked',
  until,
  reason: 'It takes its time.',
  output: null,
})
