/**
 * How the embedded store bears size: `node bench/scale.ts [--finished 1000000] [--queued 100000]
 * [--steps 25000] [--sleeping 1000000] [--nodes 10000] [--schedules 10000] [--events 10000] [--only S4] [--json]`. Each figure is read on a
 * small file and on a large one in the same run; goals are ratios between the two, or spans of single reads.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeFlags } from '../bin/launcher/cli.mjs'
import { storeId } from '../src-engine/model/ids.ts'
import { systemClock } from '../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../src-engine/store/catalogue.ts'
import { eventStorm } from './scale/event-storm.ts'
import { finishedRuns } from './scale/finished-runs.ts'
import { graphs } from './scale/graphs.ts'
import { longRun } from './scale/long-run.ts'
import { queued } from './scale/queued.ts'
import type { Bench } from './scale/scale-bench.ts'
import type { ScaleRow } from './scale/scale-row.ts'
import { schedules } from './scale/schedules.ts'
import { sleepers } from './scale/sleepers.ts'

// As the launcher starts the product: V8 is told these only as it starts.
if (!nodeFlags.every((flag) => process.execArgv.includes(flag))) {
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, ...nodeFlags, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
    },
  )
  process.exit(status ?? 1)
}

const { values } = parseArgs({
  options: {
    finished: { type: 'string', default: '1000000' },
    queued: { type: 'string', default: '100000' },
    steps: { type: 'string', default: '25000' },
    sleeping: { type: 'string', default: '1000000' },
    nodes: { type: 'string', default: '10000' },
    schedules: { type: 'string', default: '10000' },
    events: { type: 'string', default: '10000' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

async function part(
  name: string,
  measure: (bench: Bench) => Promise<readonly ScaleRow[]>,
): Promise<readonly ScaleRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-scale-'))
  const began = performance.now()
  try {
    return await measure({
      directory,
      open: (file = 'first') => {
        mkdirSync(join(directory, file), { recursive: true })
        return storeCatalogue.sqlite({
          directory: join(directory, file),
          storeId: storeId('bench'),
          clock: systemClock,
          durability: 'strict',
        })
      },
      size: () => statSync(join(directory, 'first/sagasmith.db')).size,
      say: (text) => process.stderr.write(`${name}: ${text}\n`),
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
    process.stderr.write(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`)
  }
}

const parts: readonly (readonly [
  goals: string,
  name: string,
  (bench: Bench) => Promise<readonly ScaleRow[]>,
])[] = [
  ['S1 S6', 'finished runs', (bench) => finishedRuns(bench, Number(values.finished))],
  ['S2', 'queue', (bench) => queued(bench, Number(values.queued))],
  ['S3', 'graphs', (bench) => graphs(bench, Number(values.nodes))],
  ['S4', 'long run', (bench) => longRun(bench, Number(values.steps))],
  ['S5', 'sleepers', (bench) => sleepers(bench, Number(values.sleeping))],
  ['T1', 'schedules', (bench) => schedules(bench, Number(values.schedules))],
  ['T2', 'events', (bench) => eventStorm(bench, Number(values.events))],
]
const rows: ScaleRow[] = []
for (const [goals, name, measure] of parts) {
  if (values.only === undefined || goals.includes(values.only)) rows.push(...(await part(name, measure)))
}
if (values.json) console.log(JSON.stringify({ rows }))
else {
  for (const { goal, what, found, gate, unit, atLeast } of rows) {
    const met = atLeast === true ? found >= gate : found <= gate
    const cells = [goal.padEnd(3), what.padEnd(58), found.toFixed(2).padStart(9), unit.padEnd(3)]
    console.log(cells.join('  '), `${atLeast === true ? '>=' : '<='} ${gate}`, met ? '' : '  not met')
  }
}
