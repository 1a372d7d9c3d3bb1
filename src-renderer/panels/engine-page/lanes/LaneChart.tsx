/** The lanes themselves: bars that can be pointed at, gone through by keys, and pressed for their run. */

import { CornerDownRight } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import type { Instant } from '../../../../src-engine/model/time.ts'
import { useDesigner } from '../../../state/context.ts'
import type { Designer } from '../../../state/designer.ts'
import { showMoment } from '../../../state/show-moment.ts'
import { titleOfTold } from '../../../state/step-title.ts'
import { outcomeWords, laneWords as words } from '../../../text/lane-words.ts'
import { fill } from '../../../text/messages.ts'
import { clockWords, spanWords } from '../../../ui/time-words.ts'
import styles from './Lanes.module.css'
import type { LaneBar, LaneSpan, RunnerLanes } from './lane-rows.ts'
import { barToward } from './lane-rows.ts'
import { shareText } from './share-text.ts'
import { TakeOvers } from './TakeOvers.tsx'
import { TimeAxis } from './TimeAxis.tsx'

export function LaneChart(props: {
  readonly rows: readonly RunnerLanes[]
  readonly span: LaneSpan
  readonly now: Instant
  /** Shows a part of the time. */
  readonly onLook: (span: LaneSpan) => void
}) {
  const { rows, span, now, onLook } = props
  const designer = useDesigner()
  const box = useRef<HTMLElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const bars = rows.flatMap(({ lanes }) => lanes.flatMap((lane) => lane.bars))
  const chosen = bars.find(({ key }) => key === current) ?? null
  // One stop of the Tab key, whichever bar was last looked at.
  const stop = chosen ?? bars.at(-1) ?? null
  const act = (bar: LaneBar): void => {
    if (bar.count === 1) void showMoment(designer, bar.attempt)
    else onLook(around(bar, now))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = /^(?:Arrow\w+|Home|End)$/.test(event.key) ? barToward(rows, current, event.key) : null
    if (next === null) return
    event.preventDefault()
    event.stopPropagation()
    box.current?.querySelector<HTMLElement>(`[data-bar="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys go from one of its buttons to the next
    <section
      ref={box}
      className={styles['chart']}
      aria-label={words.chart}
      data-testid="lane-chart"
      onKeyDown={onKeyDown}
    >
      <TimeAxis span={span} />
      <div className={styles['rows']}>
        {rows.map((row) => (
          <div key={row.runnerId} className={styles['runner']} data-testid={`lanes-of-${row.runnerId}`}>
            <RunnerName row={row} />
            <div className={styles['lanes']}>
              {row.lanes.map(({ lane, bars: own }) => (
                <div key={lane} className={styles['lane']}>
                  {own.map((bar) => (
                    <Bar
                      key={bar.key}
                      bar={bar}
                      view={{ span, now }}
                      isStop={bar === stop}
                      onLook={() => setCurrent(bar.key)}
                      onPress={() => act(bar)}
                    />
                  ))}
                </div>
              ))}
            </div>
          </div>
        ))}
        <TakeOvers rows={rows} span={span} />
      </div>
      <p className={styles['told']} data-testid="lane-told">
        {chosen === null ? words.hint : wordsOf(chosen, designer, now)}
      </p>
    </section>
  )
}

/** A little more than it, so that its ends are seen. */
function around({ from, to }: LaneBar, now: Instant): LaneSpan {
  const end = to ?? now
  const room = Math.max(1_000, (end - from) / 4)
  return { from: from - room, to: Math.min(now, end + room) }
}

function RunnerName({ row: { runner, runnerId } }: { readonly row: RunnerLanes }) {
  const name = runner === null ? runnerId : `${runner.process.host} · ${runner.process.pid}`
  return (
    <span
      className={styles['name']}
      title={runnerId}
      data-gone={runner === null || runner.stoppedAt !== null}
    >
      {name}
    </span>
  )
}

function Bar(props: {
  readonly bar: LaneBar
  readonly view: { readonly span: LaneSpan; readonly now: Instant }
  readonly isStop: boolean
  readonly onLook: () => void
  readonly onPress: () => void
}) {
  const designer = useDesigner()
  const { bar, view, isStop, onLook, onPress } = props
  const { attempt, count, tookOver } = bar
  const { span, now } = view
  const from = Math.max(bar.from, span.from)
  const to = Math.min(bar.to ?? now, span.to)
  return (
    <button
      type="button"
      className={styles['bar']}
      data-bar={bar.key}
      data-outcome={attempt.outcome ?? 'at-work'}
      data-many={count > 1 || undefined}
      data-testid="lane-bar"
      tabIndex={isStop ? 0 : -1}
      aria-label={wordsOf(bar, designer, now)}
      title={wordsOf(bar, designer, now)}
      style={{
        left: shareText(span, from),
        width: `max(4px, ${((to - from) / (span.to - span.from)) * 100}%)`,
      }}
      onFocus={onLook}
      onPointerEnter={onLook}
      onClick={onPress}
    >
      {tookOver !== null && <CornerDownRight size={11} strokeWidth={2.6} aria-hidden />}
      <span>{count > 1 ? count : titleOfTold(attempt, designer.specs, attempt.nodeId)}</span>
    </button>
  )
}

function wordsOf(
  { attempt, count, from, to, tookOver }: LaneBar,
  { specs }: Pick<Designer, 'specs'>,
  now: Instant,
): string {
  const { number, outcome, problem, workflowTitle } = attempt
  const step = titleOfTold(attempt, specs, attempt.nodeId)
  const said = outcomeWords[outcome ?? 'at-work']
  if (count > 1) return fill(words.many, { count, outcome: said })
  const one = fill(words.one, {
    ...{ step, workflow: workflowTitle ?? words.unnamed, number, outcome: said },
    span: spanWords((to ?? now) - from),
    time: clockWords(from),
  })
  const over = tookOver === null ? [] : [fill(words.tookOver, { runner: tookOver.runnerId })]
  return [one, ...over, ...(problem === null ? [] : [problem])].join(' · ')
}
