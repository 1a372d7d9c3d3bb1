/** What was measured, beside what is wanted. */

import type { History } from './history.ts'
import type { Memory } from './memory.ts'
import type { Opening, Presses } from './opening.ts'
import type { Rounds } from './rounds.ts'

export interface Row {
  readonly goal: string
  readonly what: string
  readonly ours: number
  /** Of the bare page in the same rounds; null where there is nothing like it. */
  readonly bare: number | null
  readonly gate: string
  readonly met: boolean
}

interface Told {
  readonly goal: string
  readonly what: string
  readonly most: number
  readonly unit?: string
}

const atMost = ({ goal, what, most, unit = 'ms' }: Told, ours: number, bare: number | null = null): Row => ({
  ...{ goal, what, ours, bare, gate: `<= ${most} ${unit}`, met: ours <= most },
})

/** A goal that is a share of what the bare page needs. */
const ofBare = (
  goal: string,
  what: string,
  { ours, bare }: { readonly ours: number; readonly bare: number },
): Row => ({
  ...{ goal, what, ours, bare, gate: '<= 1.25 x bare', met: ours <= 1.25 * bare },
})

export function rowsOf(found: {
  readonly rounds: Rounds | null
  readonly openings: readonly Opening[]
  readonly history: History | null
  readonly memory: Memory | null
}): readonly Row[] {
  return [
    ...(found.rounds === null ? [] : frameRows(found.rounds)),
    ...openingRows(found.openings),
    ...(found.history === null ? [] : historyRows(found.history)),
    ...memoryRows(found.memory),
  ]
}

const situations = [
  ['U1', 'pan'],
  ['U1', 'zoom'],
  ['U3', 'live still'],
  ['U1', 'live pan'],
  ['U1', 'live zoom'],
  ['U2', 'whole still'],
  ['U2', 'whole pan'],
  ['U2', 'whole zoom'],
] as const

function frameRows({ frames, dropped, messagesPerFrame }: Rounds): readonly Row[] {
  const rows = situations.flatMap(([goal, what]): readonly Row[] => {
    const [ours, bare] = [frames.ours[what], frames.bare[what]]
    if (ours === undefined || bare === undefined) return []
    const pair = (key: 'p95' | 'p50' | 'slow' | 'busy' | 'fps' | 'taskMs') => ({
      ours: ours[key],
      bare: bare[key],
    })
    const busy = { goal, what: `${what}: main thread busy`, most: 20, unit: '%' }
    return [
      atMost({ goal, what: `${what}: main thread per frame`, most: 8 }, ours.taskMs, bare.taskMs),
      ofBare(goal, `${what}: frame p95`, pair('p95')),
      ofBare(goal, `${what}: frame p50`, pair('p50')),
      atMost({ goal, what: `${what}: frames over 20 ms`, most: 5, unit: '%' }, ours.slow, bare.slow),
      {
        ...{ goal, what: `${what}: frames per second`, ...pair('fps') },
        gate: '>= 58 or bare',
        met: ours.fps >= Math.min(58, bare.fps),
      },
      ...(what === 'live still' ? [atMost(busy, ours.busy * 100, bare.busy * 100)] : []),
      ...(what.startsWith('live')
        ? [
            atMost(
              { goal: 'U4', what: `${what}: long tasks`, most: 0, unit: '' },
              ours.longTasks,
              bare.longTasks,
            ),
          ]
        : []),
    ]
  })
  const told = { goal: 'U5', what: 'messages per 16 ms', most: 1.05, unit: '' }
  return [
    ...rows,
    atMost({ goal: 'U3', what: 'states that are not shown in the end', most: 0, unit: '' }, dropped),
    atMost(told, messagesPerFrame),
  ]
}

const openingRows = (openings: readonly Opening[]): readonly Row[] =>
  openings.flatMap(({ nodes, openMs, openTaskMs, dragTaskMs, ...edits }) => [
    atMost({ goal: 'U4', what: `open ${nodes} nodes`, most: nodes > 2_000 ? 3_000 : 700 }, openMs),
    atMost(
      { goal: 'U4', what: `open ${nodes} nodes: main thread`, most: nodes > 2_000 ? 3_000 : 700 },
      openTaskMs,
    ),
    atMost({ goal: 'U4', what: `drag among ${nodes}: main thread per move`, most: 16 }, dragTaskMs),
    ...pressRows(`undo among ${nodes}`, edits.undoPress),
    atMost({ goal: 'U4', what: `undo among ${nodes}: main thread until drawn`, most: 50 }, edits.undoTaskMs),
    ...pressRows(`connect among ${nodes}`, edits.connectPress),
    atMost(
      { goal: 'U4', what: `connect among ${nodes}: main thread until drawn`, most: 50 },
      edits.connectTaskMs,
    ),
  ])

/** The first press compiles what it runs: it is told by itself. */
const pressRows = (what: string, { firstMs, usualMs }: Presses): readonly Row[] => [
  atMost({ goal: 'U4', what: `${what}: the press`, most: 16 }, usualMs),
  atMost({ goal: 'U4', what: `${what}: the first press`, most: 50 }, firstMs),
]

const historyRows = (history: History): readonly Row[] => [
  atMost({ goal: 'H', what: `timeline of ${history.events} events: seen`, most: 1_000 }, history.firstMs),
  atMost(
    { goal: 'H', what: `timeline of ${history.events} events: all there`, most: 1_000 },
    history.timelineMs,
  ),
  atMost(
    { goal: 'H', what: `timeline of ${history.events} events: all drawn`, most: 2_000 },
    history.drawnMs,
  ),
  atMost(
    { goal: 'H', what: `timeline of ${history.events} events: main thread`, most: 1_000 },
    history.timelineTaskMs,
  ),
  atMost({ goal: 'H', what: 'a jump of the playhead: main thread', most: 50 }, history.scrubTaskMs),
  atMost({ goal: 'H', what: 'the longest jump: main thread', most: 100 }, history.scrubMaxMs),
  atMost(
    { goal: 'H', what: 'the longest task while a timeline comes', most: 50 },
    history.longestMs.timeline,
  ),
  atMost({ goal: 'H', what: 'the longest task of jumps', most: 50 }, history.longestMs.scrub),
]

const memoryRows = (memory: Memory | null): readonly Row[] =>
  memory === null
    ? []
    : [
        atMost(
          {
            goal: 'U3',
            what: `memory over ${memory.minutes.length} minutes`,
            most: 10,
            unit: 'MiB per hour',
          },
          memory.perHour,
        ),
      ]

export function printRows(rows: readonly Row[]): void {
  const text = (value: number | null): string => (value === null ? '' : value.toFixed(value < 10 ? 2 : 0))
  for (const { goal, what, ours, bare, gate, met } of rows) {
    const cells = [
      goal.padEnd(3),
      what.padEnd(52),
      text(ours).padStart(8),
      text(bare).padStart(8),
      gate.padStart(20),
    ]
    process.stdout.write(`${cells.join(' ')}  ${met ? 'met' : 'NOT MET'}\n`)
  }
}
