/** What the simulator itself must be: decided by its seed, full of faults, and not all failures. */

import { expect, test } from 'vitest'
import { storeOf } from './campaign.ts'
import { faultNames } from './scenario.ts'
import { scenarioOf, simulate } from './simulate.ts'

const memory = storeOf('memory')

test.for([{ seed: 3 }, { seed: 9 }, { seed: 58 }, { seed: 101 }])(
  'seed $seed tells the same story twice',
  async ({ seed }) => {
    const first = await simulate(seed, { openStore: memory })
    const second = await simulate(seed, { openStore: memory })
    expect(second).toEqual(first)
  },
)

test('a seed plays without the faults that are taken from it', async () => {
  const { scenario, faults } = await simulate(7, { openStore: memory, without: faultNames })
  expect(Object.values(scenario.faults)).not.toContain(true)
  for (const name of ['crash', 'pause', 'clock jump', 'full disk', 'slow store', 'stop', 'sleep'])
    expect(faults[name]).toBeUndefined()
})

test('the engine’s own crons, busy machines, tags and pools take part', async () => {
  const seen = { crons: 0, busy: 0, tagged: 0, pooled: 0, coreRuns: 0 }
  for (let seed = 1; seed <= 40; seed += 1) {
    const { scheduling } = scenarioOf(seed)
    if (scheduling === null) continue
    seen.crons += scheduling.crons ? 1 : 0
    seen.busy += scheduling.busy ? 1 : 0
    seen.tagged += scheduling.runners.some(({ tags }) => tags.length > 0) ? 1 : 0
    seen.pooled += scheduling.runners.some(({ pools }) => pools.length > 1) ? 1 : 0
    if (scheduling.crons && seen.coreRuns === 0)
      seen.coreRuns = (await simulate(seed, { openStore: memory })).coreRuns
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0)
})

test('runs are undone, one after the other or by somebody’s word', async () => {
  const wanted = ['COMPENSATED', 'ABANDONED', 'together']
  const seen: Record<string, number> = {}
  for (let seed = 1; seed <= 300 && !wanted.every((name) => (seen[name] ?? 0) > 0); seed += 1) {
    const { saga, documents } = scenarioOf(seed)
    if (saga === null) continue
    const scopes = documents.flatMap(({ sagaScopes }) => Object.values(sagaScopes ?? {}))
    if (scopes.some(({ order }) => order === 'parallel')) seen['together'] = 1
    const { ends } = await simulate(seed, { openStore: memory })
    for (const [status, count] of Object.entries(ends)) seen[status] = (seen[status] ?? 0) + count
  }
  for (const name of wanted) expect(seen[name], name).toBeGreaterThan(0)
})

test('results are held back, released and discarded', async () => {
  const seen: Record<string, number> = {}
  for (let seed = 1; seed <= 300; seed += 1) {
    if ((scenarioOf(seed).oversight?.output ?? null) === null) continue
    const { faults, moves } = await simulate(seed, { openStore: memory })
    for (const name of ['result release', 'result discard'])
      seen[name] = (seen[name] ?? 0) + (faults[name] ?? 0)
    for (const name of ['SUCCESS > OUTPUT_QUARANTINED', 'OUTPUT_QUARANTINED > SUCCESS'])
      seen[name] = (seen[name] ?? 0) + (moves[name] ?? 0)
    if (Object.values(seen).every((count) => count > 0)) return
  }
  expect(Object.keys(seen)).toHaveLength(4)
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})
