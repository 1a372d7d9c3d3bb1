/** A connection to a Redis server that was checked, and what its errors mean. */

import type { Redis } from 'ioredis'
import { SagasmithError } from '../model/errors.ts'
import type { ServerPlace } from './reachable-host.ts'
import { tlsOptions } from './tls.ts'

/** How to sign in at a server. */
export interface RedisSignIn {
  readonly user: string
  readonly password: string
  readonly db: number
  readonly tls: 'verify' | 'off'
  readonly authority: string
}

export interface OpenedRedis {
  readonly client: Redis
  /** What the server said on the side; null for nothing. */
  readonly told: () => Error | null
}

/** A connection that is made with its first `connect`, and never again by itself. */
export async function openRedis(
  { user, password, db, tls, authority }: RedisSignIn,
  place: ServerPlace,
  given: { readonly name: string; readonly commandTimeout?: number; readonly protocol?: 2 | 3 },
): Promise<OpenedRedis> {
  // Loaded with the first command; for a workspace in SQLite nothing else needs it.
  const { Redis } = await import('ioredis')
  const { name: connectionName, ...limits } = given
  const client = new Redis({
    host: place.address,
    port: place.port,
    db,
    ...(user === '' ? {} : { username: user }),
    ...(password === '' ? {} : { password }),
    ...(tls === 'off' ? {} : { tls: tlsOptions(authority, place) }),
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectionName,
    ...limits,
  })
  let said: Error | null = null
  client.on('error', (error: Error) => {
    if (error.name === 'ReplyError') said = error
  })
  return { client, told: () => said }
}

/** Whether the server itself said no; else the connection failed. */
export const isReply = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && thrown.name === 'ReplyError'

/** The first word of what a server says: `WRONGPASS`, `MOVED`. */
export const replyWord = ({ message }: Error): string => /^[A-Z]+\b/.exec(message)?.[0] ?? ''

/** What went wrong, as people are told. */
export function redisError(thrown: unknown, host: string): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const { message, name } = thrown
  if (name !== 'ReplyError') {
    const reason = 'code' in thrown ? String(thrown.code) : name
    return new SagasmithError('connection_failed', {
      message: `${host}: ${message}`,
      details: { host, reason },
      cause: thrown,
    })
  }
  const word = replyWord(thrown)
  const isSignIn = ['WRONGPASS', 'NOAUTH', 'NOPERM'].includes(word)
  return new SagasmithError(isSignIn ? 'sign_in_refused' : 'redis_command_refused', {
    message: `${host} says: ${message}`,
    details: { host, word },
    retryable: ['LOADING', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'BUSY', 'READONLY'].includes(word),
    cause: thrown,
  })
}
