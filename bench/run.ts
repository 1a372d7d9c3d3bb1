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
  ? { runs: '100', samples: '4', pairs: 1 }
  : { ...values, pairs: Number(values.pairs) }

const child = await bundleChild()
/**
 * In MiB, as the app's engine has it. Node's default begins with so little that a start is full of collections, and then
 * lets garbage pile up to several times of what is alive before it looks.
 */
const youngGenerationMib = { atFirst: 4, atMost: 16 }

function measure(subject: 'ours' | 'ideal'): Measured {
  const args = [
    `--min-semi-space-size=${youngGenerationMib.atFirst}`,
    `--max-semi-space-size=${youngGenerationMib.atMost}`,
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

const all = { ours: [] as Measured[], ideal: [] as Measured[] }
for (let pair = 0; pair < size.pairs; pair += 1) {
  all.ours.push(measure('ours'))
  all.ideal.push(measure('ideal'))
}
const ours = medians(all.ours)
const ideal = medians(all.ideal)

interface Row {
  readonly goal: string
  readonly what: string
  readonly ours: number
  readonly ideal: number | null
  readonly gate: string
  readonly met: boolean
}

const row = (
  goal: string,
  told: { readonly what: string; readonly unit: string; readonly gate: number; readonly atLeast?: boolean },
  found: { readonly ours: number; readonly ideal: number | null },
): Row => {
  const { what, unit, gate, atLeast = false } = told
  const met = atLeast ? found.ours >= gate : found.ours <= gate
  return { goal, what, ...found, gate: `${atLeast ? '>=' : '<='} ${gate} ${unit}`, met }
}

const share = (ours.stepsPerSecond / ideal.stepsPerSecond) * 100
const rows: Row[] = [
  row(
    'E1',
    { what: 'W1 throughput, share of ideal', unit: '%', gate: 25, atLeast: true },
    { ours: share, ideal: 100 },
  ),
  row(
    'E3',
    { what: 'CPU per step', unit: 'us', gate: 45 },
    { ours: ours.cpuMicrosPerStep, ideal: ideal.cpuMicrosPerStep },
  ),
  row(
    'E4',
    { what: 'W2 ten steps, p50', unit: 'ms', gate: 5 },
    { ours: ours.chainP50Ms, ideal: ideal.chainP50Ms },
  ),
  row(
    'E4',
    { what: 'W2 ten steps, p99', unit: 'ms', gate: 15 },
    { ours: ours.chainP99Ms, ideal: ideal.chainP99Ms },
  ),
  row(
    'E6',
    { what: 'W3 500 parallel and join', unit: 'ms', gate: 25 },
    { ours: ours.fanMs, ideal: ideal.fanMs },
  ),
  row(
    'E10',
    { what: 'memory idle (PSS)', unit: 'MiB', gate: 80 },
    { ours: ours.idleMib, ideal: ideal.idleMib },
  ),
  row(
    'E10',
    { what: 'memory after W1 (PSS)', unit: 'MiB', gate: 140 },
    { ours: ours.afterMib, ideal: ideal.afterMib },
  ),
  row(
    'E10',
    { what: 'spawn to first final run', unit: 'ms', gate: 250 },
    { ours: ours.coldMs, ideal: ideal.coldMs },
  ),
]
if (ours.wideMs !== undefined && ours.longStepsPerSecond !== undefined) {
  rows.push(
    row(
      'E7',
      { what: '10,000 parallel steps and join', unit: 'ms', gate: 800 },
      { ours: ours.wideMs, ideal: ideal.wideMs ?? null },
    ),
    row(
      'E8',
      { what: '10,000 steps in a row, per second', unit: '/s', gate: 2_000, atLeast: true },
      { ours: ours.longStepsPerSecond, ideal: ideal.longStepsPerSecond ?? null },
    ),
  )
}

const shown = (value: number | null): string => (value === null ? '' : value.toFixed(value < 100 ? 1 : 0))
if (values.json) {
  console.log(JSON.stringify({ ours, ideal, rows }))
} else {
  console.log(`W1: ours ${shown(ours.stepsPerSecond)} steps/s, ideal ${shown(ideal.stepsPerSecond)} steps/s`)
  for (const { goal, what, ours: found, ideal: limit, gate, met } of rows) {
    const cells = [
      goal.padEnd(4),
      what.padEnd(32),
      shown(found).padStart(8),
      shown(limit).padStart(8),
      gate.padStart(12),
    ]
    console.log(cells.join('  '), met ? '' : '  not met')
  }
}
