import { expect, test } from 'vitest'
import { playMonth } from './month-story.ts'

test('forty months with sleep, crashes, clocks that are set and up to twenty runners: each slot once [G7]', async () => {
  for (let seed = 0; seed < 40; seed += 1)
    expect([seed, await playMonth(`month ${seed}`)]).toEqual([seed, []])
})

test('a store that refuses nobody is found out', async () => {
  let found = 0
  for (let seed = 0; seed < 20; seed += 1) {
    const problems = await playMonth(`planted ${seed}`, true)
    if (problems.length > 0) found += 1
  }
  expect(found).toBeGreaterThan(0)
})
