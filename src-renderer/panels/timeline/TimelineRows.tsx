/** The rows of the timeline. Only those in sight are drawn, and of them only what lies in the shown part. */

import { memo, useEffect, useRef, useState } from 'react'
import type { Instant } from '../../../src-engine/model/time.ts'
import { useShownDocument } from '../../state/selectors.ts'
import type { Lane } from '../../state/timeline-rows.ts'
import { invocationStyle } from '../../status/status-style.ts'
import { fill } from '../../text/messages.ts'
import { timelineWords as words } from '../../text/timeline-words.ts'
import { spanWords } from '../../ui/time-words.ts'
import type { DrawnStretch } from './drawn-stretches.ts'
import { drawnStretches } from './drawn-stretches.ts'
import styles from './TimelinePanel.module.css'
import type { TimeView } from './time-scale.ts'
import { within } from './window.ts'

/** As the style sheet has it, in pixels. */
const rowHeight = 24
const rowsPadding = 6
/** Rows above and below what is in sight, so that a quick move finds them there. */
const spare = 6
const usualHeight = 240

export function TimelineRows(props: {
  readonly lanes: readonly Lane[]
  readonly end: Instant
  readonly view: TimeView
  /** Where the playhead is. */
  readonly at: number
  readonly onGo: (share: number) => void
}) {
  const { lanes, end, view, at, onGo } = props
  const nodes = useShownDocument((document) => document.nodes)
  const { ref, from, to, onScroll } = useSight(lanes.length)
  const { shown } = view
  const head = within(shown, at)
  return (
    <section
      className={styles['rows']}
      ref={ref}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
      tabIndex={0}
      aria-label={words.rows}
      onScroll={onScroll}
      data-testid="timeline-rows"
    >
      {/* As wide as a track, so that it is moved by a share of its own: nothing of what it goes over is drawn anew. */}
      {head >= 0 && head <= 1 && (
        <div className={styles['across']} style={lineHeight(lanes.length)} aria-hidden>
          <i data-testid="playhead-line" style={{ transform: `translateX(${head * 100}%)` }} />
        </div>
      )}
      <div style={{ height: lanes.length * rowHeight }}>
        {lanes.slice(from, to).map((lane, index) => (
          <Row
            key={`${lane.nodeId}:${lane.lane}`}
            lane={lane}
            top={(from + index) * rowHeight}
            title={nodes[lane.nodeId as keyof typeof nodes]?.title ?? lane.nodeId}
            end={end}
            view={view}
            onGo={onGo}
          />
        ))}
      </div>
    </section>
  )
}

/** Through all rows, and no higher than what is in sight of them; it takes no room. */
function lineHeight(rows: number) {
  const height = `(min(100cqh, ${rows * rowHeight}px) + ${2 * rowsPadding}px)`
  return { height: `calc${height}`, marginBottom: `calc(-1 * ${height})` }
}

/** Which rows are in sight. */
function useSight(count: number) {
  const ref = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(usualHeight)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const from = Math.max(0, Math.floor(top / rowHeight) - spare)
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare)
  return { ref, from, to, onScroll: () => setTop(ref.current?.scrollTop ?? 0) }
}

/** The playhead goes past it: it is drawn again only when there is more to show, or another part of it. */
const Row = memo(function Row(props: {
  readonly lane: Lane
  readonly top: number
  readonly title: string
  readonly end: Instant
  readonly view: TimeView
  readonly onGo: (share: number) => void
}) {
  const { lane, top, title, end, view, onGo } = props
  const { scale, shown } = view
  // The lanes of a node belong to one name.
  const name =
    lane.lane === 0 ? title : lane.hidden > 0 ? fill(words.more, { count: String(lane.hidden) }) : ''
  return (
    <div className={styles['row']} style={{ top }} data-lane={lane.lane > 0 || undefined}>
      <span title={title}>{name}</span>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the playhead has keys of its own */}
      <div
        className={styles['track']}
        onClick={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect()
          onGo(shown.from + ((clientX - left) / width) * (shown.to - shown.from))
        }}
      >
        {scale.folds.map((fold) => (
          <Mark
            key={fold.from}
            from={within(shown, fold.at)}
            to={within(shown, fold.at + fold.width)}
            title={fill(words.idle, { span: spanWords(fold.to - fold.from) })}
          />
        ))}
        {drawnStretches(lane.stretches, view, end).map((drawn) => (
          <Part key={`${drawn.stretch.from}:${drawn.stretch.status}`} drawn={drawn} end={end} />
        ))}
      </div>
    </div>
  )
})

function Mark({ from, to, title }: { readonly from: number; readonly to: number; readonly title: string }) {
  if (to < 0 || from > 1) return null
  return <i className={styles['fold']} title={title} style={placed(from, to)} />
}

/** A stretch narrower than this has no room for a number, as a share of what is shown. */
const roomForNumber = 0.02

function Part({ drawn, end }: { readonly drawn: DrawnStretch; readonly end: Instant }) {
  const { stretch, from, to } = drawn
  const { status, phase, attempt } = stretch
  const until = stretch.to ?? end
  const { label, tone } = invocationStyle[status]
  const said = fill(words.stretch, { status: label, span: spanWords(until - stretch.from) })
  const isTry = phase === 'run' && attempt > 1
  const title = isTry ? `${said}, ${fill(words.try, { number: String(attempt) })}` : said
  return (
    <i data-tone={tone} data-phase={phase} title={title} style={placed(from, to)}>
      {isTry && to - from > roomForNumber ? attempt : null}
    </i>
  )
}

const placed = (from: number, to: number) => {
  const [left, right] = [Math.max(0, from), Math.min(1, to)]
  return { left: `${left * 100}%`, width: `max(3px, ${(right - left) * 100}%)` }
}
