/** What is told: each goal with its gate, and the figures behind it. */

import type { Found, Measured } from './measure.ts'
import type { TurnName } from './target.ts'

export interface Row {
  readonly goal: string
  readonly what: string
  readonly ours: number
  /** Ours where each step waits for the commit that claims it, as what may act does. */
  readonly acting: number
  /** Of the loop that sets the limit; null where there is none. */
  readonly ideal: number | null
  readonly bullmq: number | null
  readonly gate: string
  readonly met: boolean
  readonly actingMet: boolean
}

type Figures = Pick<Row, 'ours' | 'acting' | 'ideal' | 'bullmq'>

interface Goal {
  readonly goal: string
  readonly what: string
  readonly unit: string
  readonly gate: number
  readonly atLeast?: boolean
}

const row = ({ goal, what, unit, gate, atLeast = false }: Goal, found: Figures): Row => {
  const meets = (value: number): boolean => (atLeast ? value >= gate : value <= gate)
  return {
    goal,
    what,
    ...found,
    gate: `${atLeast ? '>=' : '<='} ${gate} ${unit}`,
    met: meets(found.ours),
    actingMet: meets(found.acting),
  }
}

/** The goals, each with what was found in the same turns. */
export function rowsOf(found: Readonly<Record<TurnName, Found>>): readonly Row[] {
  const ours = found.ours.measured
  const acting = found.acting.measured
  const queue = found.queue.measured
  const bullmq = found.bullmq.measured
  const shareOf = (name: 'queue' | 'sticky'): Figures => {
    const limit = found[name].measured.stepsPerSecond
    const percent = (one: Measured): number => (one.stepsPerSecond / limit) * 100
    return { ours: percent(ours), acting: percent(acting), ideal: 100, bullmq: percent(bullmq) }
  }
  const each = (key: keyof Measured): Figures => ({
    ours: ours[key],
    acting: acting[key],
    ideal: queue[key],
    bullmq: bullmq[key],
  })
  return [
    row(
      { goal: 'R1', what: 'W1, share of the queue loop', unit: '%', gate: 40, atLeast: true },
      shareOf('queue'),
    ),
    row(
      { goal: 'R1', what: 'W1, share of the sticky loop', unit: '%', gate: 40, atLeast: true },
      shareOf('sticky'),
    ),
    row({ goal: 'R2', what: 'W2 ten steps, p50', unit: 'ms', gate: 2.5 }, each('chainP50Ms')),
    row({ goal: 'R3', what: 'W3 500 parallel and join', unit: 'ms', gate: 30 }, each('fanMs')),
    row({ goal: 'R4', what: 'scripts per step', unit: '', gate: 1 }, each('scriptsPerStep')),
    row({ goal: 'R4', what: 'time of a script, p99', unit: 'us', gate: 100 }, each('scriptP99Micros')),
    row({ goal: 'R4', what: 'busiest master / mean', unit: '', gate: 1.15 }, each('spread')),
    row({ goal: 'R4', what: 'CPU of the servers per step', unit: 'us', gate: 15 }, each('serverMicros')),
  ]
}

const shown = (value: number | null): string =>
  value === null ? '' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)

/** The goals as lines. */
export function shownRows(rows: readonly Row[]): string {
  const head = ['goal', ''.padEnd(30), 'ours', 'acting', 'queue loop', 'BullMQ', 'gate'].map((cell) =>
    cell.padStart(10),
  )
  const lines = rows.map(({ goal, what, ours, acting, ideal, bullmq, gate, met, actingMet }) =>
    [
      goal.padStart(10),
      what.padEnd(30),
      shown(ours).padStart(10),
      shown(acting).padStart(10),
      shown(ideal).padStart(10),
      shown(bullmq).padStart(10),
      gate.padStart(10),
      met ? (actingMet ? '' : 'not met where steps act') : 'not met',
    ].join(' '),
  )
  return [head.join(' '), ...lines].join('\n')
}

const columns: readonly (readonly [title: string, key: keyof Measured])[] = [
  ['steps/s', 'stepsPerSecond'],
  ['client us', 'clientMicros'],
  ['server us', 'serverMicros'],
  ['scripts', 'scriptsPerStep'],
  ['script us', 'scriptMicros'],
  ['script p99', 'scriptP99Micros'],
  ['spread', 'spread'],
  ['W2 p50', 'chainP50Ms'],
  ['W2 p99', 'chainP99Ms'],
  ['W3 ms', 'fanMs'],
]

/** Figures by name, per step where they are of steps. */
export function tableOf(all: Readonly<Record<string, Measured>>): string {
  const head = ['\n'.padEnd(27), ...columns.map(([title]) => title.padStart(10))]
  const lines = Object.entries(all).map(([name, measured]) =>
    [name.padEnd(26), ...columns.map(([, key]) => shown(measured[key]).padStart(10))].join(' '),
  )
  return [head.join(' '), ...lines].join('\n')
}

/** Which commands the servers spent their time on. */
export function commandLines({ commands }: Found): string {
  const lines = commands.map(({ name, calls, micros }) => {
    const each = micros / Math.max(1, calls)
    return [
      name.padEnd(18),
      String(calls).padStart(9),
      shown(micros / 1_000).padStart(9),
      shown(each).padStart(8),
    ]
  })
  return ['\nours: command, calls, ms in all, us each', ...lines.map((cells) => cells.join(' '))].join('\n')
}
