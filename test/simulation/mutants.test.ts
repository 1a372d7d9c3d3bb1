/** Bugs planted on purpose: each must be noticed, and by the invariant that is there for it. */

import { expect, test } from 'vitest'
import { storeOf } from './campaign.ts'
import { plantedBugs } from './mutants.ts'
import type { PlantedBug } from './planted-bug.ts'
import { scenarioOf, simulate } from './simulate.ts'

/** Seeds within which a planted bug has to be noticed; the first that notices it ends its test. */
const mutantSeedsMax = 2_000

const isMeant = ({ noticedBy, says = '' }: PlantedBug, text: string): boolean =>
  noticedBy.some((number) => text.startsWith(`${number} `)) && text.includes(says)

test.for(plantedBugs)('notices that $name', async (bug) => {
  let noticed: string | null = null
  for (let seed = 1; seed <= mutantSeedsMax && noticed === null; seed += 1) {
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
