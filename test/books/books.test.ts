/** Orders through three services that fail, with runners killed: `run.ts` is the long form. */

import { expect, test } from 'vitest'
import type { BooksPlan } from './campaign.ts'
import { playBooks } from './campaign.ts'

const plan: BooksPlan = {
  store: 'sqlite',
  runs: 40,
  runners: 2,
  open: 20,
  killEveryMs: 1_500,
  cancels: 0.1,
  faults: 0.25,
  slowMs: 2_500,
  seed: 'short',
}

test.for(['sqlite', 'redis'] as const)(
  'with failures, cancels and kills the books balance, on %s',
  async (store) => {
    const { problems, kills, byStatus, told } = await playBooks({ ...plan, store })
    expect(problems).toEqual([])
    expect(kills).toBeGreaterThan(0)
    expect(byStatus['SUCCEEDED']).toBeGreaterThan(5)
    expect(byStatus['COMPENSATED']).toBeGreaterThan(5)
    // Answers were lost, and what had been done was asked for again.
    expect(told['fault-drops']).toBeGreaterThan(0)
    expect(told['repeated']).toBeGreaterThan(0)
  },
)

const calm: BooksPlan = { ...plan, runs: 16, runners: 1, open: 16, killEveryMs: null, cancels: 0 }

test('a service that takes each request as a new one is found out', async () => {
  const { problems } = await playBooks({ ...calm, faults: 0.5, slowMs: 1, ignoresKeys: true })
  expect(problems.some((problem) => /its \w+ was made \d times/.test(problem))).toBe(true)
})

test('a rollback that forgets a step is found out', async () => {
  const { problems } = await playBooks({ ...calm, faults: 0, forgets: 'charge_card' })
  expect(problems.some((problem) => problem.endsWith('a charge stands without an order'))).toBe(true)
  expect(problems.some((problem) => / reservation stands/.test(problem))).toBe(false)
})
