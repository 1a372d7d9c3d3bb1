/**
 * Steps per second of a store alone: runs in flight, each a chain of checkpoints that finishes a step,
 * registers the next one and claims and starts it, four events each. No engine, no tasks.
 *
 *   node bench/store-chain.ts [--seconds 5] [--runs 50] [--store sqlite|memory] [--durability strict|relaxed]
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { storeId } from '../src-engine/model/ids.ts'
import { systemClock } from '../src-engine/runtime/system-ports.ts'
import { storeCatalogue } from '../src-engine/store/catalogue.ts'
import type { Store } from '../src-engine/store/store.ts'
import { chain } from './step-records.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '50' },
    steps: { type: 'string', default: '10' },
    store: { type: 'string', default: 'sqlite' },
    durability: { type: 'string', default: 'strict' },
  },
})

async function measure(store: Store): Promise<{ readonly steps: number; readonly seconds: number }> {
  const steps = Number(values.steps)
  const until = performance.now() + Number(values.seconds) * 1_000
  let started = 0
  let finished = 0
  const began = performance.now()
  const flight = async (): Promise<void> => {
    while (performance.now() < until) {
      await chain(store, (started += 1), { steps })
      finished += 1
    }
  }
  await Promise.all(Array.from({ length: Number(values.runs) }, flight))
  return { steps: finished * steps, seconds: (performance.now() - began) / 1_000 }
}

const directory = mkdtempSync(join(tmpdir(), 'sagasmith-bench-'))
try {
  const durability = values.durability === 'relaxed' ? 'relaxed' : 'strict'
  const options = {
    directory,
    storeId: storeId('bench'),
    clock: systemClock,
    durability,
  } as const
  const store =
    values.store === 'memory' ? await storeCatalogue.memory(options) : await storeCatalogue.sqlite(options)
  const cpu = process.cpuUsage()
  const { steps, seconds } = await measure(store)
  const { user, system } = process.cpuUsage(cpu)
  await store.close()
  const bytes = values.store === 'memory' ? 0 : statSync(join(directory, 'sagasmith.db')).size
  process.stdout.write(
    `${JSON.stringify({
      store: values.store,
      durability,
      runsInFlight: Number(values.runs),
      steps,
      stepsPerSecond: Math.round(steps / seconds),
      cpuMicrosPerStep: Number(((user + system) / steps).toFixed(1)),
      bytesPerStep: Math.round(bytes / steps),
    })}\n`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
