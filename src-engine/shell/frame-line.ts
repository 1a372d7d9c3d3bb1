/**
 * What subscriptions say on one connection, as one message for each display frame, which its client acknowledges once
 * it has taken it in. So the engine knows how far behind a page is on any kind of line, and stops telling it more.
 */

import {
  connectionPendingMax,
  eventFrameMs,
  eventFrameTextMax,
  framesUnderWayMax,
  readerBehindMs,
  readerPatienceMaxMs,
} from '../model/limits.ts'
import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import { encodeFrames } from '../protocol/codec.ts'

/** So many frames taken in without a delay, about a second of them, and a page has as long as at first. */
export const framesInTime = 60

export interface FrameLine {
  /** Goes out with the next frame. */
  readonly send: (text: string) => void
  /** Whether the client takes in what is sent: while it doesn't, nothing more should be. */
  readonly isOpen: () => boolean
  /** The client hasn't taken in for too long what it was sent, nor all of that since: it needn't hear what it missed. */
  readonly isBehind: () => boolean
  /** The client took in this frame, and those before it. */
  readonly acknowledged: (frame: number) => void
  readonly stop: () => void
}

export interface FrameLineOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly send: (text: string) => void
  /** What the channel itself holds back. */
  readonly pending: () => number
}

export function createFrameLine(options: FrameLineOptions): FrameLine {
  return new Line(options)
}

interface UnderWay {
  readonly frame: number
  readonly sentAt: Millis
  readonly length: number
}

class Line implements FrameLine {
  readonly #options: FrameLineOptions
  #texts: string[] = []
  #frame = 0
  #underWay: UnderWay[] = []
  #lastSentAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null
  #behind = false
  /** The quickest answer so far: a long way to the client isn't its fault. */
  #wayMs: Millis = Number.POSITIVE_INFINITY
  #patienceMs: Millis = readerBehindMs
  /** Frames in a row that weren't answered late. */
  #inTime = 0
  #stopped = false

  constructor(options: FrameLineOptions) {
    this.#options = options
  }

  send(text: string): void {
    this.#texts.push(text)
    this.#schedule()
  }

  isOpen(): boolean {
    if (this.isBehind()) return false
    const waiting = this.#texts.reduce((sum, text) => sum + text.length, this.#options.pending())
    const length = this.#underWay.reduce((sum, frame) => sum + frame.length, waiting)
    return this.#underWay.length < framesUnderWayMax && length <= connectionPendingMax
  }

  isBehind(): boolean {
    const [oldest] = this.#underWay
    if (oldest === undefined) return false
    this.#behind ||= this.#isLate(oldest, this.#patienceMs)
    return this.#behind
  }

  #isLate({ sentAt }: UnderWay, patienceMs: Millis): boolean {
    const wayMs = Number.isFinite(this.#wayMs) ? this.#wayMs : 0
    return this.#options.clock.monotonic() - sentAt > patienceMs + wayMs
  }

  acknowledged(frame: number): void {
    const now = this.#options.clock.monotonic()
    // Before they are taken away: who answers late was behind until it has answered all.
    this.isBehind()
    // Whose way isn't known yet was perhaps only far away.
    const isKnown = Number.isFinite(this.#wayMs)
    for (const sent of this.#underWay) {
      if (sent.frame > frame) break
      this.#inTime = this.#isLate(sent, readerBehindMs) ? 0 : this.#inTime + 1
      if (sent.frame === frame) this.#wayMs = Math.min(this.#wayMs, now - sent.sentAt)
    }
    this.#underWay = this.#underWay.filter(({ frame: sent }) => sent > frame)
    if (this.#underWay.length === 0 && this.#behind) {
      this.#behind = false
      if (isKnown) this.#patienceMs = Math.min(readerPatienceMaxMs, 2 * this.#patienceMs)
    } else if (this.#inTime >= framesInTime) this.#patienceMs = readerBehindMs
    this.#schedule()
  }

  stop(): void {
    this.#stopped = true
    this.#texts = []
    this.#cancel?.()
  }

  #schedule(): void {
    if (this.#stopped || this.#texts.length === 0 || this.#cancel !== null) return
    const wait = this.#lastSentAt + eventFrameMs - this.#options.clock.monotonic()
    const isFull = this.#underWay.length >= framesUnderWayMax
    if (wait <= 0) {
      // The next answer makes room.
      if (!isFull) this.#flush()
      return
    }
    this.#cancel = this.#options.clock.after(wait, () => {
      this.#cancel = null
      this.#schedule()
    })
  }

  #flush(): void {
    let length = 0
    let count = 0
    for (const text of this.#texts) {
      length += text.length
      if (count > 0 && length > 2 * eventFrameTextMax) break
      count += 1
    }
    const texts = this.#texts.splice(0, count)
    this.#frame += 1
    const message = encodeFrames(this.#frame, texts)
    const sentAt = this.#options.clock.monotonic()
    this.#lastSentAt = sentAt
    this.#underWay.push({ frame: this.#frame, sentAt, length: message.length })
    this.#options.send(message)
    this.#schedule()
  }
}
