/**
 * An end for every call, however many commands it takes: what has no answer by then ends with an error that says
 * so, and may have been done. The repair of permits counts on it.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Millis } from '../../model/time.ts'
import type { RawStore } from '../raw-store.ts'
import { OpenCalls } from './open-calls.ts'
import type { RedisClock } from './redis-options.ts'

/** More than a failover takes with all that follows it; less than permits are left alone that only one side knows. */
export const callMsDefault: Millis = 25_000

/** The same store, whose calls end. Pruning and payloads go in slices of their own and aren't counted. */
export function withCallDeadline(
  store: RawStore,
  { clock, callMs = callMsDefault }: { readonly clock: RedisClock; readonly callMs?: Millis },
): RawStore {
  const open = new OpenCalls(clock, callMs)
  const bound = <Answer>(what: string, partition: number, answer: Promise<Answer>): Promise<Answer> =>
    open.bound(answer, { late: () => tooLong(what, partition, callMs) })
  return {
    ...store,
    commit: (partition, checkpoints) => bound('commit', partition, store.commit(partition, checkpoints)),
    fetch: (request) => bound('fetch', request.partition, store.fetch(request)),
    claim: (request) => bound('claim', request.partition, store.claim(request)),
    renew: (request) => bound('renew', request.partition, store.renew(request)),
    listExpired: (query) => bound('listExpired', query.partition, store.listExpired(query)),
    listDue: (query) => bound('listDue', query.partition, store.listDue(query)),
    load: (partition, kind, input) => bound(kind, partition, store.load(partition, kind, input)),
    list: (partition, kind, query) => bound(kind, partition, store.list(partition, kind, query)),
    readEvents: (query) => bound('readEvents', query.after.partition, store.readEvents(query)),
    ...(store.readGroups === undefined
      ? {}
      : {
          readGroups: async (query) =>
            bound('readGroups', query.after.partition, store.readGroups?.(query) ?? noGroups),
        }),
    takeSlots: (partition, request) => bound('takeSlots', partition, store.takeSlots(partition, request)),
    releaseSlots: (partition, releases) =>
      bound('releaseSlots', partition, store.releaseSlots(partition, releases)),
  }
}

const noGroups = Promise.resolve(null)

const tooLong = (what: string, partition: number, callMs: Millis): SagasmithError =>
  new SagasmithError('redis_timeout', {
    message: `The store had no answer to ${what} in partition ${partition} within ${callMs / 1_000} s.`,
    details: { what, partition },
  })
