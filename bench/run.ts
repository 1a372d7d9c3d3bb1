/**
 * Ours against the limit engine, in turns A B A B so that both meet the same machine:
 * `node bench/run.ts [--runs 1000] [--pairs 3] [--short] [--json]`. Medians over the pairs.
 */

import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleChild } from './bundle.ts'
import type { Measured } from './child.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    samples: { type: 'string', default: '40' },
    pairs: { type: 'string', default: '3' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const size = values.short
  ? { runs: '20', samples: '2', pairs: 1 }
  : { ...values, pairs: Number(values.pairs) }

const child = await bundleChild()
/**
 * In MiB, as the app's engine has it. Node's default begins with so little that a start is full of collections, and then
 * lets garbage pile up to several times of what is alive before it looks.
 */
const youngGenerationMib = { atFirst: 4, atMost: 16 }

function measure(subject: 'ours' | 'acting' | 'ideal'): Measured {
  const args = [
    `--min-semi-space-size=${youngGenerationMib.atFirst}`,
    `--max-semi-space-size=${youngGenerationMib.atMost}`,
    '--no-allocation-site-pretenuring',
    child,
    subject,
    size.runs,
    size.samples,
    String(Date.now()),
    values.short ? 'short' : 'long',
  ]
  // As the launcher starts the product: what V8 has compiled once is kept.
  const env = { NODE_COMPILE_CACHE: join(dirname(child), 'compile'), ...process.env }
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${subject} failed: ${stderr}`)
  return JSON.parse(stdout) as Measured
}

function medians(measured: readonly Measured[]): Measured {
  const keys = Object.keys(measured[0] ?? {}) as (keyof Measured)[]
  const median = (key: keyof Measured): number => {
    const sorted = measured.map((item) => item[key] ?? 0).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? 0
  }
  return Object.fromEntries(keys.map((key) => [key, median(key)])) as unknown as Measured
}

const all = { ours: [] as Measured[], acting: [] as Measured[], ideal: [] as Measured[] }
for (let pair = 0; pair < size.pairs; pair += 1) {
  all.ours.push(measure('ours'))
  all.acting.push(measure('acting'))
  all.ideal.push(measure('ideal'))
}
const ours = medians(all.ours)
const acting = medians(all.acting)
const ideal = medians(all.ideal)

interface Row {
  readonly goal: string
  readonly what: string
  readonly ours: number
  /** Ours where each step waits for the commit that claims it, as what may act does. */
  readonly acting: number
  readonly ideal: number | null
  readonly gate: string
  readonly met: boolean
  readonly actingMet: boolean
}

type Figures = Pick<Row, 'ours' | 'acting' | 'ideal'>

const row = (
  goal: string,
  goals: { readonly what: string; readonly unit: string; readonly gate: number; readonly atLeast?: boolean },
  found: Figures,
): Row => {
  const { what, unit, gate, atLeast = false } = goals
  const meets = (value: number): boolean => (atLeast ? value >= gate : value <= gate)
  const told = { goal, what, ...found, gate: `${atLeast ? '>=' : '<='} ${gate} ${unit}` }
  return { ...told, met: meets(found.ours), actingMet: meets(found.acting) }
}

const share = ({ stepsPerSecond }: Measured): number => (stepsPerSecond / ideal.stepsPerSecond) * 100
const each = (key: keyof Measured): Figures => ({
  ours: ours[key] ?? 0,
  acting: acting[key] ?? 0,
  ideal: ideal[key] ?? null,
})
const rows: Row[] = [
  row(
    'E1',
    { what: 'W1 throughput, share of ideal', unit: '%', gate: 25, atLeast: true },
    { ours: share(ours), acting: share(acting), ideal: 100 },
  ),
  row('E3', { what: 'CPU per step', unit: 'us', gate: 45 }, each('cpuMicrosPerStep')),
  row('E4', { what: 'W2 ten steps, p50', unit: 'ms', gate: 5 }, each('chainP50Ms')),
  row('E4', { what: 'W2 ten steps, p99', unit: 'ms', gate: 15 }, each('chainP99Ms')),
  row('E6', { what: 'W3 500 parallel and join', unit: 'ms', gate: 25 }, each('fanMs')),
  row('E10', { what: 'memory idle (PSS)', unit: 'MiB', gate: 80 }, each('idleMib')),
  row('E10', { what: 'memory after W1 (PSS)', unit: 'MiB', gate: 140 }, each('afterMib')),
  row('E10', { what: 'spawn to first final run', unit: 'ms', gate: 250 }, each('coldMs')),
]
if (ours.wideMs !== undefined) {
  rows.push(
    row('E7', { what: '10,000 parallel steps and join', unit: 'ms', gate: 800 }, each('wideMs')),
    row(
      'E8',
      { what: '10,000 steps in a row, per second', unit: '/s', gate: 2_000, atLeast: true },
      each('longStepsPerSecond'),
    ),
  )
}

const shown = (value: number | null): string => (value === null ? '' : value.toFixed(value < 100 ? 1 : 0))
if (values.json) {
  console.log(JSON.stringify({ ours, acting, ideal, rows }))
} else {
  const [fast, waiting, limit] = [ours, acting, ideal].map((one) => shown(one.stepsPerSecond))
  console.log(`W1: ours ${fast} steps/s, where steps act ${waiting}, ideal ${limit}`)
  for (const { goal, what, ours: found, acting: waits, ideal: least, gate, met, actingMet } of rows) {
    const cells = [
      goal.padEnd(4),
      what.padEnd(32),
      shown(found).padStart(8),
      shown(waits).padStart(8),
      shown(least).padStart(8),
      gate.padStart(12),
    ]
    console.log(cells.join('  '), met ? (actingMet ? '' : '  not met where steps act') : '  not met')
  }
}
