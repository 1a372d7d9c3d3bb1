/** The whole run in one strip: where something happened, which part of it is shown, and where the playhead is. */

import { useRef } from 'react'
import type { Rows, Span } from '../../state/timeline-rows.ts'
import { fill } from '../../text/messages.ts'
import { timelineWords as words } from '../../text/timeline-words.ts'
import { clockWords, spanWords } from '../../ui/time-words.ts'
import styles from './TimelinePanel.module.css'
import type { TimeScale } from './time-scale.ts'
import type { Window } from './window.ts'
import { moved, wholeWindow, withEnd } from './window.ts'

/** How far an arrow key moves an end, as a share of all. */
const keyStep = 0.02

export function Overview(props: {
  readonly rows: Pick<Rows, 'idle'>
  readonly span: Span
  readonly scale: TimeScale
  readonly shown: Window
  readonly at: number
  /** What it is the whole of; a run when absent. */
  readonly title?: string
  readonly onShow: (shown: Window) => void
  readonly onGo: (share: number) => void
}) {
  const { rows, scale, shown, at, title = words.overview, onShow } = props
  const strip = useRef<HTMLDivElement>(null)
  const shareAt = (x: number): number => {
    const box = strip.current?.getBoundingClientRect()
    return box === undefined ? 0 : Math.min(1, Math.max(0, (x - box.left) / box.width))
  }
  const percent = (share: number): string => `${share * 100}%`
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its ends are sliders, and zooming has buttons
    <div
      ref={strip}
      className={styles['overview']}
      data-testid="timeline-overview"
      title={title}
      onPointerDown={(event) => brush(event, shareAt, props)}
      onDoubleClick={() => onShow(wholeWindow)}
    >
      {rows.idle.map(({ from, to }) => {
        const [left, right] = [scale.shareOf(from), scale.shareOf(to)]
        const span = spanWords(to - from)
        return (
          <i
            key={from}
            className={styles['idle']}
            title={fill(words.idle, { span })}
            style={{ left: percent(left), width: percent(right - left) }}
          />
        )
      })}
      <b
        className={styles['shown']}
        style={{ left: percent(shown.from), width: percent(shown.to - shown.from) }}
      />
      {(['from', 'to'] as const).map((end) => (
        <End key={end} end={end} {...props} shareAt={shareAt} />
      ))}
      <i className={styles['head']} data-testid="playhead-head" style={{ left: percent(at) }} aria-hidden />
    </div>
  )
}

type Pointer = React.PointerEvent<HTMLElement>

/** A drag on the strip shows what it goes over; on what is shown it moves that; a press moves the playhead. */
function brush(
  { button, clientX, currentTarget, pointerId }: Pointer,
  shareAt: (x: number) => number,
  props: {
    readonly shown: Window
    readonly onShow: (shown: Window) => void
    readonly onGo: (share: number) => void
  },
): void {
  if (button !== 0) return
  const { shown, onShow, onGo } = props
  const begin = shareAt(clientX)
  const isInside = shown !== wholeWindow && begin > shown.from && begin < shown.to
  let wasMoved = false
  currentTarget.setPointerCapture(pointerId)
  const onMove = ({ clientX: x }: PointerEvent): void => {
    const now = shareAt(x)
    if (!wasMoved && Math.abs(now - begin) < 0.005) return
    wasMoved = true
    if (isInside) onShow(moved({ from: shown.from + now - begin, to: shown.to + now - begin }))
    else onShow(withEnd({ from: Math.min(begin, now), to: Math.max(begin, now) }, 'to', Math.max(begin, now)))
  }
  const onUp = (): void => {
    currentTarget.removeEventListener('pointermove', onMove)
    if (!wasMoved) onGo(begin)
  }
  currentTarget.addEventListener('pointermove', onMove)
  currentTarget.addEventListener('pointerup', onUp, { once: true })
}

function End(props: {
  readonly end: 'from' | 'to'
  readonly shown: Window
  readonly scale: TimeScale
  readonly onShow: (shown: Window) => void
  readonly shareAt: (x: number) => number
}) {
  const { end, shown, scale, onShow, shareAt } = props
  const share = shown[end]
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- two inputs can't lie on one strip
      role="slider"
      tabIndex={0}
      className={styles['end']}
      aria-label={end === 'from' ? words.from : words.to}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={clockWords(scale.instantAt(share))}
      style={{ left: `${share * 100}%` }}
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          onShow(withEnd(shown, end, shareAt(event.clientX)))
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -keyStep, ArrowRight: keyStep, Home: -1, End: 1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        event.stopPropagation()
        onShow(withEnd(shown, end, share + step))
      }}
    />
  )
}
