/** Whether a store on these servers can be safe: only a replica can confirm a write. */

import { SagasmithError } from '../../model/errors.ts'
import type { FailoverSafety } from '../../model/failover-safety.ts'
import type { CheckedServer } from './check-servers.ts'
import type { DurabilityWish } from './redis-options.ts'

/**
 * Safe where it was asked for, or may be. A replica that some of the masters lack is away, so safe stays safe
 * and waits for it; where no master has one there are none. Throws `redis_no_replica`.
 */
export function failoverSafety(wish: DurabilityWish, servers: readonly CheckedServer[]): FailoverSafety {
  const alone = servers.filter(({ replicas }) => replicas === 0).map(({ address }) => address)
  if (wish === 'fast') return { mode: 'fast', why: 'asked', alone }
  if (alone.length < servers.length) return { mode: 'safe', why: 'replicas', alone }
  if (wish === 'as-served') return { mode: 'fast', why: 'no-replicas', alone }
  throw new SagasmithError('redis_no_replica', {
    message: `The store can’t be safe: ${alone.join(', ')} ${alone.length === 1 ? 'has' : 'have'} no replica.`,
    details: { masters: alone },
  })
}
