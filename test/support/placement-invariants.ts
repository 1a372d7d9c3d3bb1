/** I36: whoever takes a step works for one of the pools that it is routed to at that moment. */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { History } from './history.ts'

/** At every place of the history. */
export async function checkPlacement(store: Store, { events }: History): Promise<readonly string[]> {
  const rows = await store.list(0, 'runners', { filter: null, page: { after: null, limit: pageSizeMax } })
  const poolsOf = new Map<string, readonly string[]>(rows.map(({ id, pools }) => [id, pools]))
  const places = new Map<string, Pick<InvocationRecord, 'route' | 'pool' | 'taskKind'>>()
  const found: string[] = []
  for (const { body, invocationId: id, seq } of events) {
    if (id === null) continue
    if (body.type === 'invocation.registered') places.set(id, body.invocation)
    if (body.type !== 'invocation.changed') continue
    const place = places.get(id)
    if (place === undefined) continue
    const now = { ...place, ...body.set }
    places.set(id, { route: now.route, pool: now.pool, taskKind: now.taskKind })
    // The engine's own tasks keep everything else going, wherever they are.
    if (body.to !== 'PENDING' || body.from === 'PENDING' || place.taskKind.startsWith('core-')) continue
    const runner = body.set.lease?.runnerId ?? ''
    const pools = now.route?.pools ?? [now.pool]
    const own = poolsOf.get(runner)
    if (own !== undefined && !pools.some((pool) => own.includes(pool)))
      found.push(`I36 ${runner} took ${id} of the pools ${pools.join(', ')} at ${seq}`)
  }
  return found
}
