/** People and programs that use the engines: they start, control and signal runs, and decide what waits. */

import type { InvocationId, RunId } from '../../src-engine/model/ids.ts'
import { invocationId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import { runMachine } from '../../src-engine/model/run-status.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { ControlRequest } from '../../src-engine/protocol/run-control.ts'
import { recoveryTaskKind } from '../../src-engine/runtime/core-tasks/recovery-task.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { callMarkOf } from '../../src-engine/runtime/webhooks/answer-callback.ts'
import type { Cluster } from './cluster.ts'
import { Undoers } from './saga.ts'
import type { Signal, Start, Wish } from './scenario.ts'
import type { Order } from './scheduling.ts'
import { missingOrders } from './scheduling.ts'
import type { Stage } from './stage.ts'

/** Who asks. */
const by = 'somebody'
/** A client that has no answer by then asks again, perhaps somebody else. */
const patienceMs = 4_000

const retryOf = (runId: RunId) => {
  const plain = { nodeId: null, input: null, document: null, reason: null }
  return { runId, version: 'same', by, ...plain } as const
}

export class Clients {
  /** Runs whose start was acknowledged. */
  readonly accepted: RunId[] = []
  /** Signals that were acknowledged. */
  readonly signalled: { readonly runId: RunId; readonly messageId: string }[] = []
  /** Web calls of steps that were answered as taken. */
  readonly called: { readonly id: InvocationId; readonly mark: string }[] = []
  /** What was answered wrongly. */
  readonly problems: string[] = []
  readonly #stage: Stage
  readonly #cluster: Cluster
  readonly #undoers: Undoers

  constructor(stage: Stage, cluster: Cluster) {
    this.#stage = stage
    this.#cluster = cluster
    this.#undoers = new Undoers(stage, cluster, this.accepted)
    this.#undoers.plan()
  }

  /** A client that repeats a named request until somebody has answered it. */
  request(start: Start): void {
    const { world } = this.#stage
    for (let copy = 0; copy < start.copies; copy += 1) this.#send(start)
    for (const wish of start.wishes) world.at(world.now + wish.after, () => this.#wish(wish))
    for (const signal of start.signals)
      world.at(world.now + signal.after, () => this.#signal(this.#some(), signal))
  }

  /** Given until it is done; some other order may come in between. */
  order(order: Order): void {
    const { world, count } = this.#stage
    const again = () => world.at(world.now + 500, () => this.order(order))
    const member = this.#cluster.some()
    if (member === null) {
      again()
      return
    }
    count(`order ${order.kind}`)
    const { pools, tenants } = member.engine
    const done = order.kind === 'pool' ? pools.change(order.change) : tenants.change(order.change)
    done.catch(again)
    world.at(world.now + patienceMs, () => {
      if (!member.process.alive) this.order(order)
    })
  }

  #send(start: Start): void {
    const { world } = this.#stage
    const { document, requestId } = start
    const again = () => world.at(world.now + 500, () => this.#send(start))
    const member = this.#cluster.some()
    if (member === null) {
      again()
      return
    }
    const { engine, process } = member
    let answered = false
    const { tenant } = start
    const request = { document, input: { start: start.at }, baseDirectory: null, requestId, tenant }
    engine.startRun(request).then(
      ({ runId }) => {
        answered = true
        if (!process.alive) return
        if (requestId !== null && runId !== `run_req_${encodeURIComponent(requestId)}`)
          this.problems.push(`I9 the request ${requestId} gave ${runId}`)
        this.#accept(runId)
      },
      ({ code, message }: { readonly code?: string; readonly message?: string }) => {
        answered = true
        // What can never run would be asked for again and again, and prove nothing.
        if (code === 'document_invalid') this.#drawnWrongly(message ?? code)
        else again()
      },
    )
    if (requestId === null) return
    world.at(world.now + patienceMs, () => {
      if (!answered) this.#send(start)
    })
  }

  #drawnWrongly(message: string): void {
    const problem = `I10 a workflow is drawn that can’t run: ${message}`
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }

  #accept(runId: RunId): void {
    if (!this.accepted.includes(runId)) this.accepted.push(runId)
  }

  /** One of the accepted runs; null when there is none yet. */
  #some(): RunId | null {
    return this.accepted.length === 0 ? null : this.#stage.random.pick(this.accepted)
  }

  #wish(wish: Wish): void {
    const { world, count } = this.#stage
    const runId = this.#some()
    const member = this.#cluster.some()
    if (runId === null || member === null) return
    count(`run ${wish.kind}`)
    switch (wish.kind) {
      case 'cancel':
        this.#control(member.engine, { runId, action: 'cancel', nodeId: null })
        break
      case 'rerun':
        this.#rerun(member.engine, runId)
        break
      case 'retry':
        member.engine.retryRun(retryOf(runId)).catch(() => {})
        break
      case 'replay':
        this.#replay(member.engine)
        break
      case 'skip':
        this.#control(member.engine, { runId, action: 'skip', nodeId: wish.nodeId })
        break
      default:
        this.#control(member.engine, { runId, action: 'pause', nodeId: wish.nodeId })
        world.at(world.now + wish.span, () => {
          const later = this.#cluster.some()
          if (later !== null) this.#control(later.engine, { runId, action: 'resume', nodeId: wish.nodeId })
        })
    }
  }

  /** What comes too late, or twice, is refused: that is no finding. */
  #control(engine: Engine, wished: Pick<ControlRequest, 'runId' | 'action' | 'nodeId'>): void {
    engine.controlRun({ ...wished, by, reason: null, wait: false }).catch(() => {})
  }

  #rerun(engine: Engine, runId: RunId): void {
    const request = { runId, document: null, otherVersion: false, input: null, requestId: null, by }
    engine.rerun({ ...request, reason: null }).then(
      (started) => this.#accept(started.runId),
      () => {},
    )
  }

  /** The newest letter's run begins again; whoever replays it too late finds it gone. */
  #replay(engine: Engine): void {
    const query = { reason: null, workflowId: null, runId: null, after: null, limit: 1 }
    const { deadLetters } = engine
    deadLetters
      .list(query)
      .then(async ({ letters: [letter] }) => {
        if (letter === undefined) return
        const request = { id: letter.id, input: null, by }
        this.#accept((await deadLetters.replay(request)).runId)
      })
      .catch(() => {})
  }

  /** Sent until it is answered; the sender's own id makes one of all repeats. */
  #signal(runId: RunId | null, signal: Signal): void {
    const { world, count } = this.#stage
    const member = this.#cluster.some()
    if (runId === null || member === null) return
    count('signal')
    const { name, messageId } = signal
    const request = { runId, name, correlation: null, payload: { messageId }, messageId }
    member.engine.sendSignal(request).then(
      () => {
        if (member.process.alive) this.signalled.push({ runId, messageId })
      },
      ({ retryable }: { readonly retryable?: boolean }) => {
        if (retryable === true) world.at(world.now + 500, () => this.#signal(runId, signal))
      },
    )
    if (signal.repeated) this.#signal(runId, { ...signal, repeated: false })
    void this.#callSteps(runId, messageId)
  }

  /** Whoever has the addresses of a run's steps may call them at any time, before they wait, too. */
  async #callSteps(runId: RunId, messageId: string): Promise<void> {
    const run = await this.#stage.store.load(0, 'run', { runId })
    if (run === null) return
    const version = await this.#stage.store.load(0, 'workflowVersion', { hash: run.definitionHash })
    const nodes = version === null ? {} : (JSON.parse(version.document) as WorkflowDocument).nodes
    for (const [id, { kind, parent }] of Object.entries(nodes)) {
      if (kind === 'wait-webhook' && parent === undefined)
        this.#call(invocationId(`${runId}/${id}`), messageId)
    }
  }

  /** Called until it is answered, by whichever process listens; the caller's own id makes one of all repeats. */
  #call(id: InvocationId, messageId: string): void {
    const { world, count } = this.#stage
    const member = this.#cluster.some()
    if (member === null) return
    count('call')
    const headers = { 'content-type': 'application/json', 'idempotency-key': messageId }
    const bodyBase64 = Buffer.from(JSON.stringify({ messageId })).toString('base64')
    const call = {
      id: 1,
      tokenHash: '',
      method: 'POST',
      path: '',
      query: '',
      headers,
      bodyBase64,
      remote: '',
    }
    member.engine.webhooks
      .answerCallback({ id, call }, async () => null)
      .then(
        ({ status }) => {
          if (member.process.alive && status === 200) this.called.push({ id, mark: callMarkOf(messageId) })
        },
        ({ retryable }: { readonly retryable?: boolean }) => {
          if (retryable === true) world.at(world.now + 500, () => this.#call(id, messageId))
        },
      )
  }

  /** Once the faults are over, somebody sees to what waits for a person. */
  async tend(open: readonly RunId[]): Promise<void> {
    const [member] = this.#cluster.living()
    if (member === undefined) {
      this.#cluster.launch()
      return
    }
    // What was ordered in the chaos may have come last.
    if (this.#stage.scenario.scheduling !== null)
      for (const order of await missingOrders(this.#stage.store)) this.order(order)
    await this.#undoers.tend(open)
    for (const runId of open) {
      const run = await this.#stage.store.load(0, 'run', { runId })
      if (run?.status === 'PAUSED' || (run?.pauseRequestedAt ?? null) !== null)
        this.#control(member.engine, { runId, action: 'resume', nodeId: null })
      const records = await this.#stage.store.load(0, 'invocations', { runId })
      for (const record of records) this.#tendStep(member.engine, record)
    }
  }

  #tendStep(engine: Engine, record: InvocationRecord): void {
    const { random, world } = this.#stage
    const { runId, id, nodeId, status, wait } = record
    if (status === 'APPROVAL_REQUIRED' && wait?.kind !== 'approval') {
      const decision = random.pick([{ kind: 'run-again' }, { kind: 'fail' }] as const)
      engine.resolveInvocation(runId, id, decision).catch(() => {})
    }
    if ((record.dispatch?.pauseRequestedAt ?? null) !== null)
      this.#control(engine, { runId, action: 'resume', nodeId })
    if (status === 'WAITING' && wait?.kind === 'signal' && wait.calls !== undefined) {
      this.#call(id, `at last ${world.now} ${id}`)
      return
    }
    if (status === 'WAITING' && wait?.kind === 'signal') {
      const messageId = `at last ${world.now} ${id}`
      this.#signal(runId, { after: 0, name: wait.name, messageId, repeated: false })
    }
  }

  /** What has come to its end so far, the engine's own chores aside: the same for as long as nothing moves on. */
  async standOf(open: readonly RunId[]): Promise<string> {
    const ofOpen = open.map(async (runId) => {
      const records = await this.#stage.store.load(0, 'invocations', { runId })
      return records.filter(
        ({ status, taskKind }) => invocationMachine.final.has(status) && taskKind !== recoveryTaskKind,
      )
    })
    const ended = (await Promise.all(ofOpen)).flat().length
    return `${this.accepted.filter((id) => !open.includes(id)).length} runs, ${ended} steps of others`
  }

  /** Runs that haven't ended, and accepted ones that aren't there. */
  async openRuns(): Promise<readonly RunId[]> {
    const runs = await this.#stage.store.list(0, 'runs', {
      filter: { statuses: null, workflowId: null, includeCore: true },
      page: { after: null, limit: 100 },
    })
    const missing = this.accepted.filter((id) => !runs.some((run) => run.id === id))
    return [...missing, ...runs.filter((run) => !runMachine.final.has(run.status)).map((run) => run.id)]
  }
}
