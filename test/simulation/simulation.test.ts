/** Engines under faults in virtual time. A failure prints its seed; that seed alone tells the story again. */

import { expect, test } from 'vitest'
import { plantedBugs } from './mutants.ts'
import { simulate } from './simulate.ts'
import { simulationStores } from './stores.ts'

/** Seeds within which a planted bug has to be noticed. */
const mutantSeedsMax = 200

const memory = storeOf('memory')

function storeOf(name: string) {
  const open = simulationStores[name]
  if (open === undefined) throw new Error(`there is no store ${name}`)
  return open
}

async function violationsOf(store: string, seeds: number): Promise<readonly string[]> {
  const found: string[] = []
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violations } = await simulate(seed, { openStore: storeOf(store) })
    found.push(...violations.map((text) => `SEED=${seed}: ${text}`))
  }
  return found
}

test.for([
  { store: 'memory', seeds: 400 },
  { store: 'sqlite', seeds: 60 },
])('$seeds seeds on $store keep every invariant and end every run', async ({ store, seeds }) => {
  expect(await violationsOf(store, seeds)).toEqual([])
})

test.for([{ seed: 3 }, { seed: 58 }, { seed: 101 }])(
  'seed $seed tells the same story twice',
  async ({ seed }) => {
    const first = await simulate(seed, { openStore: memory })
    const second = await simulate(seed, { openStore: memory })
    expect(second).toEqual(first)
  },
)

test('the faults really happen, and most runs get through', async () => {
  const faults = new Set<string>()
  let runs = 0
  for (let seed = 1; seed <= 60; seed += 1) {
    const simulated = await simulate(seed, { openStore: memory })
    for (const name of Object.keys(simulated.faults)) faults.add(name)
    runs += simulated.runs
  }
  expect(runs).toBeGreaterThan(150)
  expect([...faults]).toEqual(
    expect.arrayContaining(['crash', 'pause', 'clock jump', 'full disk', 'stop', 'cancel']),
  )
})

test.for(plantedBugs)('notices that $name', async (bug) => {
  const found: string[] = []
  for (let seed = 1; seed <= mutantSeedsMax && found.length === 0; seed += 1) {
    const { violations } = await simulate(seed, { openStore: memory, mutant: bug })
    found.push(...violations.filter((text) => bug.noticedBy.some((number) => text.startsWith(number))))
  }
  expect(found.length).toBeGreaterThan(0)
})
