/** Lines from a try that was lost with its runner to the one that took over. */

import styles from './Lanes.module.css'
import type { LaneSpan, RunnerLanes } from './lane-rows.ts'

/** As the style sheet has them, in pixels. */
const laneHeight = 22
const runnerGap = 9

export function TakeOvers({
  rows,
  span,
}: {
  readonly rows: readonly RunnerLanes[]
  readonly span: LaneSpan
}) {
  const places = placesOf(rows)
  const lines = [...places.values()].flatMap(({ bar, y }) => {
    const lost = bar.tookOver === null ? undefined : places.get(bar.tookOver.id)
    return lost === undefined ? [] : [{ key: bar.key, from: lost, to: { bar, y } }]
  })
  if (lines.length === 0) return null
  const share = (at: number): string =>
    `${Math.min(100, Math.max(0, ((at - span.from) / (span.to - span.from)) * 100))}%`
  return (
    <svg className={styles['takeOvers']} aria-hidden data-testid="take-overs">
      {lines.map(({ key, from, to }) => (
        <line key={key} x1={share(from.bar.to ?? span.to)} y1={from.y} x2={share(to.bar.from)} y2={to.y} />
      ))}
    </svg>
  )
}

/** The middle of each bar's lane, by the try. */
function placesOf(rows: readonly RunnerLanes[]) {
  const places = new Map<
    string,
    { readonly bar: RunnerLanes['lanes'][number]['bars'][number]; readonly y: number }
  >()
  let top = 0
  for (const { lanes } of rows) {
    for (const [index, { bars }] of lanes.entries()) {
      for (const bar of bars) places.set(bar.attempt.id, { bar, y: top + (index + 0.5) * laneHeight })
    }
    top += lanes.length * laneHeight + runnerGap
  }
  return places
}
