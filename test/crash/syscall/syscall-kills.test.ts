/** The short form of the campaign beside it. */
import { expect, test } from 'vitest'
import { playUndisturbed } from '../plans.ts'
import { crashScenarios } from '../scenarios.ts'
import { killInSyscalls } from './syscall-kills.ts'

test('killed inside a write or a sync, a run ends as if nothing had happened', async () => {
  const [undisturbed] = await playUndisturbed(crashScenarios.slice(0, 1), { lanes: 1, heir: 'here' })
  if (undisturbed === undefined) throw new Error('There is no scenario.')
  const short = { first: 3, every: 7, most: 4, lanes: 2, heir: 'here' } as const
  const { kills, problems } = await killInSyscalls(undisturbed, short)
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThanOrEqual(8)
})
