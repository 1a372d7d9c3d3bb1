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

/** All have the same span, so they end in the order in which they began: one timer does for all. */
export class OpenCalls {
  readonly #clock: RedisClock
  readonly #callMs: Millis
  readonly #calls = new Set<OpenCall>()
  #cancel: (() => void) | null = null

  constructor(clock: RedisClock, callMs: Millis) {
    this.#clock = clock
    this.#callMs = callMs
  }

  /** The answer, or the end of the span. */
  bound<Answer>(answer: Promise<Answer>, { late, failed }: CallEnds): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const call = { endsAt: this.#clock.now() + this.#callMs, end: () => reject(late()) }
      this.#calls.add(call)
      if (this.#cancel === null) this.#wait(this.#callMs)
      answer.then(
        (given) => {
          this.#over(call)
          resolve(given)
        },
        (thrown: unknown) => {
          this.#over(call)
          reject(failed === undefined ? thrown : failed(thrown))
        },
      )
    })
  }

  #over(call: OpenCall): void {
    this.#calls.delete(call)
    if (this.#calls.size > 0 || this.#cancel === null) return
    this.#cancel()
    this.#cancel = null
  }

  #wait(ms: Millis): void {
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = null
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
