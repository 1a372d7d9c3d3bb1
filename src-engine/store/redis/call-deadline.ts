/**
 * An end for every call, however many commands it takes: what has no answer by then ends with an error that says
 * so, and may have been done. The repair of permits counts on it.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Millis } from '../../model/time.ts'
import type { RawStore } from '../raw-store.ts'
import type { RedisClock } from './redis-options.ts'

/** More than a failover takes with all that follows it; less than permits are left alone that only one side knows. */
export const callMsDefault: Millis = 25_000

/** The same store, whose calls end. Pruning and payloads go in slices of their own and aren't counted. */
export function withCallDeadline(
  store: RawStore,
  { clock, callMs = callMsDefault }: { readonly clock: RedisClock; readonly callMs?: Millis },
): RawStore {
  const open = new OpenCalls(clock, callMs)
  return {
    ...store,
    commit: (partition, checkpoints) => open.bound('commit', partition, store.commit(partition, checkpoints)),
    fetch: (request) => open.bound('fetch', request.partition, store.fetch(request)),
    claim: (request) => open.bound('claim', request.partition, store.claim(request)),
    renew: (request) => open.bound('renew', request.partition, store.renew(request)),
    listExpired: (query) => open.bound('listExpired', query.partition, store.listExpired(query)),
    listDue: (query) => open.bound('listDue', query.partition, store.listDue(query)),
    load: (partition, kind, input) => open.bound(kind, partition, store.load(partition, kind, input)),
    list: (partition, kind, query) => open.bound(kind, partition, store.list(partition, kind, query)),
    readEvents: (query) => open.bound('readEvents', query.after.partition, store.readEvents(query)),
    takeSlots: (partition, request) =>
      open.bound('takeSlots', partition, store.takeSlots(partition, request)),
    releaseSlots: (partition, releases) =>
      open.bound('releaseSlots', partition, store.releaseSlots(partition, releases)),
  }
}

interface OpenCall {
  readonly endsAt: number
  readonly end: () => void
}

/** All have the same span, so they end in the order in which they began: one timer does for all. */
class OpenCalls {
  readonly #clock: RedisClock
  readonly #callMs: Millis
  readonly #calls = new Set<OpenCall>()
  #cancel: (() => void) | null = null

  constructor(clock: RedisClock, callMs: Millis) {
    this.#clock = clock
    this.#callMs = callMs
  }

  bound<Answer>(what: string, partition: number, answer: Promise<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const end = (): void => reject(tooLong(what, partition, this.#callMs))
      const call = { endsAt: this.#clock.now() + this.#callMs, end }
      this.#calls.add(call)
      if (this.#cancel === null) this.#wait(this.#callMs)
      answer.then(
        (given) => {
          this.#over(call)
          resolve(given)
        },
        (thrown: unknown) => {
          this.#over(call)
          reject(thrown)
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

const tooLong = (what: string, partition: number, callMs: Millis): SagasmithError =>
  new SagasmithError('redis_timeout', {
    message: `The store had no answer to ${what} in partition ${partition} within ${callMs / 1_000} s.`,
    details: { what, partition },
  })
