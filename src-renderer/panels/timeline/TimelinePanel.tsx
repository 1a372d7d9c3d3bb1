/** The timeline: every step as a row of what it did, and a playhead that takes canvas and inspector back in time. */

import {
  ChevronLeft,
  ChevronRight,
  FoldHorizontal,
  Maximize2,
  Play,
  Radio,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useDesigner, useRuns } from '../../state/context.ts'
import { openTimeline } from '../../state/follow-runs.ts'
import type { Timeline } from '../../state/runs-store.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { empty, fill } from '../../text/messages.ts'
import { timelineWords as words } from '../../text/timeline-words.ts'
import controls from '../../ui/controls.module.css'
import { EmptyState, RunFirst } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { clockWords } from '../../ui/time-words.ts'
import { eventWords } from './event-words.ts'
import { Legend } from './Legend.tsx'
import { Overview } from './Overview.tsx'
import styles from './TimelinePanel.module.css'
import { TimelineRows } from './TimelineRows.tsx'
import { positionAt, timeScale } from './time-scale.ts'
import type { Window } from './window.ts'
import { wholeWindow, zoomed } from './window.ts'

export function TimelinePanel() {
  const designer = useDesigner()
  const runId = useRuns((state) => state.current?.runId ?? null)
  const timeline = useRuns((state) => state.current?.timeline ?? null)
  useEffect(() => (runId === null ? undefined : openTimeline(designer)), [designer, runId])
  if (runId === null || timeline === null)
    return (
      <EmptyState icon={Play} text={empty.noRun}>
        <RunFirst />
      </EmptyState>
    )
  // Rows and what is shown of them belong to one run.
  return <OpenTimeline key={runId} timeline={timeline} />
}

function OpenTimeline({ timeline }: { readonly timeline: Timeline }) {
  const designer = useDesigner()
  const { events, rows, position } = timeline
  const [isFolding, setFolding] = useState(true)
  const [shown, setShown] = useState<Window>(wholeWindow)
  const from = events.at(0)?.at ?? 0
  // Of what is drawn: what came since changes nothing of it until it is read.
  const span = useMemo(() => ({ from, to: rows.until }), [from, rows])
  const scale = useMemo(() => timeScale(span, rows.idle, isFolding), [span, rows, isFolding])
  const event = events.at(position - 1)
  const at = event === undefined ? 0 : scale.shareOf(event.at)
  const goTo = useCallback(
    (share: number): void => {
      const { current, movePlayhead } = designer.runs.getState()
      const log = current?.timeline?.events
      if (log !== undefined) movePlayhead(positionAt(log, scale.instantAt(share)))
    },
    [designer, scale],
  )
  const view = useMemo(() => ({ scale, shown }), [scale, shown])
  return (
    <div className={styles['timeline']}>
      <div className={styles['controls']}>
        <Playhead timeline={timeline} />
        <IconButton icon={ZoomIn} label={words.zoomIn} onClick={() => setShown(zoomed(shown, at, 0.5))} />
        <IconButton icon={ZoomOut} label={words.zoomOut} onClick={() => setShown(zoomed(shown, at, 2))} />
        <IconButton
          icon={Maximize2}
          label={words.whole}
          disabled={shown === wholeWindow}
          onClick={() => setShown(wholeWindow)}
        />
        <IconButton
          icon={FoldHorizontal}
          label={words.fold}
          isPressed={isFolding}
          onClick={() => setFolding(!isFolding)}
        />
      </div>
      <Overview rows={rows} span={span} scale={scale} shown={shown} at={at} onShow={setShown} onGo={goTo} />
      <TimelineRows lanes={rows.lanes} end={rows.until} view={view} at={at} onGo={goTo} />
      <Legend />
    </div>
  )
}

function Playhead({ timeline }: { readonly timeline: Timeline }) {
  const designer = useDesigner()
  const { events, read, position, isLive } = timeline
  const { movePlayhead, goLive } = designer.runs.getState()
  const event = events.at(position - 1)
  const document = useShownDocument()
  return (
    <>
      <IconButton
        icon={ChevronLeft}
        label="Previous event"
        keys=","
        disabled={position === 0}
        onClick={() => movePlayhead(position - 1)}
      />
      <input
        type="range"
        min={0}
        max={events.length}
        value={position}
        aria-label="Playhead"
        aria-valuetext={event === undefined ? words.before : eventWords(event, document)}
        data-testid="playhead"
        onChange={(change) => movePlayhead(Number(change.currentTarget.value))}
      />
      <IconButton
        icon={ChevronRight}
        label="Next event"
        keys="."
        disabled={position >= events.length}
        onClick={() => movePlayhead(position + 1)}
      />
      <button
        type="button"
        className={controls['button']}
        data-size="small"
        data-kind={isLive ? 'primary' : undefined}
        aria-pressed={isLive}
        onClick={goLive}
      >
        <Radio size={13} aria-hidden /> Live
      </button>
      <span className={styles['event']} data-testid="playhead-event">
        {event === undefined ? words.before : `${clockWords(event.at)}  ${eventWords(event, document)}`}
      </span>
      <span
        className={styles['count']}
        data-testid="timeline-count"
        data-reading={read < events.length || undefined}
      >
        {read < events.length
          ? fill(words.reading, { percent: String(Math.floor((read / events.length) * 100)) })
          : `${position} / ${events.length}`}
      </span>
    </>
  )
}
