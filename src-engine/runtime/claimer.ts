/** Fills free slots from the store: what other runs, other processes or a passed pause made available. */

import type { Decision } from '../core/draft.ts'
import type { MissingPermit } from '../core/permits/wait-for-permit.ts'
import { yieldForPermit } from '../core/permits/wait-for-permit.ts'
import { beginAttempt } from '../core/requests.ts'
import type { RunState } from '../core/run-state.ts'
import { recordOfThrown } from '../model/errors.ts'
import { opId } from '../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../model/invocation.ts'
import type { ClaimAnswer, Claimed } from '../store/store.ts'
import type { PermitLines } from './permits/permit-lines.ts'
import { resolvePermits } from './permits/resolve-permits.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

export interface Claimer {
  /** Something may have become available, or a slot free. */
  readonly poke: () => void
  readonly start: () => void
  readonly stop: () => void
}

export function createClaimer(
  dependencies: RunnerDependencies,
  runner: Runner,
  lines: () => PermitLines,
): Claimer {
  return new StoreClaimer(dependencies, runner, lines)
}

class StoreClaimer implements Claimer {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  readonly #lines: () => PermitLines
  #running = false
  #claiming = false
  #again = false
  #stopPoll: () => void = () => {}
  #unwatch: () => void = () => {}

  constructor(dependencies: RunnerDependencies, runner: Runner, lines: () => PermitLines) {
    this.#dependencies = dependencies
    this.#runner = runner
    this.#lines = lines
  }

  start(): void {
    this.#running = true
    const { store, partition } = this.#dependencies
    // Own commits poke by themselves; only what another process wrote needs a look.
    if (store.info.multiProcess) {
      this.#unwatch = store.watch(partition, (origin) => {
        if (origin === 'elsewhere') this.poke()
      })
    }
    this.#poll()
  }

  stop(): void {
    this.#running = false
    this.#stopPoll()
    this.#unwatch()
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
      let { claimed, blocked } = nothingClaimed
      try {
        executor.failpoints('claim.before')
        ;({ claimed, blocked } = await this.#claim(limit))
        if (claimed.length > 0) executor.failpoints('claim.after')
      } catch (thrown) {
        log.warn('claim.failed', { error: recordOfThrown(thrown).message })
      }
      slots.putBack(limit - claimed.length)
      for (const item of claimed) this.#begin(item)
      // Out of the way, so that the next claim sees what stood behind them.
      if (blocked.length > 0) await this.#lines().stepAside(blocked)
      else if (claimed.length < limit) return
    }
  }

  #claim(limit: number): Promise<ClaimAnswer> {
    const { store, partition, runnerId, clock, settings, executor } = this.#dependencies
    return store.claim({
      partition,
      runnerId,
      limit,
      now: clock.now(),
      ttlMs: settings.claimTtlMs,
      pools: settings.pools,
      capabilities: [...executor.host.specsByKind.keys()],
      labels: settings.labels,
      agingMs: settings.agingIntervalMs,
      invocationIds: null,
    })
  }

  #begin({ invocation }: Claimed): void {
    const { slots, log, executor } = this.#dependencies
    executor.failpoints('begin.before-commit')
    const begun =
      invocation.permits === null || invocation.permits.resolved
        ? this.#decideToBegin(invocation, null)
        : this.#resolveAndBegin(invocation)
    begun.then(
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

  /** Which permits it needs depends on its parameters: these first, while it is PENDING. */
  async #resolveAndBegin(invocation: InvocationRecord): Promise<Decision | null> {
    const { book } = this.#dependencies
    const loaded: { state: RunState | null } = { state: null }
    const look = (state: RunState): null => {
      loaded.state = state
      return null
    }
    loaded.state = book.cachedState(invocation.runId)
    if (loaded.state === null) await book.decide(invocation.runId, look)
    const plan =
      loaded.state === null ? null : await resolvePermits(this.#dependencies, loaded.state, invocation)
    return this.#decideToBegin(invocation, plan)
  }

  async #decideToBegin(invocation: InvocationRecord, plan: PermitPlan | null): Promise<Decision | null> {
    const { id } = invocation
    const counter = invocation.fence?.counter ?? 0
    let missing: Omit<MissingPermit, 'id' | 'plan'> | null = null
    const context = (name: string) =>
      this.#runner.context({
        actor: 'runner',
        cause: { kind: 'claim', by: id, detail: null },
        opId: opId(`${name}:${id}:${counter}`),
        runId: null,
        claims: false,
      })
    const decision = await this.#dependencies.book.decide(
      invocation.runId,
      (state) =>
        missing === null
          ? beginAttempt(state, context('begin'), { id, permits: plan })
          : yieldForPermit(state, context('yield'), { ...missing, id, plan }),
      {
        claimed: invocation,
        slotTaken: (found) => {
          missing = found
        },
      },
    )
    // Whoever had the permit may have let go of it before this one stood in line.
    const key = (missing as MissingPermit | null)?.key
    if (key !== undefined) void this.#lines().serve(key)
    return decision
  }
}

const nothingClaimed: ClaimAnswer = { claimed: [], blocked: [] }
