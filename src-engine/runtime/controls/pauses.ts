/**
 * The owner's side of a pause: programs that this process runs stand still when somebody asks for it, and
 * go on when the request is gone; what hasn't come to its task yet is handed back. The records say what is
 * wanted, whoever wrote it.
 */

import { confirmPause, confirmResume } from '../../core/control/pause.ts'
import type { Decision } from '../../core/draft.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Hint, HintOrigin } from '../../store/hints.ts'
import { news, tells } from '../../store/hints.ts'
import type { Execution } from '../execution.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'

/** Until a record that could not be read is looked at again. */
const againMs: Millis = 1_000

export interface Pauses {
  /** A decision was committed here; it may ask for a pause or take it back. */
  readonly committed: (decision: Decision) => void
  readonly start: () => void
  readonly stop: () => void
}

export function createPauses(dependencies: RunnerDependencies, runner: Runner): Pauses {
  return new OwnerPauses(dependencies, runner)
}

class OwnerPauses implements Pauses {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  /** What is being answered right now: one answer at a time. */
  readonly #busy = new Set<InvocationId>()
  /** What stands still because of this. */
  readonly #still = new WeakSet<Execution>()
  #unwatch: () => void = () => {}

  constructor(dependencies: RunnerDependencies, runner: Runner) {
    this.#dependencies = dependencies
    this.#runner = runner
  }

  start(): void {
    const { store, partition } = this.#dependencies
    // Another process may have written the request.
    const hint: Hint = (origin, found) => {
      if (tells(found, news.control)) this.#look(origin)
    }
    this.#unwatch = store.watch(partition, hint, 'news')
    // A request that came while it could not stand still yet.
    this.#dependencies.executions.onPausable((execution) => this.#lookAt(execution))
  }

  stop(): void {
    this.#unwatch()
  }

  committed(decision: Decision): void {
    for (const record of decision.changes.invocations) {
      if (record.lease !== null && record.dispatch !== null) this.#consider(record)
    }
  }

  #look(origin: HintOrigin): void {
    for (const execution of this.#dependencies.executions.pausable()) {
      // This process's own decisions have told those whose task is about to be called.
      if (origin === 'elsewhere' || execution.progress() === 'begun') this.#lookAt(execution)
    }
  }

  #lookAt(execution: Execution): void {
    const { store, partition, log } = this.#dependencies
    const { invocationId } = execution
    if (this.#busy.has(invocationId)) return
    store.load(partition, 'invocation', { invocationId }).then(
      (record) => {
        if (record !== null) this.#consider(record)
      },
      (thrown: unknown) => {
        log.warn('pause.unread', { error: recordOfThrown(thrown).message })
        // Nobody else would tell it that it may go on.
        if (this.#still.has(execution)) this.#lookLater(execution)
      },
    )
  }

  #lookLater(execution: Execution): void {
    this.#dependencies.clock.after(againMs, () => {
      if (this.#dependencies.executions.get(execution.invocationId) === execution) this.#lookAt(execution)
    })
  }

  #consider(record: InvocationRecord): void {
    const { executions, log } = this.#dependencies
    const execution = executions.get(record.id)
    if (execution === undefined || this.#busy.has(record.id)) return
    const asked = record.dispatch !== null && record.dispatch.pauseRequestedAt !== null
    const runs = record.status === 'RUNNING' || record.status === 'RESUMED'
    if (asked && runs && execution.progress() !== 'begun') {
      execution.stop('pause')
      return
    }
    // The answer was written, or is wanted no longer, and whoever gave it wasn't told.
    if (!asked && runs && this.#still.has(execution)) this.#goOn(execution, record.deadlineAt)
    const answer =
      asked && runs
        ? () => this.#pause(execution, record)
        : !asked && record.status === 'PAUSED'
          ? () => this.#resume(execution, record)
          : null
    if (answer === null) return
    this.#busy.add(record.id)
    answer().then(
      () => {
        this.#busy.delete(record.id)
        // What was asked meanwhile.
        this.#look('elsewhere')
      },
      (thrown: unknown) => {
        this.#busy.delete(record.id)
        log.error('pause.failed', { invocationId: record.id, error: recordOfThrown(thrown).message })
        // It may be written all the same: only the record tells.
        this.#lookLater(execution)
      },
    )
  }

  /** First it stands still, then the record says so; a refused record lets it go on. */
  async #pause(execution: Execution, record: InvocationRecord): Promise<void> {
    // One that stands still already has only its answer missing.
    const isStill = this.#still.has(execution)
    if (!isStill && execution.pausable()?.pause() !== true) return
    this.#still.add(execution)
    const before = isStill ? record.deadlineAt : execution.deadlineAt()
    execution.setDeadline(null)
    const decision = await this.#answer(record, 'pause')
    if (decision === null) this.#goOn(execution, before)
  }

  /** First the record says so, with the new deadline, then it goes on. */
  async #resume(execution: Execution, record: InvocationRecord): Promise<void> {
    const decision = await this.#answer(record, 'resume')
    const after = decision?.changes.invocations.find((changed) => changed.id === record.id)
    if (after !== undefined) this.#goOn(execution, after.deadlineAt)
  }

  #goOn(execution: Execution, deadlineAt: Instant | null): void {
    this.#still.delete(execution)
    execution.setDeadline(deadlineAt)
    execution.pausable()?.resume()
  }

  #answer(record: InvocationRecord, what: 'pause' | 'resume'): Promise<Decision | null> {
    const { book } = this.#dependencies
    return book.decide(record.runId, (state) => {
      const context = this.#runner.context({
        actor: 'runner',
        cause: { kind: what, by: record.id, detail: null },
        opId: opId(`${what}d:${record.id}:${state.invocations.get(record.id)?.version ?? 0}`),
        runId: record.runId,
        claims: false,
      })
      return what === 'pause'
        ? confirmPause(state, context, record.id)
        : confirmResume(state, context, record.id)
    })
  }
}
