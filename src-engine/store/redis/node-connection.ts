/**
 * One connection to one node. Nothing is queued while it is down, nothing is sent twice by the library: who
 * asks is told at once whether the command may have arrived, and decides.
 */

import type { RedisOptions as LibraryOptions } from 'ioredis'
import { Redis } from 'ioredis'
import type { Millis } from '../../model/time.ts'
import type { CallEnds } from './open-calls.ts'
import { OpenCalls } from './open-calls.ts'
import { ConnectionLost, connectCode, messageOf } from './redis-failure.ts'
import type { RedisAccess, RedisClock } from './redis-options.ts'
import type { RedisCommand } from './wire-command.ts'
import { libraryCommand } from './wire-command.ts'

/** Replies have the forms of the protocol. */
type ClientOptions = Omit<LibraryOptions, 'replyMapping'>

export interface NodeConnection {
  readonly address: string
  /** What its server said of the line that it belongs to; empty when it wasn't asked since it is connected. */
  line: string
  /** Sends commands right behind each other; each has an answer or an error of its own. */
  readonly send: (commands: readonly RedisCommand[], encoding?: 'utf8' | null) => readonly Promise<unknown>[]
  readonly isReady: () => boolean
  /** Rejects with `ConnectionLost` when the node can't be reached. */
  readonly ready: () => Promise<void>
  readonly close: () => void
}

interface ConnectionOptions {
  readonly address: string
  readonly access: RedisAccess
  readonly clock: RedisClock
  readonly commandMs: Millis
}

/** Host and port of an address as clusters write them; an IPv6 host has colons of its own. */
export function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const end = address.lastIndexOf(':')
  return { host: address.slice(0, end).replace(/^\[|\]$/g, ''), port: Number(address.slice(end + 1)) }
}

export function createNodeConnection(options: ConnectionOptions): NodeConnection {
  return new Connection(options)
}

class Connection implements NodeConnection {
  readonly address: string
  line = ''
  readonly #options: ConnectionOptions
  readonly #open: OpenCalls
  #client: Redis | null = null
  #opening: Promise<void> | null = null
  #closed = false
  #isGathering = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#open = new OpenCalls(options.clock, options.commandMs)
    this.address = options.address
  }

  isReady(): boolean {
    return this.#client?.status === 'ready'
  }

  ready(): Promise<void> {
    if (this.isReady()) return Promise.resolve()
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  send(commands: readonly RedisCommand[], encoding: 'utf8' | null = 'utf8'): readonly Promise<unknown>[] {
    const client = this.#client
    if (client?.status !== 'ready') {
      const lost = new ConnectionLost('redis_unreachable', false, 'it is not connected')
      return commands.map(() => Promise.reject(lost))
    }
    this.#gather(client)
    const ends: CallEnds = { late: () => this.#late(client), failed }
    return commands.map((command) => {
      const made = libraryCommand(command, encoding)
      client.sendCommand(made)
      return this.#open.bound(made.promise, ends)
    })
  }

  /** Its next answers would come late too: nothing more is heard on it. What was sent may have been done. */
  #late(client: Redis): ConnectionLost {
    this.#drop(client)
    return new ConnectionLost('redis_timeout', true, `no answer within ${this.#options.commandMs} ms`)
  }

  close(): void {
    this.#closed = true
    this.#drop(this.#client)
  }

  /**
   * What everybody sends who goes on at the same time goes out as one packet, for each by itself costs a system call:
   * ticks come when no promise has anything left to say.
   */
  #gather({ stream }: Redis): void {
    if (this.#isGathering) return
    this.#isGathering = true
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /** What is under way on it fails as lost; the next caller opens another. */
  #drop(client: Redis | null): void {
    // Everybody who waited for it may say so; each call would leave a timer of the library's.
    if (client === null || this.#client !== client) return
    this.#client = null
    client.disconnect()
  }

  async #connect(): Promise<void> {
    const { address, access, clock, commandMs } = this.#options
    const { host, port } = splitAddress(address)
    const password = await access.password()
    const settings = clientSettings(access, password)
    const client = new Redis(port, host, settings)
    const heard: { reason: unknown; late: ConnectionLost | null } = {
      reason: 'the connection was closed',
      late: null,
    }
    client.on('error', (error: unknown) => {
      heard.reason = error
    })
    const cancel = clock.after(commandMs, () => {
      // Looked at before it is closed: what the library says of that comes in any order.
      const code = isGreeting(client, access) ? 'redis_tls_unanswered' : 'redis_unreachable'
      heard.late = new ConnectionLost(code, false, `no answer within ${commandMs} ms`)
      client.disconnect()
    })
    try {
      await client.connect()
    } catch (thrown) {
      client.disconnect()
      if (heard.late !== null) throw heard.late
      const told = messageOf(thrown) === 'Connection is closed.' ? heard.reason : thrown
      throw new ConnectionLost(connectCode(told), false, told)
    } finally {
      cancel()
    }
    if (this.#closed) client.disconnect()
    else {
      this.#client = client
      // Another server may be behind the same address by now.
      this.line = ''
    }
  }
}

/** Whether the server was reached, and has still to answer the handshake of TLS. */
const isGreeting = ({ status, stream }: Connecting, { tls }: RedisAccess): boolean =>
  tls !== null && status === 'connecting' && stream?.connecting === false

/** A client has no stream before it has begun one, which the types of the library don't say. */
interface Connecting {
  readonly status: string
  readonly stream?: { readonly connecting: boolean }
}

/** The library keeps to one attempt of everything. */
const plainOptions: ClientOptions = {
  lazyConnect: true,
  // The newer one has other shapes for some answers, and nothing that is needed here.
  protocol: 2,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  enableReadyCheck: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  // The library holds the process for as long after a connection that was refused, or never said goodbye.
  disconnectTimeout: 20,
  disableClientInfo: true,
  connectionName: 'sagasmith',
}

/** How every connection is made. */
export const clientSettings = (access: RedisAccess, password: string | null): ClientOptions => ({
  ...plainOptions,
  ...tlsOptions(access),
  ...userOptions(access, password),
})

const tlsOptions = ({ tls }: RedisAccess): ClientOptions => {
  if (tls === null) return {}
  const { ca, serverName } = tls
  const name = serverName === null ? {} : { servername: serverName }
  return { tls: { ...(ca === null ? {} : { ca }), ...name, rejectUnauthorized: true } }
}

const userOptions = ({ username }: RedisAccess, password: string | null): ClientOptions => ({
  ...(username === null ? {} : { username }),
  ...(password === null ? {} : { password }),
})

/** What a server answers is an error of its own; all else is a connection that ended. */
const failed = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.name === 'ReplyError'
    ? thrown
    : new ConnectionLost('redis_unreachable', true, thrown)
