/** Fills free slots from the store: what other runs, other processes or a passed pause made available. */

import { defaultPool } from '../core/compile.ts'
import { beginAttempt } from '../core/requests.ts'
import { recordOfThrown } from '../model/errors.ts'
import { opId } from '../model/ids.ts'
import type { Claimed } from '../store/store.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

export interface Claimer {
  /** Something may have become available, or a slot free. */
  readonly poke: () => void
  readonly start: () => void
  readonly stop: () => void
}

export function createClaimer(dependencies: RunnerDependencies, runner: Runner): Claimer {
  return new StoreClaimer(dependencies, runner)
}

class StoreClaimer implements Claimer {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  #running = false
  #claiming = false
  #again = false
  #stopPoll: () => void = () => {}

  constructor(dependencies: RunnerDependencies, runner: Runner) {
    this.#dependencies = dependencies
    this.#runner = runner
  }

  start(): void {
    this.#running = true
    this.#poll()
  }

  stop(): void {
    this.#running = false
    this.#stopPoll()
  }

  poke(): void {
    if (!this.#running) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    if (this.#dependencies.slots.free() === 0) return
    this.#claiming = true
    void this.#turn().finally(() => {
      this.#claiming = false
      if (this.#again) {
        this.#again = false
        this.poke()
      }
    })
  }

  #poll(): void {
    const { clock, settings } = this.#dependencies
    this.poke()
    // Another process may have made work available without our noticing; so look now and then.
    this.#stopPoll = clock.after(settings.pollIntervalMs, () => this.#poll())
  }

  async #turn(): Promise<void> {
    const { slots, log, executor } = this.#dependencies
    // Slots that free up in the same turn are filled by one claim.
    await Promise.resolve()
    while (this.#running && slots.free() > 0) {
      const limit = slots.free()
      slots.take(limit)
      let claimed: readonly Claimed[] = []
      try {
        executor.failpoints('claim.before')
        claimed = await this.#claim(limit)
        if (claimed.length > 0) executor.failpoints('claim.after')
      } catch (thrown) {
        log.warn('claim.failed', { error: recordOfThrown(thrown).message })
      }
      slots.putBack(limit - claimed.length)
      for (const item of claimed) this.#begin(item)
      if (claimed.length < limit) return
    }
  }

  async #claim(limit: number): Promise<readonly Claimed[]> {
    const { store, partition, runnerId, clock, settings, executor } = this.#dependencies
    const { claimed } = await store.claim({
      partition,
      runnerId,
      limit,
      now: clock.now(),
      ttlMs: settings.claimTtlMs,
      pools: [defaultPool],
      capabilities: [...executor.host.specsByKind.keys()],
      labels: [],
      agingMs: settings.agingIntervalMs,
      invocationIds: null,
    })
    return claimed
  }

  #begin({ invocation }: Claimed): void {
    const { book, slots, log, executor } = this.#dependencies
    const counter = invocation.fence?.counter ?? 0
    executor.failpoints('begin.before-commit')
    book
      .decide(
        invocation.runId,
        (state) =>
          beginAttempt(
            state,
            this.#runner.context({
              actor: 'runner',
              cause: { kind: 'claim', by: invocation.id, detail: null },
              opId: opId(`begin:${invocation.id}:${counter}`),
              runId: null,
              claims: false,
            }),
            invocation.id,
          ),
        { claimed: invocation },
      )
      .then(
        (decision) => {
          executor.failpoints('begin.after-commit')
          if (decision === null || decision.started.length === 0) slots.give(1)
          else this.#runner.execute(decision.started)
        },
        (thrown: unknown) => {
          slots.give(1)
          log.error('begin.failed', { invocationId: invocation.id, error: recordOfThrown(thrown).message })
        },
      )
  }
}
