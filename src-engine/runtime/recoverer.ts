/** Takes over what dead runners owned: at the start, when a process of this host dies, when a lease expires. */

import { recoverInvocation } from '../core/recover.ts'
import { recordOfThrown } from '../model/errors.ts'
import { sameFence } from '../model/fence.ts'
import type { RunnerId } from '../model/ids.ts'
import { opId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { pageSizeMax } from '../model/limits.ts'
import type { ProcessIdentity, RunnerRecord } from '../model/runner.ts'
import { second } from '../model/time.ts'
import type { Claimer } from './claimer.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

/** A process of the same host that died is noticed within this span. */
const sweepMs = 2 * second
const batchMax = 200

export interface Recoverer {
  /** One sweep; returns how many invocations were taken over. */
  readonly sweep: () => Promise<number>
  readonly start: () => void
  readonly stop: () => void
}

export interface RecovererDependencies extends RunnerDependencies {
  /** Whether the process is certainly gone. */
  readonly isProvenGone: (identity: ProcessIdentity) => boolean
}

export function createRecoverer(
  dependencies: RecovererDependencies,
  runner: Runner,
  claimer: Claimer,
): Recoverer {
  return new SweepRecoverer(dependencies, runner, claimer)
}

class SweepRecoverer implements Recoverer {
  readonly #dependencies: RecovererDependencies
  readonly #runner: Runner
  readonly #claimer: Claimer
  #running = false
  #cancel: () => void = () => {}

  constructor(dependencies: RecovererDependencies, runner: Runner, claimer: Claimer) {
    this.#dependencies = dependencies
    this.#runner = runner
    this.#claimer = claimer
  }

  start(): void {
    this.#running = true
    this.#later()
  }

  stop(): void {
    this.#running = false
    this.#cancel()
  }

  #later(): void {
    const { clock, log } = this.#dependencies
    this.#cancel = clock.after(sweepMs, () => {
      this.sweep()
        .catch((thrown: unknown) => log.warn('recovery.failed', { error: recordOfThrown(thrown).message }))
        .finally(() => {
          if (this.#running) this.#later()
        })
    })
  }

  async sweep(): Promise<number> {
    const { store, partition, clock } = this.#dependencies
    const dead = await this.#deadRunners()
    let count = 0
    let allTaken = false
    for (;;) {
      const expired = await store.listExpired({
        partition,
        now: clock.now(),
        deadRunners: dead.map((runner) => runner.id),
        limit: batchMax,
      })
      const answers = await Promise.all(expired.map((record) => this.#tryToRecover(record)))
      const taken = answers.filter((answer) => answer === 'taken').length
      count += taken
      allTaken = expired.length < batchMax && !answers.includes('failed')
      // Nothing taken means that somebody else was faster; the next sweep sees what is left.
      if (expired.length < batchMax || taken === 0) break
    }
    if (allTaken) for (const runner of dead) await this.#bury(runner)
    if (count > 0) this.#claimer.poke()
    return count
  }

  async #deadRunners(): Promise<readonly RunnerRecord[]> {
    const { store, partition, runnerId, isProvenGone } = this.#dependencies
    const dead: RunnerRecord[] = []
    let after: string | null = null
    do {
      const page: readonly RunnerRecord[] = await store.list(partition, 'runners', {
        filter: null,
        page: { after, limit: pageSizeMax },
      })
      for (const runner of page) {
        if (runner.stoppedAt === null && runner.id !== runnerId && isProvenGone(runner.process))
          dead.push(runner)
      }
      after = page.length < pageSizeMax ? null : (page.at(-1)?.id ?? null)
    } while (after !== null)
    return dead
  }

  /** Its row stays as history, but nobody has to ask again whether it lives. */
  async #bury(runner: RunnerRecord): Promise<void> {
    const { store, partition, clock, executor } = this.#dependencies
    const now = clock.now()
    executor.failpoints('recovery.before-bury')
    await store.renew({
      partition,
      runner: { ...runner, stoppedAt: now, active: 0 },
      leases: [],
      expiresAt: now,
    })
  }

  /** A run that can't be recovered, say because its definition is damaged, must not hold up the others. */
  async #tryToRecover(record: InvocationRecord): Promise<'taken' | 'not-taken' | 'failed'> {
    try {
      return (await this.#recover(record)) ? 'taken' : 'not-taken'
    } catch (thrown) {
      const error = recordOfThrown(thrown).message
      this.#dependencies.log.error('recovery.failed', { invocationId: record.id, error })
      return 'failed'
    }
  }

  async #recover(record: InvocationRecord): Promise<boolean> {
    const { book, executor, executions, runnerId } = this.#dependencies
    const fence = record.lease?.fence
    if (fence === undefined) return false
    const own = executions.get(record.id)
    // The clock jumped or the process slept, but the work lives: its next renewal keeps it.
    if (record.lease?.runnerId === runnerId && own !== undefined && sameFence(own.fence, fence)) return false
    executor.failpoints('recovery.before-commit')
    const decision = await book.decide(record.runId, (state) =>
      recoverInvocation(
        state,
        this.#runner.context({
          actor: 'recovery',
          cause: { kind: 'recovery', by: ownerOf(record), detail: 'its runner is gone' },
          opId: opId(`recover:${record.id}:${fence.epoch}.${fence.counter}`),
          runId: record.runId,
          claims: false,
        }),
        { id: record.id, fence, random: executor.random.next() },
      ),
    )
    executor.failpoints('recovery.after-commit')
    return decision !== null
  }
}

const ownerOf = (record: InvocationRecord): RunnerId | null => record.lease?.runnerId ?? null
