/** Every single call to the store fails once, in each way, and once for a while: the run ends all the same. */
import { expect, test } from 'vitest'
import { playFailure } from './nth-failure.ts'

/** More calls than the scenario makes; the loop ends with the first that is never reached. */
const callsMax = 5_000

test.for([
  { name: 'a full disk', code: 'store_full', lasts: 'once' },
  { name: 'an i/o error', code: 'store_failed', lasts: 'once' },
  { name: 'a busy file', code: 'store_busy', lasts: 'once' },
  { name: 'a disk that stays full', code: 'store_full', lasts: 'sticky' },
  { name: 'errors that stay', code: 'store_failed', lasts: 'sticky' },
  { name: 'a file that stays busy', code: 'store_busy', lasts: 'sticky' },
] as const)('$name at the n-th call, for every n [C5] [C6]', async ({ code, lasts }) => {
  const problems: string[] = []
  let nth = 1
  for (; nth < callsMax; nth += 1) {
    const story = await playFailure({ nth, code, lasts })
    for (const problem of story.problems) problems.push(`call ${nth}: ${problem}`)
    if (!story.reached) break
  }
  expect(problems).toEqual([])
  expect(nth).toBeGreaterThan(20)
})
