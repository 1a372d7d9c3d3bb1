/** A store whose calls a test counts, keeps, answers itself, or lets fail. */

import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'

type Call = readonly unknown[]

export interface Watch {
  /** What the calls that fit were given. */
  readonly calls: Call[]
  isFailing: boolean
  /** What they answer instead; null for what the store says. */
  answer: unknown
}

/** A memory store, and what is watched of it: the calls of which `fits` says so. */
export function watched(fits: (name: string, given: Call) => boolean) {
  const watch: Watch = { calls: [], isFailing: false, answer: null }
  const store = new Proxy(createMemoryStore(), {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      return (...given: Call): unknown => {
        if (fits(name, given)) {
          watch.calls.push(given)
          if (watch.answer !== null) return Promise.resolve(watch.answer)
          if (watch.isFailing) return Promise.reject(new SagasmithError('store_failed'))
        }
        return Reflect.apply(member, target, given)
      }
    },
  })
  return { store, watch }
}
