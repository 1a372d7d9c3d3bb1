/**
 * Plays many seeds on all cores, or one: `node test/simulation/run.ts --seeds 1000000 --from 1 --jobs 2`,
 * `… --seed 17 [--shrink]`. A bad seed is told with the command that plays it again; every 50th is played
 * twice to prove that its seed decides it all. Ends with code 1 when a seed was bad.
 */

import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { noteTrend } from '../support/trend.ts'
import type { Seeds, Tally } from './campaign.ts'
import { addTo, noTally, storeOf, toldOf } from './campaign.ts'
import type { FaultName } from './scenario.ts'
import { faultNames } from './scenario.ts'
import { simulate } from './simulate.ts'

/** Seeds that a worker plays before it asks for more. */
const chunk = 50
const progressEveryMs = 10_000
const replayEvery = 50

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    store: { type: 'string', default: 'memory' },
  },
})
const { store } = values

process.exitCode = (await (values.seed === undefined ? campaign() : one(Number(values.seed)))) ? 0 : 1

/** Whether no seed was bad. */
async function campaign(): Promise<boolean> {
  const from = Number(values.from)
  const to = from + Number(values.seeds) - 1
  const total = noTally()
  const began = performance.now()
  let next = from
  // Where to go on from: all seeds before it have been played.
  const open = new Set<number>()
  const seconds = (): number => (performance.now() - began) / 1_000
  const told = (): void => {
    const reached = Math.min(next, ...open)
    const speed = (total.seeds / seconds()).toFixed(1)
    console.log(
      `${total.seeds} of ${to - from + 1} seeds, ${total.bad.length} bad, ${speed} a second;`,
      `to go on: --from ${reached} --seeds ${to - reached + 1}`,
    )
  }
  const progress = setInterval(told, progressEveryMs)
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('./campaign-worker.ts', import.meta.url))
    while (next <= to) {
      const first = next
      next = Math.min(to + 1, next + chunk)
      open.add(first)
      const tally = await played(worker, { store, from: first, to: next - 1, replayEvery })
      open.delete(first)
      for (const bad of tally.bad) console.log(toldOf(bad))
      addTo(total, tally)
    }
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  clearInterval(progress)
  told()
  const hours = (total.virtualMs / 3_600_000).toFixed(1)
  console.log(
    `${total.runs} runs, ${hours} simulated hours, ${total.happened} happenings in ${seconds().toFixed(1)} s`,
  )
  console.log(total.faults, total.answers, total.moves)
  noteTrend({
    test: `simulation, ${store}`,
    seeds: total.seeds,
    points: 0,
    faults: Object.values(total.faults).reduce((sum, count) => sum + count, 0),
    acked: total.runs,
    lost: 0,
    duplicates: 0,
    violations: total.bad.length,
    ms: Math.round(performance.now() - began),
  })
  return total.bad.length === 0
}

function played(worker: Worker, seeds: Seeds): Promise<Tally> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (tally: Tally) => {
      worker.off('error', reject)
      resolve(tally)
    })
    worker.postMessage(seeds)
  })
}

async function one(seed: number): Promise<boolean> {
  const given = values.without
    .split(',')
    .filter((name): name is FaultName => faultNames.includes(name as FaultName))
  const without = values.shrink ? await shrunk(seed, given) : given
  const { violations, trace, faults, scenario } = await simulate(seed, { openStore: storeOf(store), without })
  console.log(`trace ${trace}`)
  console.log('faults allowed:', ...faultNames.filter((name) => scenario.faults[name]))
  if (without.length > 0) console.log(`left out: --without ${without.join(',')}`)
  console.log(faults)
  if (violations.length > 0) console.log(toldOf({ seed, store, violations }))
  return violations.length === 0
}

/** As many faults as can be left out with the seed still bad: what remains is what it takes. */
async function shrunk(seed: number, given: readonly FaultName[]): Promise<readonly FaultName[]> {
  let without = given
  for (const name of faultNames) {
    if (without.includes(name)) continue
    const fewer = [...without, name]
    const { violations } = await simulate(seed, { openStore: storeOf(store), without: fewer })
    if (violations.length > 0) without = fewer
  }
  return without
}
