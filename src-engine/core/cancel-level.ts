/** Cancelling what goes on in items and turns that nobody needs any more. */

import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, recordOf, touchInvocation } from './draft.ts'
import { forwardId, isActive } from './run-state.ts'

const withItsLevel = 'Cancelled together with its item or turn.'

/** Everything of one item or turn, and of what is open inside of it. */
export function cancelLevel(draft: Draft, path: string, message = withItsLevel): void {
  cancelWhere(draft, (open) => open === path || open.startsWith(`${path}/`), message)
}

/** Every open item or turn of a map or loop. */
export function cancelBodyOf(draft: Draft, container: InvocationRecord): void {
  const own = container.path === '' ? `${container.nodeId}:` : `${container.path}/${container.nodeId}:`
  cancelWhere(draft, (open) => open.startsWith(own), withItsLevel)
}

function cancelWhere(draft: Draft, isMeant: (path: string) => boolean, message: string): void {
  const paths = new Set([...draft.state.bodies.keys(), ...(draft.bodies?.keys() ?? [])])
  for (const path of paths) {
    if (!isMeant(path)) continue
    const container = draft.bodies?.get(path)?.container ?? draft.state.bodies.get(path)?.container
    for (const node of container?.body?.nodes ?? []) {
      const record = recordOf(draft, forwardId(draft.state, node.id, path))
      if (record !== undefined && isActive(record)) cancel(draft, record, message)
    }
  }
}

/** Queued and parked work ends here; owned work is asked, and answers once it is really dead. */
function cancel(draft: Draft, record: InvocationRecord, message: string): void {
  const cause = { kind: 'cancel', by: draft.run.id, detail: null }
  if (record.lease === null) {
    const error = errorRecord('task_cancelled', { message })
    moveInvocation(draft, record.id, { to: 'CANCELLED', cause, set: { error } })
  } else if (record.cancelRequestedAt === null) {
    touchInvocation(draft, record.id, { cancelRequestedAt: draft.context.now })
  }
}
