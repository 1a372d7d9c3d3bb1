/**
 * What the clocks of this process do: the wall clock may be set, the machine may sleep, the process may be
 * stopped. Spans are measured here so that none of it matters; who depends on time is told of what happened.
 * Nothing of it needs a timer to be noticed: whoever reads the time after it finds out.
 */

import type { Clock, Logger } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'

/** What was noticed. `jumped` may go back: then `byMs` is below zero. */
export type TimeNews =
  /** The machine slept: the wall clock went on, nothing here did. */
  | { readonly kind: 'slept'; readonly byMs: Millis }
  /** Somebody set the wall clock. */
  | { readonly kind: 'jumped'; readonly byMs: Millis }
  /** This process alone did nothing: it was stopped, or its event loop was kept busy. */
  | { readonly kind: 'stood-still'; readonly byMs: Millis }

export interface ClockWatch {
  /** A reading that never jumps and goes on while the machine sleeps: only differences mean anything. */
  readonly steady: () => Millis
  /** Now, as the wall clock that stamped the instant would tell it: without the jumps seen since then. */
  readonly nowSince: (stamp: Instant) => Instant
  /** Looks whether the process stood still; costs a reading of two clocks. */
  readonly check: () => void
  /** Calls with everything that is noticed, within the reading that notices it. */
  readonly onNews: (hear: (news: TimeNews) => void) => void
  /** Begins to expect regular turns of the event loop. */
  readonly start: () => void
  readonly stop: () => void
}

export interface ClockWatchOptions {
  readonly clock: Clock
  readonly log: Logger
  /** A pause between two turns that is longer than this is a standstill. */
  readonly gapMs: Millis
}

/** Smaller steps are what time servers do all the time, and what system clocks round to. */
const toleranceMs = 2 * second
/** Older jumps than the last so many concern nothing that still runs. */
const jumpsMax = 64
/** So that one missed turn is no standstill. */
const turnsPerGap = 4

export function createClockWatch(options: ClockWatchOptions): ClockWatch {
  return new ComparedClocks(options)
}

interface Jump {
  /** What the wall clock would have said without it. */
  readonly before: Instant
  readonly byMs: Millis
}

class ComparedClocks implements ClockWatch {
  readonly #options: ClockWatchOptions
  readonly #jumps: Jump[] = []
  readonly #listeners: ((news: TimeNews) => void)[] = []
  #monotonic: Millis
  #wall: Instant
  #uptime: Millis | null
  /** How long the machine slept so far: the monotonic clock of most systems leaves it out. */
  #sleptMs = 0
  #turnAt: Millis
  #running = false
  #cancel: () => void = () => {}

  // A field, for it is handed on by itself.
  readonly steady = (): Millis => {
    const { clock } = this.#options
    const monotonic = clock.monotonic()
    const wall = clock.now()
    const drift = wall - this.#wall - (monotonic - this.#monotonic)
    if (drift > toleranceMs || drift < -toleranceMs) this.#drifted(monotonic, wall)
    return monotonic + this.#sleptMs
  }

  constructor(options: ClockWatchOptions) {
    this.#options = options
    const { clock } = options
    this.#monotonic = clock.monotonic()
    this.#wall = clock.now()
    this.#uptime = clock.uptime?.() ?? null
    this.#turnAt = this.#monotonic
  }

  nowSince(stamp: Instant): Instant {
    this.steady()
    let now = this.#options.clock.now()
    for (let index = this.#jumps.length - 1; index >= 0; index -= 1) {
      const jump = this.#jumps[index]
      if (jump === undefined) break
      // Back from the newest era to the one of the stamp. One that lies ahead is from before a step back.
      const isEarlier = jump.byMs > 0 ? stamp <= jump.before : stamp > now
      if (!isEarlier) break
      now -= jump.byMs
    }
    return now
  }

  check(): void {
    const { gapMs } = this.#options
    // Without the sleeps: what is asked here is how long this process took no turn.
    const stillMs = this.steady() - this.#sleptMs - this.#turnAt
    if (!this.#running || stillMs <= gapMs) return
    this.#turnAt += stillMs
    this.#tell({ kind: 'stood-still', byMs: stillMs })
  }

  onNews(hear: (news: TimeNews) => void): void {
    this.#listeners.push(hear)
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#turnAt = this.#options.clock.monotonic()
    this.#later()
  }

  stop(): void {
    this.#running = false
    this.#cancel()
  }

  #later(): void {
    const { clock, gapMs } = this.#options
    this.#cancel = clock.after(gapMs / turnsPerGap, () => {
      this.check()
      this.#turnAt = clock.monotonic()
      // What the clocks drift apart little by little never adds up to a jump.
      this.#compareFromHere(clock.monotonic(), clock.now())
      if (this.#running) this.#later()
    })
  }

  #compareFromHere(monotonic: Millis, wall: Instant): void {
    this.#monotonic = monotonic
    this.#wall = wall
    this.#uptime = this.#options.clock.uptime?.() ?? null
  }

  #drifted(monotonic: Millis, wall: Instant): void {
    const wentOnMs = monotonic - this.#monotonic
    const expected = this.#wall + wentOnMs
    const uptime = this.#options.clock.uptime?.() ?? null
    const upMs = uptime === null || this.#uptime === null ? wentOnMs : uptime - this.#uptime
    const sleptMs = upMs - wentOnMs > toleranceMs ? upMs - wentOnMs : 0
    const jumpMs = wall - expected - sleptMs
    this.#compareFromHere(monotonic, wall)
    if (sleptMs > 0) {
      this.#sleptMs += sleptMs
      this.#tell({ kind: 'slept', byMs: sleptMs })
    }
    if (Math.abs(jumpMs) <= toleranceMs) return
    this.#jumps.push({ before: expected + sleptMs, byMs: jumpMs })
    if (this.#jumps.length > jumpsMax) this.#jumps.shift()
    this.#tell({ kind: 'jumped', byMs: jumpMs })
  }

  #tell(news: TimeNews): void {
    this.#options.log.warn(`clock.${news.kind}`, { byMs: Math.round(news.byMs) })
    for (const hear of this.#listeners) hear(news)
  }
}
