/**
 * Streams on real servers. A stream lives on one server of a cluster: asked the wrong one, it is followed to where
 * that says, if the workflow may go there.
 */

import type { Redis } from 'ioredis'
import { SagasmithError } from '../../model/errors.ts'
import type { Millis } from '../../model/time.ts'
import { minute } from '../../model/time.ts'
import type { HostLookup } from '../../tasks/http-request/host-lookup.ts'
import { systemLookup } from '../../tasks/http-request/host-lookup.ts'
import type { ServerPlace } from '../../tasks/reachable-host.ts'
import { serverPlace } from '../../tasks/reachable-host.ts'
import type { OpenedRedis } from '../../tasks/redis-connection.ts'
import { isReply, openRedis, redisError, replyWord } from '../../tasks/redis-connection.ts'
import type { StreamEntry } from '../../triggers/redis-stream/stream-entry.ts'
import type { StreamAccess, StreamConnection, StreamPlace } from './stream-access.ts'

/** As whom entries are read: whoever takes over finds what the one before had been handed. */
const consumer = 'sagasmith'

/** Longer than any wait for entries: a line that says nothing for so long is broken. */
const silenceMs: Millis = minute

/** From server to server, while slots move. */
const hopsMax = 5

/** Streams of servers that are found by these addresses. */
export function redisStreams(lookup: HostLookup = systemLookup): StreamAccess {
  return { connect: (place, signal) => connected({ place, signal, lookup }) }
}

interface Connecting {
  readonly place: StreamPlace
  readonly signal: AbortSignal
  readonly lookup: HostLookup
}

interface ServerName {
  readonly host: string
  readonly port: number
}

async function connected({ place, signal, lookup }: Connecting): Promise<StreamConnection> {
  const { approvedHosts, allowedHosts, secrets, parameters } = place
  let server: ServerName = parameters
  for (let hops = 0; hops < hopsMax; hops += 1) {
    const at = await serverPlace(server, { approvedHosts, allowedHosts, secrets }, lookup)
    signal.throwIfAborted()
    const opened = await openRedis({ ...parameters, ...signInOf(place) }, at, {
      name: 'sagasmith-trigger',
      commandTimeout: silenceMs,
      // Answers as lists, as this file reads them.
      protocol: 2,
    })
    const stop = (): void => opened.client.disconnect()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await opened.client.connect()
      // Any command on its key tells whether the stream lives here.
      await opened.client.call('EXISTS', parameters.stream)
      return connectionOf(opened, at, parameters)
    } catch (thrown) {
      stop()
      const reason = opened.told() ?? thrown
      const moved = movedTo(reason, server)
      if (moved === null) throw streamError(reason, at, parameters)
      server = moved
    }
  }
  throw new SagasmithError('connection_failed', {
    message: `${parameters.host}: its cluster sends from server to server.`,
    details: { host: parameters.host, reason: 'MOVED' },
  })
}

const signInOf = ({ parameters: { auth }, password }: StreamPlace) =>
  auth.kind === 'none' ? { user: '', password: '' } : { user: auth.user, password }

/** Where a server of a cluster says that the key is; one without a name is meant as the same host. */
function movedTo(thrown: unknown, { host }: ServerName): ServerName | null {
  if (!isReply(thrown)) return null
  const found = /^MOVED \d+ (?<host>.*):(?<port>\d+)$/.exec(thrown.message)?.groups
  if (found === undefined) return null
  return { host: found['host'] || host, port: Number(found['port']) }
}

type Stream = Pick<StreamPlace['parameters'], 'stream' | 'consumerGroup' | 'host'>

function connectionOf(
  { client, told }: OpenedRedis,
  at: ServerPlace,
  { stream, consumerGroup: group, host }: Stream,
): StreamConnection {
  const ask = async (name: string, ...words: readonly (string | number)[]): Promise<unknown> => {
    try {
      return await client.call(name, ...words)
    } catch (thrown) {
      throw streamError(told() ?? thrown, at, { stream, consumerGroup: group, host })
    }
  }
  const reading = (words: readonly (string | number)[], from: string) =>
    ask('XREADGROUP', 'GROUP', group, consumer, ...words, 'STREAMS', stream, from)
  return {
    makeGroup: async (startAt) => {
      await makeGroup(client, { stream, group, startAt }).catch((thrown: unknown) => {
        throw streamError(thrown, at, { stream, consumerGroup: group, host })
      })
    },
    read: async ({ count, waitMs }) =>
      entriesOf(await reading(['COUNT', count, ...(waitMs > 0 ? ['BLOCK', Math.ceil(waitMs)] : [])], '>')),
    own: async ({ after, count }) => entriesOf(await reading(['COUNT', count], after)),
    claim: async ({ idleMs, count, from }) => {
      const answer = await ask('XAUTOCLAIM', stream, group, consumer, idleMs, from, 'COUNT', count)
      const [next, entries] = Array.isArray(answer) ? (answer as readonly unknown[]) : []
      return { entries: listOf(entries), next: typeof next === 'string' ? next : '0-0' }
    },
    acknowledge: async (ids) => {
      await ask('XACK', stream, group, ...ids)
    },
    close: () => client.disconnect(),
  }
}

async function makeGroup(
  client: Redis,
  { stream, group, startAt }: { readonly stream: string; readonly group: string; readonly startAt: string },
): Promise<void> {
  try {
    await client.call('XGROUP', 'CREATE', stream, group, startAt, 'MKSTREAM')
  } catch (thrown) {
    // It is there: it goes on from where it is.
    if (!isReply(thrown) || replyWord(thrown) !== 'BUSYGROUP') throw thrown
  }
}

function streamError(thrown: unknown, { host }: ServerPlace, { stream, consumerGroup }: Stream): unknown {
  if (!isReply(thrown) || replyWord(thrown) !== 'NOGROUP') return redisError(thrown, host)
  return new SagasmithError('stream_group_missing', {
    message: `The stream “${stream}” on ${host} has no group “${consumerGroup}”.`,
    details: { host, stream, group: consumerGroup },
    cause: thrown,
  })
}

/** `[[key, [[id, [name, value, …]], …]]]`, or nothing. */
function entriesOf(answer: unknown): readonly StreamEntry[] {
  if (!Array.isArray(answer)) return []
  const [only] = answer as readonly unknown[]
  return Array.isArray(only) ? listOf(only[1]) : []
}

function listOf(list: unknown): readonly StreamEntry[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown): readonly StreamEntry[] => {
    if (!Array.isArray(one) || typeof one[0] !== 'string') return []
    const [id, words] = one as readonly unknown[]
    return [{ id: String(id), fields: Array.isArray(words) ? pairsOf(words) : null }]
  })
}

function pairsOf(words: readonly unknown[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < words.length; at += 2) pairs.push([String(words[at]), String(words[at + 1])])
  return pairs
}
