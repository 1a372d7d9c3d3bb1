/**
 * Fills free slots from the store: what other runs, other processes or a passed pause made available.
 *
 * Fetched is not claimed: a fetch reserves nothing, others may take what this runner has only seen, and a
 * claim takes no more than there are free slots for, as execution starts. Where `batch_size` asks for no
 * more than that, fetch and claim are one step of the store.
 */

import { schedulingBackoffMs } from '../core/reconcile/unclaimable.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { isPoolActive } from '../model/pools.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { Hint } from '../store/hints.ts'
import { news, tells } from '../store/hints.ts'
import type { ClaimAnswer, ClaimRequest, FetchRequest } from '../store/store.ts'
import { createBeginClaimed } from './begin-claimed.ts'
import type { PermitLines } from './permits/permit-lines.ts'
import { capabilitiesOf } from './routing/capabilities.ts'
import type { Runner, RunnerDependencies } from './runner.ts'
import type { OfferedWork } from './take-offered.ts'
import { createOfferedWork } from './take-offered.ts'

export interface Claimer {
  /** Something may have become available. */
  readonly poke: () => void
  /** A slot is free again: no news of work, but the last claim may have left some. */
  readonly slotFreed: () => void
  /** There is work that this runner may have only after that span. */
  readonly pokeIn: (span: Millis) => void
  readonly start: () => void
  readonly stop: () => void
}

export function createClaimer(
  dependencies: RunnerDependencies,
  runner: Runner,
  lines: () => PermitLines,
): Claimer {
  return new StoreClaimer(dependencies, runner, lines)
}

/** Slots that are taken for what a claim may bring. */
interface Hold {
  held: number
  /** Whether there was more to claim than slots for it. */
  isShort: boolean
  readonly reserve?: (wanted: number) => number
}

/** Claims in a row that others were faster than: then the next wake-up tries again. */
const vainClaimsMax = 3

class StoreClaimer implements Claimer {
  readonly #dependencies: RunnerDependencies
  readonly #lines: () => PermitLines
  readonly #capabilities: readonly string[]
  readonly #begin: ReturnType<typeof createBeginClaimed>
  readonly #offered: OfferedWork
  #running = false
  #claiming = false
  #again = false
  /** Whether the last claim got all that it asked for: there may be more than it took. */
  #mayBeMore = false
  /** Seen, but not taken: there was no slot for it. Anybody may take it meanwhile. */
  #fetched: readonly InvocationId[] = []
  /** Failed claims in a row. */
  #failures = 0
  /** Ends the pause after a failed claim; null while there is none. */
  #endPause: (() => void) | null = null
  /** While new work is left to runners that come before this one. */
  #waiting: (() => void) | null = null
  /** Pieces of new work that were heard of meanwhile. */
  #heard = 0
  readonly #planned = new Set<() => void>()
  /** Until when looks may pass something by; null when nothing is planned for then. */
  #restsUntil: Instant | null = null
  #stopPoll: () => void = () => {}
  #unwatch: () => void = () => {}

  constructor(dependencies: RunnerDependencies, runner: Runner, lines: () => PermitLines) {
    this.#dependencies = dependencies
    this.#lines = lines
    this.#capabilities = capabilitiesOf(dependencies.settings, dependencies.executor.host)
    this.#begin = createBeginClaimed(dependencies, runner, lines)
    this.#offered = createOfferedWork(dependencies, runner, (found) => this.#claimOne(found))
  }

  start(): void {
    this.#running = true
    const { store, partition, pools } = this.#dependencies
    // Own commits poke by themselves; only what another process wrote needs a look.
    if (store.info.multiProcess) {
      const hint: Hint = (origin, found) => {
        if (origin !== 'elsewhere') return
        if (tells(found, news.registers)) pools.noteChange()
        if (tells(found, news.work)) this.#hinted()
      }
      this.#unwatch = store.watch(partition, hint, 'news')
    }
    this.#poll()
  }

  stop(): void {
    this.#running = false
    this.#stopPoll()
    this.#unwatch()
    this.#endPause?.()
    this.#endPause = null
    this.#waiting?.()
    this.#waiting = null
    for (const cancel of this.#planned) cancel()
    this.#planned.clear()
    this.#restsUntil = null
  }

  poke(): void {
    // What is new may be more urgent than what was fetched.
    if (this.#fetched.length > 0) this.#fetched = []
    this.#wake()
  }

  slotFreed(): void {
    if (this.#mayBeMore || this.#dependencies.book.availableCount() > 0) this.#wake()
  }

  #wake(): void {
    if (!this.#running || this.#endPause !== null) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    if (this.#dependencies.load.room() === 0) {
      // Whatever woke it is looked for when a slot is free.
      this.#mayBeMore = true
      return
    }
    this.#claiming = true
    void this.#turn().finally(() => {
      this.#claiming = false
      if (this.#again) {
        this.#again = false
        this.#wake()
      }
    })
  }

  /** Everybody hears of it: as many as there is work come first, and others only after them. */
  #hinted(): void {
    this.#heard += 1
    const wait = this.#dependencies.load.headStartMs(this.#heard)
    if (wait === 0) this.#takeTurn()
    else this.#waiting ??= this.#dependencies.clock.after(wait, () => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#waiting?.()
    this.#waiting = null
    this.#heard = 0
    this.poke()
  }

  pokeIn(span: Millis): void {
    if (this.#running) this.#plan(span, () => this.poke())
  }

  #plan(span: Millis, call: () => void): void {
    const cancel = this.#dependencies.clock.after(span, () => {
      this.#planned.delete(cancel)
      call()
    })
    this.#planned.add(cancel)
  }

  /** What was taken may come to nothing, and nobody is told of that; what comes there by itself is passed by as well. */
  #lookAfter(restsUntil: Instant): void {
    if (!this.#running) return
    const isPlanned = this.#restsUntil !== null
    this.#restsUntil = restsUntil
    if (!isPlanned) this.#lookAt(restsUntil)
  }

  #lookAt(instant: Instant): void {
    // Timers may ring a moment early.
    const span = Math.max(0, instant - this.#dependencies.clock.now()) + 1
    this.#plan(span, () => {
      const last = this.#restsUntil
      this.#restsUntil = null
      this.poke()
      // More was taken meanwhile.
      if (last !== null && last > instant) this.#lookAfter(last)
    })
  }

  #poll(): void {
    const { clock, settings, pools } = this.#dependencies
    pools.noteChange()
    this.poke()
    // Another process may have made work available without our noticing; so look now and then.
    this.#stopPoll = clock.after(settings.pollIntervalMs, () => this.#poll())
  }

  async #turn(): Promise<void> {
    const { slots, load } = this.#dependencies
    await this.#gathered()
    // Whatever came until now this look sees.
    this.#again = false
    for (let vain = 0; vain < vainClaimsMax && this.#running && this.#endPause === null; ) {
      const limit = load.room()
      if (limit === 0) return
      const hold = this.#holdFor(limit)
      const { claimed, blocked, offered = [], restsUntil } = await this.#tryToClaim(limit, hold)
      if (restsUntil !== undefined) this.#lookAfter(restsUntil)
      slots.putBack(hold.held - claimed.length - offered.length)
      for (const { invocation } of claimed) this.#begin(invocation)
      for (const record of offered) void this.#offered.take(record)
      // Out of the way, so that the next claim sees what stood behind them.
      if (blocked.length > 0) await this.#lines().stepAside(blocked)
      else if (!this.#mayBeMore) return
      else if (claimed.length + offered.length === 0) vain += 1
    }
  }

  /**
   * Slots that free up in the same turn are filled by one claim. Where each partition is asked by itself, so is what partitions
   * told in one turn of the event loop: the answers of several servers are read in it, and a look at all of them shares packets,
   * and what is claimed together goes on together.
   */
  async #gathered(): Promise<void> {
    const { clock, store } = this.#dependencies
    if (clock.turn === undefined || store.info.partitions.length === 1) return
    await new Promise<void>((resolve) => clock.turn?.(resolve))
  }

  /**
   * Takes the slots that a claim may fill. Where it looks over several partitions first, they are free meanwhile for
   * runs that begin or go on here, and only what is found takes some.
   */
  #holdFor(limit: number): Hold {
    const { slots, load, store } = this.#dependencies
    if (store.info.partitions.length === 1) {
      slots.take(limit)
      return { held: limit, isShort: false }
    }
    const hold: Hold = {
      held: 0,
      isShort: false,
      reserve: (wanted) => {
        const count = Math.min(wanted, load.room())
        slots.take(count)
        hold.held += count
        hold.isShort = count < wanted
        return count
      },
    }
    return hold
  }

  async #tryToClaim(limit: number, hold: Hold): Promise<ClaimAnswer> {
    const { log, executor, trust } = this.#dependencies
    try {
      executor.failpoints('claim.before')
      if (trust !== null) await trust.refresh()
      const answer = await this.#claim(limit, hold)
      if (answer.claimed.length > 0) executor.failpoints('claim.after')
      this.#failures = 0
      return answer
    } catch (thrown) {
      log.warn('claim.failed', { failures: this.#failures + 1, error: recordOfThrown(thrown).message })
      this.#pause()
      return this.#noneLeft()
    }
  }

  /** A store that failed isn't asked again at once, nor by all runners in the same moment. */
  #pause(): void {
    const { clock, settings, executor } = this.#dependencies
    const rules = { ...settings, backoffInitialMs: settings.retryDelayStoreMs }
    const span = schedulingBackoffMs(this.#failures, rules, executor.random.next())
    this.#failures += 1
    this.#fetched = []
    if (!this.#running) return
    this.#endPause = clock.after(span, () => {
      this.#endPause = null
      this.#wake()
    })
  }

  async #claim(limit: number, hold: Hold): Promise<ClaimAnswer> {
    const { store, settings, limits } = this.#dependencies
    const { reserve } = hold
    this.#offered.beginLook()
    const claims = { ttlMs: settings.claimTtlMs, limits: limits.ofClaims() }
    const request = {
      ...this.#request(limit),
      ...claims,
      ...(reserve === undefined
        ? {}
        : { reserve, takes: this.#offered.takes, isUnderWay: this.#offered.isUnderWay }),
    }
    if (request.pools.length === 0) return this.#noneLeft()
    if (settings.batchSize <= limit) {
      const answer = await store.claim({ ...request, invocationIds: null })
      this.#mayBeMore = answer.claimed.length + (answer.offered?.length ?? 0) === limit || hold.isShort
      return answer
    }
    const wasFetched = this.#fetched.length > 0
    if (!wasFetched) {
      const fetched = await store.fetch({ ...request, limit: settings.batchSize })
      this.#fetched = fetched.map(({ id }) => id)
    }
    const offered = this.#fetched
    const answer = await store.claim({ ...request, invocationIds: offered })
    const { claimed, blocked } = answer
    const met = new Set([...claimed, ...blocked].map(({ invocation }) => invocation.id))
    // With room left over, the rest of what was fetched is somebody else's by now.
    const isFull = claimed.length === limit || hold.isShort
    this.#fetched = isFull ? offered.filter((id) => !met.has(id)) : []
    this.#mayBeMore = isFull || wasFetched || offered.length === settings.batchSize
    return answer
  }

  /** What came to nothing when it was to be taken: somebody else may have it by now. Its slot is taken. */
  async #claimOne({ id }: InvocationRecord): Promise<void> {
    const { store, slots } = this.#dependencies
    const { claimed } = this.#running
      ? await store.claim({ ...this.#claimRequest(1), invocationIds: [id] })
      : nothingClaimed
    if (claimed.length === 0) slots.give(1)
    for (const { invocation } of claimed) this.#begin(invocation)
  }

  #noneLeft(): ClaimAnswer {
    this.#mayBeMore = false
    return nothingClaimed
  }

  #claimRequest(limit: number): Omit<ClaimRequest, 'invocationIds'> {
    const { settings, limits } = this.#dependencies
    return { ...this.#request(limit), ttlMs: settings.claimTtlMs, limits: limits.ofClaims() }
  }

  #request(limit: number): FetchRequest {
    const { partition, runnerId, clock, settings, pools, load, trust } = this.#dependencies
    const rules = pools.rules()
    return {
      partition,
      runnerId,
      limit,
      now: clock.now(),
      pools: settings.pools.filter((pool) => isPoolActive(rules, pool)),
      capabilities: this.#capabilities,
      labels: settings.labels,
      tags: settings.tags,
      leaveFailedMs: load.leaveFailedMs(),
      agingMs: settings.agingIntervalMs,
      ...(trust === null ? {} : { definitions: trust.definitions() }),
    }
  }
}

const nothingClaimed: ClaimAnswer = { claimed: [], blocked: [] }
