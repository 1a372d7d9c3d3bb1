/**
 * Brings each command to the node that serves its slot, and deals with everything that a cluster says instead
 * of answering. The connections are ours, one per node and purpose, so that a WAIT follows its own writes.
 */

import type { ErrorCode } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { NodeConnection } from './node-connection.ts'
import { createNodeConnection } from './node-connection.ts'
import { messageOf, redisError, verdictOf } from './redis-failure.ts'
import type { RedisAccess, RedisAddress, RedisClock } from './redis-options.ts'
import type { Topology } from './topology.ts'
import { addressOf, askTopology } from './topology.ts'
import type { RedisCommand } from './wire-command.ts'

/** A connection's purpose: writes wait for replicas on theirs, and reads not behind them. */
export type Lane = 'read' | 'write'

export interface Ask {
  readonly lane?: Lane
  /** Null for bytes. */
  readonly encoding?: 'utf8' | null
  /** Whether it may be sent again when nobody knows whether it was done. */
  readonly repeatable?: boolean
  /**
   * What the connection knows of its server's line goes into the command at this place, and what the answer says of
   * it, an empty text for nothing, is what the connection knows from then on.
   */
  readonly line?: { readonly place: number; readonly of: (answer: unknown) => string }
  /** Sent right behind it on the same connection; its answer is handed over. */
  readonly follows?: { readonly command: RedisCommand; readonly answered: (answer: Promise<unknown>) => void }
}

export interface Router {
  readonly topology: () => Topology
  /** The node that serves a slot, as far as is known. */
  readonly ownerOf: (slot: number) => string
  /** One command for a slot. Throws a SagasmithError with a code of its own for each state, after patience. */
  readonly ask: (slot: number, command: RedisCommand, how?: Ask) => Promise<unknown>
  /** One command for a node. */
  readonly askNode: (address: string, command: RedisCommand) => Promise<unknown>
  readonly close: () => void
}

export interface RouterOptions {
  readonly nodes: readonly RedisAddress[]
  readonly access: RedisAccess
  readonly clock: RedisClock
  readonly commandMs: Millis
  readonly patienceMs: Millis
}

/** A copy of some dozens of places costs less than a command that two connections change in turns. */
function withLine(command: RedisCommand, place: number, line: string): RedisCommand {
  const copy = command.slice()
  copy[place] = line
  return copy as unknown as RedisCommand
}

/** A node that redirects this often is in the middle of a move that doesn't end. */
const redirectsMax = 32
const firstPauseMs: Millis = 5
const pauseMsMax: Millis = 200

/** Connects to the first of the nodes that answers. */
export async function openRouter(options: RouterOptions): Promise<Router> {
  const router = new SlotRouter(options)
  try {
    await router.refresh()
  } catch (thrown) {
    router.close()
    throw thrown
  }
  return router
}

const noTopology: Topology = { isCluster: false, masters: [], nodes: [], ownerOf: () => null }

/** What is left of the patience of one ask. */
interface Patience {
  readonly begun: Instant
  waitedMs: Millis
  pauseMs: Millis
  redirects: number
}

class SlotRouter implements Router {
  readonly #options: RouterOptions
  readonly #connections = new Map<string, NodeConnection>()
  /** Learnt one by one since the topology was asked for. */
  readonly #moved = new Map<number, string>()
  /** Nodes that didn't answer when they were asked last: asked after the others, for each may cost a deadline. */
  readonly #silent = new Set<string>()
  #topology: Topology | null = null
  #refreshing: Promise<void> | null = null
  #closed = false

  constructor(options: RouterOptions) {
    this.#options = options
  }

  topology(): Topology {
    return this.#topology ?? noTopology
  }

  async ask(slot: number, command: RedisCommand, how: Ask = {}): Promise<unknown> {
    const patience: Patience = {
      begun: this.#options.clock.now(),
      waitedMs: 0,
      pauseMs: firstPauseMs,
      redirects: 0,
    }
    let address = this.ownerOf(slot)
    let asking = false
    for (;;) {
      try {
        return await this.#sendTo(address, command, { how, asking })
      } catch (thrown) {
        if (this.#closed) throw new SagasmithError('store_closed')
        const verdict = verdictOf(thrown)
        asking = verdict.kind === 'ask'
        if (verdict.kind === 'no-script') throw thrown
        if (verdict.kind === 'refused') throw redisError(verdict.code, address, thrown)
        if (verdict.kind === 'moved' || verdict.kind === 'ask') {
          address = this.#redirected(address, verdict, patience)
        } else {
          if (verdict.kind === 'unknown') this.#silent.add(address)
          if (verdict.kind === 'unknown' && how.repeatable === false) throw thrown
          await this.#wait(patience, verdict.code, { address, thrown })
          address = this.ownerOf(slot)
        }
      }
    }
  }

  async askNode(address: string, command: RedisCommand): Promise<unknown> {
    try {
      return await this.#sendTo(address, command, { how: {}, asking: false })
    } catch (thrown) {
      const verdict = verdictOf(thrown)
      throw redisError('code' in verdict ? verdict.code : 'redis_failed', address, thrown)
    }
  }

  /** Asks for the topology again; callers at the same time share the answer. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#connections.values()) connection.close()
    this.#connections.clear()
  }

  async #refresh(): Promise<void> {
    const seeds = this.#options.nodes.map(({ host, port }) => `${host}:${port}`)
    let failure: unknown = null
    let failed = seeds[0] ?? ''
    const known = [...new Set([...this.topology().nodes, ...seeds])]
    const silent = known.filter((address) => this.#silent.has(address))
    for (const address of [...known.filter((one) => !this.#silent.has(one)), ...silent]) {
      // A search that was under way when the store was closed must not connect to the next node.
      if (this.#closed) throw new SagasmithError('store_closed')
      try {
        this.#topology = await askTopology(this.#connection(address, 'read'))
        this.#silent.delete(address)
        this.#moved.clear()
        return
      } catch (thrown) {
        this.#silent.add(address)
        failure = thrown
        failed = address
      }
    }
    const verdict = verdictOf(failure)
    throw redisError('code' in verdict ? verdict.code : 'redis_unreachable', failed, failure)
  }

  ownerOf(slot: number): string {
    const topology = this.topology()
    return this.#moved.get(slot) ?? topology.ownerOf(slot) ?? topology.masters[0] ?? ''
  }

  async #sendTo(
    address: string,
    command: RedisCommand,
    { how, asking }: { readonly how: Ask; readonly asking: boolean },
  ): Promise<unknown> {
    if (this.#closed) throw new SagasmithError('store_closed')
    const connection = this.#connection(address, how.lane ?? 'read')
    if (!connection.isReady()) await connection.ready()
    const { line, follows } = how
    const known = connection.line
    const told = line === undefined ? command : withLine(command, line.place, known)
    const commands: RedisCommand[] = asking ? [['ASKING'], told] : [told]
    if (follows !== undefined) commands.push(follows.command)
    const answers = connection.send(commands, how.encoding)
    // Each is looked at by somebody; an answer that fails alone must not end the process meanwhile.
    if (answers.length > 1) for (const answer of answers) answer.catch(() => undefined)
    try {
      const answer = await answers[asking ? 1 : 0]
      const fresh = line?.of(answer) ?? ''
      if (fresh !== '') connection.line = fresh
      const following = answers[asking ? 2 : 1]
      if (follows !== undefined && following !== undefined) follows.answered(following)
      return answer
    } catch (thrown) {
      // Where there is no answer it may lead no more.
      if (line !== undefined && connection.line === known) connection.line = ''
      throw thrown
    }
  }

  #connection(address: string, lane: Lane): NodeConnection {
    const key = `${lane} ${address}`
    const known = this.#connections.get(key)
    if (known !== undefined) return known
    const { access, clock, commandMs } = this.#options
    const made = createNodeConnection({ address, access, clock, commandMs })
    this.#connections.set(key, made)
    return made
  }

  #redirected(
    from: string,
    to:
      | { readonly kind: 'moved'; readonly slot: number; readonly address: string }
      | { readonly kind: 'ask'; readonly address: string },
    patience: Patience,
  ): string {
    const end = to.address.lastIndexOf(':')
    const address = addressOf(to.address.slice(0, end), Number(to.address.slice(end + 1)), from)
    patience.redirects += 1
    if (patience.redirects > redirectsMax) {
      throw redisError('redis_slot_moving', address, `redirected ${redirectsMax} times`)
    }
    if (to.kind === 'moved') {
      this.#moved.set(to.slot, address)
      // One slot that moved is seldom alone.
      this.refresh().catch(() => undefined)
    }
    return address
  }

  async #wait(
    patience: Patience,
    code: ErrorCode,
    at: { readonly address: string; readonly thrown: unknown },
  ): Promise<void> {
    const { clock, patienceMs } = this.#options
    // An answer that never comes costs a deadline each time: all of them no more than as long again.
    const isOver = patience.waitedMs >= patienceMs || clock.now() - patience.begun >= 2 * patienceMs
    if (isOver) throw redisError(code, at.address, messageOf(at.thrown))
    const pauseMs = patience.pauseMs
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
    patience.waitedMs += pauseMs
    patience.pauseMs = Math.min(pauseMs * 2, pauseMsMax)
    // A master may have another's slots by now; when nobody tells, what is known is tried again.
    if (this.topology().isCluster) await this.refresh().catch(() => undefined)
  }
}
