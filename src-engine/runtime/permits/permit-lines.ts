/**
 * The lines of work that waits for permits: who finds none steps aside, and when one is released the most
 * urgent, longest waiting ones come back. What a crash between the two leaves behind, a sweep finds.
 */

import type { Decision } from '../../core/draft.ts'
import { reusedOf } from '../../core/permits/held-permits.ts'
import type { MissingPermit } from '../../core/permits/wait-for-permit.ts'
import { leaveLine, waitForPermit } from '../../core/permits/wait-for-permit.ts'
import type { RunState } from '../../core/run-state.ts'
import type { SlotTake } from '../../model/checkpoint.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationId, OpId, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { BlockedClaim } from '../../store/store.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { Registrar } from './registrar.ts'
import { createRegistrar } from './registrar.ts'
import type { RunLines } from './run-lines.ts'
import { createRunLines } from './run-lines.ts'

const pageSize = 200
/** Woken at a time for one key: room for more is found with the next release or sweep. */
const wokenMax = 100
/**
 * Where each look asks many partitions: how soon a line that was empty is looked at again, however often its permits are released.
 * Whoever stands in it meanwhile looks by itself; only who does so at the same moment in another process waits that long.
 */
const emptyLineMs: Millis = 250

export interface PermitLines {
  /** Registration control: who stands for a demand, and who waits for its result. */
  readonly registrar: Registrar
  /** Moves what a claim found blocked into line. */
  readonly stepAside: (blocked: readonly BlockedClaim[]) => Promise<void>
  /** Serves the lines of the permits that a committed decision released. */
  readonly committed: (decision: Decision) => void
  /** Serves one key's line: for what was put into it by another decision. */
  readonly serve: (key: string) => Promise<void>
  readonly start: () => void
  readonly stop: () => void
}

/** `poke` is called when something may have become available. */
export function createPermitLines(
  dependencies: RunnerDependencies,
  runner: Runner,
  poke: () => void,
): PermitLines {
  return new SweptLines(dependencies, runner, poke)
}

class SweptLines implements PermitLines {
  readonly #dependencies: RunnerDependencies
  readonly #runner: Runner
  readonly registrar: Registrar
  readonly #runLines: RunLines
  readonly #poke: () => void
  /** Keys that are being served, and whether something happened meanwhile. */
  readonly #serving = new Map<string, { again: boolean }>()
  readonly #timers = new Map<string, () => void>()
  /** Lines that were empty when they were looked at last, until they may be looked at again; true for those that are to be. */
  readonly #empty = new Map<string, boolean>()
  #running = false
  #cancelSweep: () => void = () => {}

  constructor(dependencies: RunnerDependencies, runner: Runner, poke: () => void) {
    this.#dependencies = dependencies
    this.#runner = runner
    this.#poke = poke
    this.#runLines = createRunLines(dependencies, runner)
    this.registrar = createRegistrar(dependencies, runner, poke)
  }

  start(): void {
    this.#running = true
    this.#sweepNow()
  }

  stop(): void {
    this.#running = false
    this.#cancelSweep()
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  async stepAside(blocked: readonly BlockedClaim[]): Promise<void> {
    const { executor } = this.#dependencies
    const keys = new Set<string>()
    executor.failpoints('permit.before-wait')
    await Promise.all(
      blocked.map(async ({ invocation, key, holders, plan }) => {
        keys.add(key)
        await this.#wait(invocation, {
          id: invocation.id,
          key,
          holders,
          plan,
          onFull: onFullOf(this.#dependencies.settings),
        })
      }),
    )
    executor.failpoints('permit.after-wait')
    // A permit that was released before they stood in line woke nobody: so look once they do.
    await Promise.all([...keys].map((key) => this.serve(key)))
  }

  committed({ changes, checkpoint }: Decision): void {
    if (!this.#running) return
    const { run, invocations } = changes
    this.registrar.committed(invocations)
    const waitsFor = run.status === 'CREATED' ? (run.permits?.blockedBy ?? null) : null
    // Room may have been made just before the run stood in line.
    if (waitsFor !== null) void this.serve(waitsFor)
    const { release } = checkpoint.writes
    if (release.length === 0) return
    const { executor } = this.#dependencies
    executor.failpoints('permit.released')
    for (const key of new Set(release.map((slot) => slot.key))) {
      if (this.#empty.has(key)) this.#empty.set(key, true)
      else void this.serve(key)
    }
  }

  /** Never throws: the sweep serves again what could not be served. */
  async serve(key: string): Promise<void> {
    const busy = this.#serving.get(key)
    if (busy !== undefined) {
      busy.again = true
      return
    }
    const serving = { again: false }
    this.#serving.set(key, serving)
    try {
      do {
        serving.again = false
        await this.#serveOnce(key)
      } while (serving.again && this.#running)
    } catch (thrown) {
      this.#dependencies.log.warn('permits.failed', { key, error: recordOfThrown(thrown).message })
    } finally {
      this.#serving.delete(key)
    }
  }

  async #serveOnce(key: string): Promise<void> {
    const { store, partition, clock } = this.#dependencies
    const { invocations, runs } = await store.load(partition, 'permitWaiters', { key, limit: wokenMax })
    const [first] = invocations
    if (first === undefined && runs.length === 0) {
      this.#noteEmpty(key)
      return
    }
    // Whoever died before it gave one back keeps nobody waiting; where it lives may not answer for long.
    if (store.releaseLeft !== undefined) void this.#releaseLeft(key)
    const holders = await store.load(partition, 'slotHolders', { key })
    const now = clock.now()
    const counting = holders.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    if (runs.length > 0) {
      await this.#runLines.serve({ key, runs, holding: counting })
      this.#poke()
    }
    const room = first === undefined ? 0 : this.#limitOf(first, key) - counting.length
    if (room > 0) {
      const came = await Promise.all(invocations.slice(0, room).map((record) => this.#comeBack(record)))
      this.#poke()
      // Whose time was over leaves its room to the next.
      if (came.includes('ended')) void this.serve(key)
    }
    this.#expect(key, counting)
  }

  #noteEmpty(key: string): void {
    const { store, clock } = this.#dependencies
    if (store.info.partitions.length === 1 || this.#empty.has(key) || !this.#running) return
    this.#empty.set(key, false)
    clock.after(emptyLineMs, () => {
      const wasReleased = this.#empty.get(key) === true
      this.#empty.delete(key)
      if (wasReleased && this.#running) void this.serve(key)
    })
  }

  async #releaseLeft(key: string): Promise<void> {
    const { store, clock, log } = this.#dependencies
    try {
      const count = await store.releaseLeft?.(key, clock.monotonic())
      if (count !== undefined && count > 0 && this.#running) await this.serve(key)
    } catch (thrown) {
      log.warn('permits.failed', { key, error: recordOfThrown(thrown).message })
    }
  }

  /** What has no limit any more has room for all. */
  #limitOf({ permits }: InvocationRecord, key: string): number {
    const plan = permits === null ? null : this.#dependencies.limits.current(permits)
    return plan?.permits.find((permit) => permit.key === key)?.limit ?? Number.MAX_SAFE_INTEGER
  }

  /** A rate limit's permits come free by themselves: look again when the first one does. */
  #expect(key: string, holders: readonly SlotTake[]): void {
    const instants = holders.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]))
    if (instants.length === 0 || this.#timers.has(key) || !this.#running) return
    const { clock } = this.#dependencies
    const at: Instant = Math.min(...instants)
    const cancel = clock.after(Math.max(1, at - clock.now()), () => {
      this.#timers.delete(key)
      void this.serve(key)
    })
    this.#timers.set(key, cancel)
  }

  async #wait(record: InvocationRecord, missing: MissingPermit): Promise<void> {
    const { book, log } = this.#dependencies
    try {
      await book.decide(record.runId, (state) =>
        waitForPermit(state, this.#context(record.runId, nameOf('wait', state, record.id)), missing),
      )
    } catch (thrown) {
      log.warn('permits.failed', { invocationId: record.id, error: recordOfThrown(thrown).message })
    }
  }

  async #comeBack(record: InvocationRecord): Promise<'back' | 'ended'> {
    const { book } = this.#dependencies
    const decision = await book.decide(record.runId, (state) =>
      leaveLine(state, this.#context(record.runId, nameOf('permit', state, record.id)), record.id),
    )
    const after = decision?.changes.invocations.find(({ id }) => id === record.id)
    return after?.status === 'TIMEOUT' ? 'ended' : 'back'
  }

  #context(runId: RunId, name: OpId) {
    const cause = { kind: 'concurrency', by: null, detail: null }
    return this.#runner.context({ actor: 'runner', cause, opId: name, runId, claims: false })
  }

  #sweepNow(): void {
    void this.#sweep().then((waiting) => {
      if (!this.#running) return
      const { clock, settings } = this.#dependencies
      const pause = waiting ? settings.concurrencyRetryDelayMs : settings.pollIntervalMs
      this.#cancelSweep = clock.after(pause, () => this.#sweepNow())
    })
  }

  /** Whether somebody waits. */
  async #sweep(): Promise<boolean> {
    const { store, partition, log } = this.#dependencies
    let waiting = false
    try {
      await this.#dependencies.limits.refresh()
      for (let after: string | null = null; this.#running; ) {
        const page: { readonly items: readonly { key: string; waiting: number }[]; after: string | null } =
          await this.#page(after)
        for (const use of page.items) {
          const reused = reusedOf(use.key)
          if (reused !== null) await this.registrar.deliver(reused)
          if (use.waiting === 0) continue
          waiting = true
          await this.serve(use.key)
        }
        after = page.after
        if (after === null) return waiting
      }
    } catch (thrown) {
      log.warn('permits.failed', { error: recordOfThrown(thrown).message, partition, store: store.info.kind })
    }
    return waiting
  }

  async #page(after: string | null) {
    const { store, partition } = this.#dependencies
    const items = await store.list(partition, 'permits', {
      filter: { prefix: '' },
      page: { after, limit: pageSize },
    })
    return { items, after: items.length < pageSize ? null : (items.at(-1)?.key ?? null) }
  }
}

/** What becomes of a step that finds no room and doesn't say it itself. */
export const onFullOf = ({
  rerouteOnConcurrencyControl,
}: Pick<EngineSettings, 'rerouteOnConcurrencyControl'>): MissingPermit['onFull'] =>
  rerouteOnConcurrencyControl ? 'reroute' : 'final'

/** By the version that is decided on: one that was loaded before may be an older one, decided already. */
const nameOf = (what: string, state: RunState, id: InvocationId): OpId =>
  opId(`${what}:${id}:${state.invocations.get(id)?.version ?? 0}`)
