/** The timeline: every step as a bar, and a playhead that takes canvas and inspector back in time. */

import { ChevronLeft, ChevronRight, Radio } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { openTimeline } from '../../state/follow-runs.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { invocationStyle, runStyle } from '../../status/status-style.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { clockWords, spanWords } from '../../ui/time-words.ts'
import type { Bar } from './bars.ts'
import { barsOf } from './bars.ts'
import styles from './TimelinePanel.module.css'

export function TimelinePanel() {
  const designer = useDesigner()
  const runId = useRuns((state) => state.current?.runId ?? null)
  const timeline = useRuns((state) => state.current?.timeline ?? null)
  const nodes = useShownDocument((document) => document.nodes)
  useEffect(() => (runId === null ? undefined : openTimeline(designer)), [designer, runId])
  const bars = useMemo(() => barsOf(timeline?.events ?? []), [timeline?.events])
  if (runId === null || timeline === null) return <p className={styles['none']}>{empty.noRun}</p>
  const { events, position, isLive } = timeline
  const { movePlayhead, goLive } = designer.runs.getState()
  const event = events[position - 1]
  const first = events[0]?.at ?? 0
  const last = events.at(-1)?.at ?? first
  const at = event === undefined ? 0 : share(event.at, first, last)
  return (
    <div className={styles['timeline']}>
      <div className={styles['controls']}>
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
          aria-valuetext={event === undefined ? 'before the run' : eventWords(event)}
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
          {event === undefined ? 'Before the run' : `${clockWords(event.at)}  ${eventWords(event)}`}
        </span>
        <span className={styles['count']}>{`${position} / ${events.length}`}</span>
      </div>
      <div className={styles['rows']}>
        {bars.map((bar) => (
          <Row
            key={`${bar.nodeId}:${bar.lane}`}
            bar={bar}
            title={nodes[bar.nodeId as keyof typeof nodes]?.title ?? bar.nodeId}
            range={[first, last]}
          />
        ))}
        <i
          className={styles['playhead']}
          style={{ left: `calc(180px + (100% - 196px) * ${at})` }}
          aria-hidden
        />
      </div>
    </div>
  )
}

function Row({
  bar,
  title,
  range,
}: {
  readonly bar: Bar
  readonly title: string
  readonly range: readonly [number, number]
}) {
  const [first, last] = range
  return (
    <div className={styles['row']} data-lane={bar.lane > 0 || undefined}>
      {/* The lanes of a node belong to one name. */}
      <span title={title}>{bar.lane === 0 ? title : bar.hidden > 0 ? `and ${bar.hidden} more` : ''}</span>
      <div className={styles['track']}>
        {bar.parts.map((part, index) => {
          const left = share(part.from, first, last)
          const right = share(part.to ?? last, first, last)
          const words = `${invocationStyle[part.status].label}, ${spanWords((part.to ?? last) - part.from)}`
          return (
            <i
              key={`${index}:${part.status}`}
              data-tone={invocationStyle[part.status].tone}
              title={words}
              style={{ left: `${left * 100}%`, width: `max(3px, ${(right - left) * 100}%)` }}
            />
          )
        })}
      </div>
    </div>
  )
}

const share = (at: number, first: number, last: number): number =>
  last === first ? 1 : (at - first) / (last - first)

function eventWords({ body, invocationId }: EngineEvent): string {
  const node = invocationId?.split('/').at(1) ?? ''
  switch (body.type) {
    case 'run.created':
      return 'Run created'
    case 'run.changed':
      return `Run: ${runStyle[body.to].label}`
    case 'invocation.registered':
      return `${body.invocation.nodeId}: ${invocationStyle[body.invocation.status].label}`
    case 'invocation.changed':
      return `${node}: ${invocationStyle[body.to].label}`
    case 'node.skipped':
      return `${body.nodeId}: Skipped`
    case 'register.changed':
      return `Register ${body.key}`
    default:
      return `Epoch ${body.to}`
  }
}
