/** A store whose claims and commits are watched; everything else goes straight through. */

import type { Clock } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import type { StoreObserver } from './engine-observer.ts'

/** The same store, watched. */
export function observedStore(store: Store, observers: readonly StoreObserver[], clock: Clock): Store {
  // By name and without a proxy: every step commits, and reads what the store is.
  return {
    ...store,
    async claim(request) {
      const begunAt = clock.now()
      const begun = clock.monotonic()
      const answer = await store.claim(request)
      const took = { begunAt, ms: clock.monotonic() - begun }
      for (const observer of observers) observer.claimed(request, answer, took)
      return answer
    },
    commit(partition, checkpoints) {
      const begunAt = clock.now()
      const begun = clock.monotonic()
      return store.commit(partition, checkpoints).then((answers) => {
        const took = { begunAt, ms: clock.monotonic() - begun }
        for (const observer of observers) observer.committed(checkpoints, answers, took)
        return answers
      })
    },
  }
}
