/**
 * The circuit breaker that all processes share through the store; while the store can't be reached, each has
 * one of its own, which begins where the shared one was seen last.
 */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunnerId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { Breaker, BreakerName } from '../../model/policy/breaker.ts'
import {
  breakerKey,
  closedBreaker,
  noteBreaker,
  passBreaker,
  readBreaker,
  writeBreaker,
} from '../../model/policy/breaker.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'

/** A call that was let through. */
export interface BreakerCall {
  readonly begunAt: Instant
}

export interface SharedBreaker {
  /** Asks whether a call may go out; null when it may not. */
  readonly pass: () => Promise<BreakerCall | null>
  /** Tells how the call came out. */
  readonly note: (call: BreakerCall, succeeded: boolean) => Promise<void>
  /** As this process saw it last. */
  readonly seen: () => Breaker
}

export interface SharedBreakerDependencies {
  readonly name: BreakerName
  readonly store: Store
  readonly partition: number
  readonly owner: RunnerId
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
}

/** The store has this long; then the process decides alone. */
const storeWaitMs: Millis = 2 * second

/** One for `input`, another for `output`: they open and close apart. */
export function createSharedBreaker(dependencies: SharedBreakerDependencies): SharedBreaker {
  return new RegisteredBreaker(dependencies)
}

/** The breaker as the store has it; null where nobody ever asked. */
export async function loadBreaker(
  { store, partition }: Pick<SharedBreakerDependencies, 'store' | 'partition'>,
  name: BreakerName,
): Promise<Breaker | null> {
  const register = await store.load(partition, 'register', { key: breakerKey(name) })
  return register === null ? null : readBreaker(register.value)
}

/** What a change of the breaker comes to, beside the next state. */
type Move<Answer> = (breaker: Breaker) => { readonly after: Breaker; readonly answer: Answer }

class RegisteredBreaker implements SharedBreaker {
  readonly #dependencies: SharedBreakerDependencies
  #seen: Breaker = closedBreaker
  #isAlone = false

  constructor(dependencies: SharedBreakerDependencies) {
    this.#dependencies = dependencies
  }

  seen(): Breaker {
    return this.#seen
  }

  pass(): Promise<BreakerCall | null> {
    const now = this.#dependencies.clock.now()
    return this.#move((breaker) => {
      const { passes, after } = passBreaker(breaker, now)
      return { after, answer: passes ? { begunAt: now } : null }
    })
  }

  note({ begunAt }: BreakerCall, succeeded: boolean): Promise<void> {
    const now = this.#dependencies.clock.now()
    return this.#move((breaker) => ({
      after: noteBreaker(breaker, { succeeded, begunAt, now }),
      answer: undefined,
    }))
  }

  async #move<Answer>(move: Move<Answer>): Promise<Answer> {
    try {
      const answer = await this.#inTime(this.#shared(move))
      if (this.#isAlone) this.#dependencies.log.info('breaker.shared', { name: this.#dependencies.name })
      this.#isAlone = false
      return answer
    } catch (thrown) {
      const { log, name } = this.#dependencies
      if (!this.#isAlone) log.warn('breaker.alone', { name, error: recordOfThrown(thrown).message })
      this.#isAlone = true
      const { after, answer } = move(this.#seen)
      this.#adopt(after)
      return answer
    }
  }

  async #shared<Answer>(move: Move<Answer>): Promise<Answer> {
    const { name } = this.#dependencies
    const key = breakerKey(name)
    const lost = `The breaker ${name} is moved by others all the time.`
    const { answer, after } = await moveRegister(this.#dependencies, { key, lost }, (register) => {
      const before = register === null ? closedBreaker : readBreaker(register.value)
      const moved = move(before)
      const checkpoint = moved.after === before ? null : this.#written(moved.after, register?.version ?? 0)
      return { answer: moved, checkpoint }
    })
    this.#adopt(after)
    return answer
  }

  #adopt(after: Breaker): void {
    const { log, name } = this.#dependencies
    if (after.status !== this.#seen.status) log.info('breaker.changed', { name, status: after.status })
    this.#seen = after
  }

  #written(breaker: Breaker, version: number): Checkpoint {
    const { partition, owner, clock, ids, name } = this.#dependencies
    return registerCheckpoint({
      ...{ partition, key: breakerKey(name), version, value: writeBreaker(breaker), at: clock.now() },
      opId: opId(`breaker:${ids.next()}`),
      actor: { kind: 'policy', id: owner },
      cause: { kind: 'breaker', by: owner, detail: breaker.status },
    })
  }

  /** A store that says nothing must not hold up every decision. */
  #inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
    const { clock } = this.#dependencies
    return new Promise((resolve, reject) => {
      const cancel = clock.after(storeWaitMs, () => reject(new SagasmithError('store_failed')))
      work.then(resolve, reject).finally(cancel)
    })
  }
}
