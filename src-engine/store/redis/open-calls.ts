/** Calls that end: who has no answer within a span is told so. */

import type { Millis } from '../../model/time.ts'
import type { RedisClock } from './redis-options.ts'

interface OpenCall {
  readonly endsAt: number
  readonly end: () => void
}

/** What a call comes to that has no answer, and what its failures are called; as they are when absent. */
export interface CallEnds {
  readonly late: () => Error
  readonly failed?: (thrown: unknown) => unknown
}

/**
 * All have the same span, so they end in the order in which they began: one timer does for all. It stands until it
 * finds nothing open: of steps that follow each other each would else set one, only to take it away with its answer.
 */
export class OpenCalls {
  readonly #clock: RedisClock
  readonly #callMs: Millis
  readonly #calls = new Set<OpenCall>()
  #isWaiting = false

  constructor(clock: RedisClock, callMs: Millis) {
    this.#clock = clock
    this.#callMs = callMs
  }

  /** The answer, or the end of the span. */
  bound<Answer>(answer: Promise<Answer>, { late, failed }: CallEnds): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const call = { endsAt: this.#clock.now() + this.#callMs, end: () => reject(late()) }
      this.#calls.add(call)
      if (!this.#isWaiting) this.#wait(this.#callMs)
      answer.then(
        (given) => {
          this.#calls.delete(call)
          resolve(given)
        },
        (thrown: unknown) => {
          this.#calls.delete(call)
          reject(failed === undefined ? thrown : failed(thrown))
        },
      )
    })
  }

  #wait(ms: Millis): void {
    this.#isWaiting = true
    this.#clock.after(ms, () => {
      this.#isWaiting = false
      const now = this.#clock.now()
      for (const call of this.#calls) {
        if (call.endsAt > now) {
          this.#wait(call.endsAt - now)
          return
        }
        this.#calls.delete(call)
        call.end()
      }
    })
  }
}
