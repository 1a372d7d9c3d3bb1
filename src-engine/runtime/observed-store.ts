/** A store whose claims and commits are watched; everything else goes straight through. */

import type { Clock } from '../model/ports.ts'
import type { Store } from '../store/store.ts'
import type { StoreObserver } from './engine-observer.ts'

/** The same store, watched. */
export function observedStore(store: Store, observers: readonly StoreObserver[], clock: Clock): Store {
  // By name and without a proxy: every step commits, and reads what the store is.
  return {
    get info() {
      return store.info
    },
    migrate: () => store.migrate(),
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
    fetch: (request) => store.fetch(request),
    renew: (request) => store.renew(request),
    listExpired: (query) => store.listExpired(query),
    listDue: (query) => store.listDue(query),
    load: (partition, kind, input) => store.load(partition, kind, input),
    list: (partition, kind, query) => store.list(partition, kind, query),
    readEvents: (query) => store.readEvents(query),
    watch: (partition, hint) => store.watch(partition, hint),
    putBlob: (bytes) => store.putBlob(bytes),
    getBlob: (hash) => store.getBlob(hash),
    prune: (request) => store.prune(request),
    close: () => store.close(),
    ...(store.repair === undefined ? {} : { repair: (now) => store.repair?.(now) ?? Promise.resolve(0) }),
  }
}
