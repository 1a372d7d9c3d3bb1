/** Where an instant lies on the timeline: long stretches in which nothing happens are folded to a mark. Pure. */

import type { Instant, Millis } from '../../../src-engine/model/time.ts'
import type { Span } from '../../state/timeline-rows.ts'
import type { Window } from './window.ts'

export interface Fold extends Span {
  /** Where its mark lies, from 0 to 1. */
  readonly at: number
  readonly width: number
}

export interface TimeScale {
  readonly folds: readonly Fold[]
  /** Where an instant lies, from 0 to 1. */
  readonly shareOf: (at: Instant) => number
  /** What lies at a share. */
  readonly instantAt: (share: number) => Instant
}

/** How the parts of the panel see time. */
export interface TimeView {
  readonly scale: TimeScale
  readonly shown: Window
}

/** A stretch is folded when it is longer than this share of all, and than this. */
const foldedShare = 0.08
const foldedMs: Millis = 1_000
/** How wide a mark is, as a share of what isn't folded. */
const markShare = 0.03

interface Piece extends Span {
  readonly start: number
  readonly width: number
  readonly isFolded: boolean
}

export function timeScale(span: Span, idle: readonly Span[], isFolding: boolean): TimeScale {
  const all = Math.max(1, span.to - span.from)
  const folded = idle.filter(({ from, to }) => isFolding && to - from > Math.max(foldedMs, all * foldedShare))
  const open = all - folded.reduce((sum, { from, to }) => sum + to - from, 0)
  const mark = Math.max(1, open) * markShare
  const pieces = piecesOf(span, folded, mark)
  const width = pieces.reduce((sum, piece) => sum + piece.width, 0)
  const folds = pieces
    .filter(({ isFolded }) => isFolded)
    .map(({ from, to, start, width: own }) => ({ from, to, at: start / width, width: own / width }))
  const shareOf = (at: Instant): number => {
    const piece = pieces.find((one) => at <= one.to) ?? pieces.at(-1)
    if (piece === undefined) return 1
    const part =
      piece.to === piece.from ? 1 : Math.min(1, Math.max(0, (at - piece.from) / (piece.to - piece.from)))
    return (piece.start + part * piece.width) / width
  }
  const instantAt = (share: number): Instant => {
    const place = Math.min(1, Math.max(0, share)) * width
    const piece = pieces.find((one) => place <= one.start + one.width) ?? pieces.at(-1)
    if (piece === undefined) return span.to
    const part = piece.width === 0 ? 1 : (place - piece.start) / piece.width
    return piece.from + part * (piece.to - piece.from)
  }
  return { folds, shareOf, instantAt }
}

function piecesOf(span: Span, folded: readonly Span[], mark: number): readonly Piece[] {
  const pieces: Piece[] = []
  let at = span.from
  let start = 0
  const add = (to: Instant, width: number, isFolded: boolean): void => {
    pieces.push({ from: at, to, start, width, isFolded })
    start += width
    at = to
  }
  for (const { from, to } of folded) {
    if (from > at) add(from, from - at, false)
    add(to, mark, true)
  }
  if (at < span.to || pieces.length === 0) add(span.to, Math.max(1, span.to - at), false)
  return pieces
}

/** How many events had come by an instant. */
export function positionAt(
  log: { readonly length: number; readonly at: (place: number) => { readonly at: Instant } | undefined },
  instant: Instant,
): number {
  let [low, high] = [0, log.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((log.at(middle)?.at ?? 0) <= instant) low = middle + 1
    else high = middle
  }
  return low
}
