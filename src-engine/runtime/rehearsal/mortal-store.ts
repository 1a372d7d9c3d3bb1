/** A store as a process sees it that may be killed at any moment: from then on, nothing is asked or answered. */

import type { Store } from '../../store/store.ts'

const never = new Promise<never>(() => {})

/** The store until `isAlive` says no. What was under way then may still be done, but nobody hears of it. */
export function mortalStore(store: Store, isAlive: () => boolean): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        if (!isAlive()) return never
        const answer: unknown = Reflect.apply(member, target, given)
        return answer instanceof Promise ? answer.then((value) => (isAlive() ? value : never)) : answer
      }
    },
  })
}
