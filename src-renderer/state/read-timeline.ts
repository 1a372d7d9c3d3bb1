/**
 * Has what comes of the shown run's timeline read in slices, as soon as it is there, and shows now and then how far that has
 * come. To show it draws a part of the page anew, so that what comes in a stream waits for it a little.
 */

import { eventBatchMax } from '../../src-engine/model/limits.ts'
import type { Millis } from '../../src-engine/model/time.ts'
import type { Designer } from './designer.ts'
import type { LogPiece } from './event-log.ts'
import { EventLog } from './event-log.ts'
import { inSlices } from './in-slices.ts'
import { TimelineReading } from './timeline-reading.ts'

/** A long past is shown so often while it comes: soon at first, and then less and less, for that costs as much as reading. */
const showMs = { first: 250, most: 1_000 } as const

/** What comes of a run under way is shown at most so often, for all who look are told; a past that long after its last news. */
const restMs: Millis = 100

/** A frame is drawn between two slices, which may take as long as one: shorter ones would mostly be drawing. */
const sliceMs: Millis = 16

export class TimelineReader {
  readonly #designer: Designer
  readonly #reading = new TimelineReading()
  /** All that came; what is shown may end before it. */
  #log = EventLog.empty()
  #isReading = false
  /** Whether so much came at once that it is a long past, of which more will come. */
  #isPast = false
  /** Null until it was shown first. */
  #shownAt: Millis | null = null
  /** How long it isn't shown again while so much is read. */
  #waitMs: Millis = showMs.first
  #cancelShow: (() => void) | null = null

  constructor(designer: Designer) {
    this.#designer = designer
  }

  take(pieces: readonly LogPiece[]): void {
    const { length } = this.#log
    this.#log = this.#log.append(pieces)
    // The last piece of a long past is a short one.
    this.#isPast = (this.#isReading && this.#isPast) || this.#log.length - length >= eventBatchMax
    if (this.#isReading) return
    if (this.#isPast) this.#forgetShow()
    this.#read()
    // The first slice of it.
    if (this.#shownAt === null) this.#show()
  }

  stop(): void {
    this.#forgetShow()
  }

  #forgetShow(): void {
    this.#cancelShow?.()
    this.#cancelShow = null
  }

  #read(): void {
    const { ambient } = this.#designer
    this.#isReading = true
    inSlices(ambient, {
      sliceMs,
      steps: this.#steps(),
      take: () => {
        const now = ambient.now()
        const isDue = now - (this.#shownAt ?? now) >= this.#waitMs
        if (isDue || this.#isAwaited()) this.#show()
      },
      done: () => {
        this.#isReading = false
        this.#showSoon()
      },
    })
  }

  /** Each reads a few events, for as long as this timeline is there and has more. */
  *#steps(): Generator<void, void> {
    while (this.#isOpen() && this.#reading.step(this.#log)) yield
  }

  #showSoon(): void {
    if (this.#cancelShow !== null || this.#shownAt === null) return
    const { ambient } = this.#designer
    const passedMs = ambient.now() - this.#shownAt
    const leftMs = this.#isPast ? Math.min(restMs, this.#waitMs - passedMs) : restMs - passedMs
    if (leftMs <= 0) return this.#show()
    this.#cancelShow = ambient.after(leftMs, () => {
      this.#isPast = false
      this.#show()
    })
  }

  #show(): void {
    this.#forgetShow()
    const { ambient, runs } = this.#designer
    if (!this.#isOpen()) return
    runs.getState().showTimeline(this.#log, this.#reading)
    const isLater = this.#isPast && this.#shownAt !== null
    this.#waitMs = isLater ? Math.min(2 * this.#waitMs, showMs.most) : showMs.first
    this.#shownAt = ambient.now()
  }

  /** Whether it is still the shown one, or is to become it. */
  #isOpen(): boolean {
    return this.#shownAt === null || this.#timeline()?.reading === this.#reading
  }

  /** Whether somebody wants to be where the reading has come to by now. */
  #isAwaited(): boolean {
    const timeline = this.#timeline()
    return timeline?.isComing === true && this.#reading.keyframes.isNear(timeline.position)
  }

  #timeline() {
    return this.#designer.runs.getState().current?.timeline ?? null
  }
}
