/** What each runner did over time, live: one lane for each step that it had at work at the same time. */

import { Maximize2, Radio } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import { spans, laneWords as words } from '../../../text/lane-words.ts'
import { fill } from '../../../text/messages.ts'
import controls from '../../../ui/controls.module.css'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Overview } from '../../timeline/Overview.tsx'
import { timeScale } from '../../timeline/time-scale.ts'
import { moved, wholeWindow } from '../../timeline/window.ts'
import { PageError } from '../PageError.tsx'
import { LaneChart } from './LaneChart.tsx'
import { LaneLegend } from './LaneLegend.tsx'
import styles from './Lanes.module.css'
import type { LaneSpan } from './lane-rows.ts'
import { lanesOf } from './lane-rows.ts'
import type { Lanes } from './use-lanes.ts'
import { attemptsMax, useLanes } from './use-lanes.ts'

export function RunnerLanes({ runners }: { readonly runners: readonly RunnerRecord[] }) {
  const [spanId, setSpanId] = useState<(typeof spans)[number]['id']>('5m')
  const [isLive, setLive] = useState(true)
  const spanMs = spans.find(({ id }) => id === spanId)?.ms ?? 0
  const { lanes, error } = useLanes(spanMs, isLive)
  return (
    <section className={styles['section']} aria-label={words.title} data-testid="runner-lanes">
      <header className={styles['head']}>
        <h2>{words.title}</h2>
        <p>{words.lead}</p>
        <select
          className={controls['field']}
          aria-label={words.span}
          data-testid="lanes-span"
          value={spanId}
          onChange={({ currentTarget }) => {
            setSpanId(spans.find(({ id }) => id === currentTarget.value)?.id ?? '5m')
            // Another time is another question.
            setLive(true)
          }}
        >
          {spans.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          data-kind={isLive ? 'primary' : undefined}
          data-testid="lanes-live"
          aria-pressed={isLive}
          title={isLive ? words.liveHint : words.pausedHint}
          onClick={() => setLive(!isLive)}
        >
          <Radio size={13} aria-hidden /> {words.live}
        </button>
      </header>
      {lanes === null ? (
        error === null ? (
          <p className={styles['none']}>{words.loading}</p>
        ) : (
          <PageError error={error} />
        )
      ) : (
        <Drawn runners={runners} lanes={lanes} spanMs={spanMs} />
      )}
    </section>
  )
}

function Drawn(props: {
  readonly runners: readonly RunnerRecord[]
  readonly lanes: Lanes
  readonly spanMs: number
}) {
  const { runners, lanes, spanMs } = props
  const { ended, atWork, now, isCut } = lanes
  // The part that is shown stays where it is while time goes on; null for all of it.
  const [part, setPart] = useState<LaneSpan | null>(null)
  const whole = useMemo(() => ({ from: now - spanMs, to: now }), [now, spanMs])
  const scale = useMemo(() => timeScale(whole, [], false), [whole])
  const isPart = part !== null && part.to > whole.from && part.from < whole.to
  const span = isPart ? { from: Math.max(part.from, whole.from), to: Math.min(part.to, whole.to) } : whole
  const shown = isPart ? { from: scale.shareOf(span.from), to: scale.shareOf(span.to) } : wholeWindow
  const rows = useMemo(
    () => lanesOf(runners, [...ended, ...atWork], { span, now }),
    // A span is two instants.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [runners, ended, atWork, span.from, span.to, now],
  )
  const show = (next: { readonly from: number; readonly to: number }): void =>
    setPart(next === wholeWindow ? null : { from: scale.instantAt(next.from), to: scale.instantAt(next.to) })
  const isIdle = ended.length === 0 && atWork.length === 0
  return (
    <>
      <div className={styles['overview']}>
        <Overview
          rows={{ idle: [] }}
          span={whole}
          scale={scale}
          shown={shown}
          at={1}
          title={words.overview}
          onShow={show}
          onGo={(share) => {
            const half = (shown.to - shown.from) / 2
            if (isPart) show(moved({ from: share - half, to: share + half }))
          }}
        />
        <IconButton icon={Maximize2} label={words.whole} disabled={!isPart} onClick={() => setPart(null)} />
      </div>
      <LaneChart rows={rows} span={span} now={now} onLook={setPart} />
      {isIdle && <p className={styles['none']}>{words.none}</p>}
      {isCut && <p className={styles['note']}>{fill(words.cut, { count: attemptsMax })}</p>}
      <LaneLegend />
    </>
  )
}
