/** Months of triggers on real engines: each slot, event, call and file is one run, or one reason. */

import { expect, test } from 'vitest'
import { playMonths } from './campaign.ts'
import { plantedMonthBugs } from './mutants.ts'
import { monthPlan } from './plan.ts'
import { playMonth } from './play.ts'
import { monthStores } from './stores.ts'

const short = { days: 30, runnersMax: 4 }

test('months with sleep, crashes and set clocks: no slot is lost, none doubled [G7]', async () => {
  const { bad, firings, skips } = await playMonths({ store: 'memory', from: 3, to: 4, ...short })
  expect(bad).toEqual([])
  expect(firings).toBeGreaterThan(100)
  expect(skips).toBeGreaterThan(0)
})

test('a month of each kind of store in this process', async () => {
  for (const store of ['memory in four partitions', 'sqlite']) {
    const { bad } = await playMonths({ store, from: 9, to: 9, ...short, days: 6 })
    expect([store, bad]).toEqual([store, []])
  }
})

test('twenty machines share two days', async () => {
  const plan = { ...monthPlan('crowd', { days: 2 }), runners: 20 }
  const open = monthStores['memory']
  if (open === undefined) throw new Error('there is no store in memory')
  const { problems, firings } = await playMonth(plan, open)
  expect(problems).toEqual([])
  expect(firings).toBeGreaterThan(0)
})

/** Beginnings of months within which a planted bug has to be noticed. */
const mutantMonthsMax = 60
/** Each of them shows in three days what it shows in a month; the clocks change within them where that is to be seen. */
const mutantDays = 3

test.for(plantedMonthBugs)(
  'notices that $name',
  async ({ says, first, month = (plan) => plan, ...mutant }) => {
    const open = monthStores['memory']
    if (open === undefined) throw new Error('there is no store in memory')
    let noticed: string | undefined
    const all = Array.from({ length: mutantMonthsMax }, (_, index) => index + 1)
    for (const seed of [first, ...all.filter((other) => other !== first)]) {
      if (noticed !== undefined) break
      const plan = month(monthPlan(`planted ${seed}`, { days: mutantDays, runnersMax: 3 }))
      const { problems } = await playMonth(plan, open, mutant)
      noticed = problems.find((problem) => says.test(problem))
    }
    expect(noticed).toBeDefined()
  },
)
