/** A store whose claims and commits are watched; everything else goes straight through. */

import type { Clock } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import type { StoreObserver } from './engine-observer.ts'

/** The same store, watched. */
export function observedStore(store: Store, observers: readonly StoreObserver[], clock: Clock): Store {
  const observed: Pick<Store, 'claim' | 'commit'> = {
    claim: async (request) => {
      const begunAt = clock.now()
      const begun = clock.monotonic()
      const answer = await store.claim(request)
      const took = { begunAt, ms: clock.monotonic() - begun }
      for (const observer of observers) observer.claimed(request, answer, took)
      return answer
    },
    commit: (partition, checkpoints) => {
      const begunAt = clock.now()
      const begun = clock.monotonic()
      return store.commit(partition, checkpoints).then((answers) => {
        const took = { begunAt, ms: clock.monotonic() - begun }
        for (const observer of observers) observer.committed(checkpoints, answers, took)
        return answers
      })
    },
  }
  // A store has methods and private state of its own: it is looked through, never copied.
  const known = new Map<string | symbol, unknown>(Object.entries(observed))
  return new Proxy(store, {
    get: (target, name) => {
      const found = known.get(name)
      if (found !== undefined) return found
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const bound: unknown = value.bind(target)
      known.set(name, bound)
      return bound
    },
  })
}
