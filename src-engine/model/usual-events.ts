/**
 * What a step goes through in its usual way: news for who looks at its run, and for nobody else. Told of events when they
 * are written, so that who wants others, or has to leave something out, need not read them for it.
 */

import type { EventDraft } from './event.ts'
import type { InvocationStatus } from './invocation-status.ts'

const usualStatuses: ReadonlySet<InvocationStatus> = new Set([
  ...(['REGISTERED', 'REROUTED', 'RETRY', 'CONCURRENCY_CONTROLLED', 'PENDING', 'RUNNING'] as const),
  ...(['RESUMED', 'WAITING', 'SUCCESS'] as const),
])

/** Nothing for a person to see to or to be kept from: no check of a result, no dead letter, no decision. */
export function isUsual({ cause, body }: Pick<EventDraft, 'cause' | 'body'>): boolean {
  if (cause.kind.startsWith('dlq.')) return false
  switch (body.type) {
    case 'invocation.registered':
      return (body.invocation.dispatch?.check ?? null) === null
    case 'invocation.changed':
      return (
        usualStatuses.has(body.from) &&
        usualStatuses.has(body.to) &&
        (body.set.dispatch?.check ?? null) === null
      )
    case 'node.skipped':
      return true
    default:
      return false
  }
}
