/** Bugs planted on purpose: each must be noticed, and by the invariant that is there for it. */

import { expect, test } from 'vitest'
import { storeOf } from './campaign.ts'
import { plantedBugs } from './mutants.ts'
import { noticingSeeds, seedsFor } from './noticing-seeds.ts'
import type { PlantedBug } from './planted-bug.ts'
import { scenarioOf, simulate } from './simulate.ts'

/** Seeds within which a planted bug has to be noticed; the first that notices it ends its test. */
const mutantSeedsMax = 2_000

const isMeant = ({ noticedBy, says = '' }: PlantedBug, text: string): boolean =>
  noticedBy.some((number) => text.startsWith(`${number} `)) && text.includes(says)

test.for(plantedBugs)('notices that $name', async (bug) => {
  let noticed: string | null = null
  for (const seed of seedsFor(bug.name, mutantSeedsMax)) {
    if (noticed !== null) break
    if (bug.takes?.(scenarioOf(seed)) === false) continue
    const { violations } = await simulate(seed, { openStore: storeOf('memory'), mutant: bug })
    const found = violations.find((text) => isMeant(bug, text))
    if (found !== undefined) noticed = found
  }
  expect(noticed).not.toBeNull()
})

test('there are enough of them, and no two of a name', () => {
  expect(plantedBugs.length).toBeGreaterThanOrEqual(65)
  expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length)
})

test('each is tried on every seed, first on the one that noticed it before', () => {
  const names = plantedBugs.map(({ name }) => name)
  expect([...noticingSeeds.keys()].filter((name) => !names.includes(name))).toEqual([])
  for (const name of names) {
    const seeds = seedsFor(name, mutantSeedsMax)
    expect(seeds[0]).toBe(noticingSeeds.get(name) ?? 1)
    expect(seeds.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: mutantSeedsMax }, (_, index) => index + 1),
    )
  }
})
