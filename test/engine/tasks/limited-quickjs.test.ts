/** What code may take of memory: its limit, whatever it fills it with. */

import { beforeAll, expect, test } from 'vitest'
import { runGuest } from '../../../src-engine/tasks/javascript/guest.ts'
import { newLimitedQuickJs } from '../../../src-engine/tasks/javascript/limited-quickjs.ts'
import { keepQuickJs } from '../../support/kept-quickjs.ts'

beforeAll(keepQuickJs)

const megabyte = 1024 * 1024

/** What the code says at its end, with that much memory. */
async function run(code: string, limitMb: number): Promise<unknown> {
  const data = { input: '{}', run: '{}', vars: '{}', now: 1, seed: 1 }
  const request = { ...data, code, timeoutMs: 60_000, memoryBytes: limitMb * megabyte }
  const ports = { send: () => {}, elapsedMs: () => 0 }
  return runGuest(await newLimitedQuickJs(), request, ports)
}

// Each is a block of 64 kB.
test.for([
  ['arrays', 'new Array(8192).fill(0)'],
  ['bytes', 'new Uint8Array(65536)'],
  ['texts', '"x".repeat(65536)'],
])('%s fill what the limit gives, and at most what there is from the start beside it', async ([, block]) => {
  const code = `
    let held = [], count = 0
    try { for (;; count += 1) held.push(${block}) } catch { held = null }
    return count`
  for (const limitMb of [4, 32, 64]) {
    const ended = await run(code, limitMb)
    expect(ended).toMatchObject({ kind: 'returned', json: expect.stringMatching(/^\d+$/) })
    const takenMb = Number((ended as { readonly json: string }).json) / 16
    // Arrays take room ahead of what they hold.
    expect(takenMb).toBeGreaterThan(limitMb * 0.75)
    expect(takenMb).toBeLessThan(limitMb + 16)
  }
})

test('who catches nothing is told that the memory is used up', async () => {
  const ended = await run('const held = []; for (;;) held.push(new Array(1e4).fill(1))', 8)
  expect(ended).toEqual({ kind: 'limit', limit: 'memory' })
})
