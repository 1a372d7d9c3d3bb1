/** A stream with its consumer groups, in memory: as a Redis server has them, also for readers that have died. */

import type {
  StreamAccess,
  StreamConnection,
  StreamPlace,
} from '../../../../src-engine/runtime/streams/stream-access.ts'
import type { StreamEntry } from '../../../../src-engine/triggers/redis-stream/stream-entry.ts'
import type { World } from '../../../simulation/world.ts'

interface Pending {
  readonly id: string
  reader: string
  at: number
}

interface Group {
  /** How many of the entries were handed out. */
  handed: number
  readonly pending: Map<string, Pending>
}

const own = 'sagasmith'

export class StreamDouble implements StreamAccess {
  readonly #world: World
  readonly #entries: StreamEntry[] = []
  readonly #groups = new Map<string, Group>()
  readonly #waiting = new Set<() => void>()
  /** Why the server can't be reached; null while it can. */
  away: Error | null = null
  /** Who connected, with what. */
  readonly places: StreamPlace[] = []
  /** Acknowledged, in order. */
  readonly acknowledged: string[] = []
  /** Connections that nobody has closed. */
  opened = 0
  /** How often anything was asked of it. */
  asked = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Adds an entry; answers its id. */
  add(fields: Readonly<Record<string, string>>): string {
    const id = `${this.#world.now}-${this.#entries.length}`
    this.#entries.push({ id, fields: Object.entries(fields) })
    for (const wake of this.#waiting) wake()
    return id
  }

  /** Trims an entry away. */
  forget(id: string): void {
    const at = this.#entries.findIndex((entry) => entry.id === id)
    this.#entries[at] = { id, fields: null }
  }

  /** What a group has handed out and not heard of. */
  pending(group = own): readonly string[] {
    return [...(this.#groups.get(group)?.pending.keys() ?? [])]
  }

  /** Another program of the group is handed what is next, and does nothing with it. */
  takeElsewhere(reader: string, count: number): void {
    this.#hand(this.#group(own), { reader, count })
  }

  async connect(place: StreamPlace, signal: AbortSignal): Promise<StreamConnection> {
    this.#fail()
    signal.throwIfAborted()
    this.places.push(place)
    const group = place.parameters.consumerGroup
    this.opened += 1
    let isOpen = true
    const asking = (): void => {
      this.asked += 1
      this.#fail()
      if (!isOpen) throw new Error('the connection is closed')
    }
    const close = (): void => {
      if (isOpen) this.opened -= 1
      isOpen = false
    }
    signal.addEventListener('abort', close, { once: true })
    return {
      makeGroup: async (startAt) => {
        asking()
        if (this.#groups.has(group)) return
        const handed =
          startAt === '$' ? this.#entries.length : this.#entries.findIndex(({ id }) => id > startAt)
        this.#groups.set(group, { handed: Math.max(0, handed), pending: new Map() })
      },
      read: async ({ count, waitMs }) => {
        asking()
        const found = this.#group(group)
        if (this.#entries.length === found.handed && waitMs > 0) await this.#news(waitMs, signal)
        asking()
        return this.#hand(found, { reader: own, count })
      },
      own: async ({ after, count }) => {
        asking()
        const ids = [...this.#group(group).pending.values()].filter(({ reader }) => reader === own)
        const later = ids.filter(({ id }) => after === '0' || this.#place(id) > this.#place(after))
        return later.slice(0, count).map(({ id }) => this.#entry(id))
      },
      claim: async ({ idleMs, count }) => {
        asking()
        const all = [...this.#group(group).pending.values()]
        const left = all.filter(({ at }) => at + idleMs <= this.#world.now).slice(0, count)
        for (const one of left) Object.assign(one, { reader: own, at: this.#world.now })
        return { entries: left.map(({ id }) => this.#entry(id)), next: '0-0' }
      },
      acknowledge: async (ids) => {
        asking()
        for (const id of ids) if (this.#group(group).pending.delete(id)) this.acknowledged.push(id)
      },
      close,
    }
  }

  #fail(): void {
    if (this.away !== null) throw this.away
  }

  #group(name: string): Group {
    const found = this.#groups.get(name)
    if (found !== undefined) return found
    throw new Error(`NOGROUP ${name}`)
  }

  #hand(group: Group, { reader, count }: { reader: string; count: number }): readonly StreamEntry[] {
    const found = this.#entries.slice(group.handed, group.handed + count)
    group.handed += found.length
    for (const { id } of found) group.pending.set(id, { id, reader, at: this.#world.now })
    return found
  }

  #news(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#world.at(this.#world.now + waitMs, () => wake())
      const wake = (): void => {
        this.#waiting.delete(wake)
        cancel()
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  #place(id: string): number {
    return this.#entries.findIndex((entry) => entry.id === id)
  }

  #entry(id: string): StreamEntry {
    return this.#entries[this.#place(id)] ?? { id, fields: null }
  }
}
