/** How long claims still last, for whoever looks on. */

import { expect, it } from 'vitest'
import { invocationId } from '../../../src-engine/model/ids.ts'
import { leasesLeft } from '../../../src-engine/shell/leases.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'

it('has those that somebody has, with what is left of them, and never less than nothing', async () => {
  const records = new Map([
    ['run_a/held', { id: 'run_a/held', lease: { runnerId: 'runner_a', expiresAt: 1_700 } }],
    ['run_a/free', { id: 'run_a/free', lease: null }],
  ])
  const load = async (_: number, __: string, input: { readonly invocationId: string }) =>
    records.get(input.invocationId) ?? null
  const store: Store = { ...createMemoryStore(), load: load as unknown as Store['load'] }
  const asked = ['run_a/held', 'run_a/free', 'run_a/gone'].map(invocationId)
  const held = { invocationId: 'run_a/held', runnerId: 'runner_a' }
  expect(await leasesLeft(store, asked, 1_000)).toEqual([{ ...held, leftMs: 700 }])
  expect(await leasesLeft(store, asked, 9_000)).toEqual([{ ...held, leftMs: 0 }])
})
