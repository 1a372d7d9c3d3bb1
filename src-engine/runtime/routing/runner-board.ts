/**
 * The other runners as this one knows them. A live heartbeat counts from when it was noticed; what only a
 * snapshot told counts from when that was read, until a heartbeat says otherwise. Who isn't heard of for
 * `registry_entry_ttl` is gone.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { RunnerId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Millis } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'

export interface RunnerBoard {
  /** Others that live and take work. */
  readonly others: () => readonly RunnerRecord[]
  /** Others that take work of a pool which this runner works for. */
  readonly peers: () => readonly RunnerRecord[]
  /** Takes over what a snapshot says of runners that nothing is known about. */
  readonly hydrate: (rows: readonly RunnerRecord[]) => void
  /** Reads rows and work; when that fails, what was known goes on to count. */
  readonly refresh: () => Promise<void>
  /** Calls once for each pool that nobody worked for and somebody does now, whatever follows. */
  readonly onOnline: (call: (pool: string) => void) => void
  readonly start: () => void
  readonly stop: () => void
}

export interface BoardDependencies {
  readonly store: Store
  readonly partition: number
  readonly runnerId: RunnerId
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<EngineSettings, 'pools' | 'registrySnapshotIntervalMs' | 'registryEntryTtlMs'>
}

interface Entry {
  readonly row: RunnerRecord
  /** On the clock that doesn't jump. */
  readonly heardAt: Millis
  readonly isLive: boolean
}

export function createRunnerBoard(dependencies: BoardDependencies): RunnerBoard {
  return new HeardRunners(dependencies)
}

class HeardRunners implements RunnerBoard {
  readonly #dependencies: BoardDependencies
  readonly #entries = new Map<RunnerId, Entry>()
  readonly #listeners: ((pool: string) => void)[] = []
  #others: readonly RunnerRecord[] = []
  #peers: readonly RunnerRecord[] = []
  #online: ReadonlySet<string> = new Set()
  #running = false
  #cancel: () => void = () => {}

  constructor(dependencies: BoardDependencies) {
    this.#dependencies = dependencies
  }

  others(): readonly RunnerRecord[] {
    return this.#others
  }

  peers(): readonly RunnerRecord[] {
    return this.#peers
  }

  onOnline(call: (pool: string) => void): void {
    this.#listeners.push(call)
  }

  hydrate(rows: readonly RunnerRecord[]): void {
    const { clock } = this.#dependencies
    for (const row of rows) {
      if (this.#entries.get(row.id)?.isLive === true) continue
      this.#entries.set(row.id, { row, heardAt: clock.monotonic(), isLive: false })
    }
    this.#judge()
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#later()
  }

  stop(): void {
    this.#running = false
    this.#cancel()
  }

  #later(): void {
    const { clock, settings } = this.#dependencies
    this.#cancel = clock.after(settings.registrySnapshotIntervalMs, () => {
      void this.refresh().finally(() => {
        if (this.#running) this.#later()
      })
    })
  }

  async refresh(): Promise<void> {
    const { store, partition, log } = this.#dependencies
    try {
      const page = { after: null, limit: pageSizeMax }
      const rows = await store.list(partition, 'runners', { filter: null, page })
      // What a row says of its runner's work is as old as its heartbeat.
      const owned = new Map<RunnerId, number>()
      if (rows.length > 1) {
        for (const { owner, count } of await store.load(partition, 'workCounts', { what: 'owned' })) {
          if (owner !== null) owned.set(owner, (owned.get(owner) ?? 0) + count)
        }
      }
      this.#hear(rows, owned)
    } catch (thrown) {
      log.warn('board.unread', { error: recordOfThrown(thrown).message })
    }
    this.#judge()
  }

  #hear(rows: readonly RunnerRecord[], owned: ReadonlyMap<RunnerId, number>): void {
    const { clock, settings, runnerId } = this.#dependencies
    const now = clock.monotonic()
    for (const row of rows) {
      if (row.id === runnerId) continue
      const known = this.#entries.get(row.id)
      const isNews = known === undefined || !known.isLive || known.row.heartbeatAt !== row.heartbeatAt
      // Only the first sight of a row has to believe its instant; from then on its changes count.
      const age = known?.isLive === true ? 0 : Math.max(0, clock.now() - row.heartbeatAt)
      if (isNews && age >= settings.registryEntryTtlMs) {
        this.#entries.delete(row.id)
        continue
      }
      const heardAt = isNews || known === undefined ? now - age : known.heardAt
      const active = owned.get(row.id) ?? 0
      this.#entries.set(row.id, { row: { ...row, active }, heardAt, isLive: true })
    }
  }

  #judge(): void {
    const { clock, settings } = this.#dependencies
    const oldest = clock.monotonic() - settings.registryEntryTtlMs
    for (const [id, { heardAt }] of this.#entries) if (heardAt <= oldest) this.#entries.delete(id)
    this.#others = [...this.#entries.values()]
      .map(({ row }) => row)
      .filter(({ stoppedAt, drainingSince }) => stoppedAt === null && drainingSince === null)
    this.#peers = this.#others.filter(({ pools }) => pools.some((pool) => settings.pools.includes(pool)))
    const online = new Set(this.#others.flatMap(({ pools }) => pools))
    const before = this.#online
    this.#online = online
    for (const pool of online) if (!before.has(pool)) for (const call of this.#listeners) call(pool)
  }
}
