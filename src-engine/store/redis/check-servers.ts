/** What a server must be before anything is entrusted to it. */

import { SagasmithError } from '../../model/errors.ts'
import type { Router } from './router.ts'

const majorMin = 7

/** A master that will do. */
export interface CheckedServer {
  readonly address: string
  /** Replicas that are connected to it. */
  readonly replicas: number
}

/**
 * Throws `redis_too_old`, `redis_may_evict`, `redis_read_only`; looks at every master. With `partly` those are left
 * out that don't answer, where others do.
 */
export async function checkServers(router: Router, partly = false): Promise<readonly CheckedServer[]> {
  const looks = router.topology().masters.map((address) => look(router, address))
  if (!partly) return Promise.all(looks)
  const ends = await Promise.allSettled(looks)
  const checked = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  for (const end of ends) {
    if (end.status === 'rejected' && (checked.length === 0 || !isUnreachable(end.reason))) throw end.reason
  }
  return checked
}

/** Whether it may answer again by itself. */
export const isUnreachable = (thrown: unknown): boolean =>
  thrown instanceof SagasmithError && thrown.retryable

async function look(router: Router, address: string): Promise<CheckedServer> {
  const all = await Promise.all(
    ['server', 'memory', 'replication'].map((section) => router.askNode(address, ['INFO', section])),
  )
  return checkServer(address, all.join('\n'), router.topology().isCluster)
}

function checkServer(address: string, info: string, isCluster: boolean): CheckedServer {
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? ''
  const version = field('redis_version')
  if (Number.parseInt(version, 10) < majorMin) {
    throw new SagasmithError('redis_too_old', {
      message: `The server at ${address} is Redis ${version}; the store needs ${majorMin}.0 or newer.`,
      details: { address, version },
    })
  }
  const policy = field('maxmemory_policy')
  if (policy !== 'noeviction') {
    throw new SagasmithError('redis_may_evict', {
      message: `The server at ${address} has maxmemory-policy ${policy}: it would throw away runs when its memory is full.`,
      details: { address, policy },
    })
  }
  if (!isCluster && field('role') !== 'master') {
    throw new SagasmithError('redis_read_only', {
      message: `The server at ${address} is a replica: it takes no writes.`,
      details: { address },
      retryable: false,
    })
  }
  return { address, replicas: Number(field('connected_slaves')) }
}
