/** A fourth master, with its replica, joins a cluster under load and takes its share of the partitions. */

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { MovedSlot, RebalancePlan } from '../../src-engine/store/redis/rebalance.ts'
import { openRebalancer } from '../../src-engine/store/redis/rebalance.ts'
import type { FaultScene } from './faults.ts'
import { playCampaign } from './play.ts'
import { rotatePassword } from './scene.ts'
import { noteCampaign } from './tell.ts'

const loadMs = 3_000

interface Grown {
  readonly plan: RebalancePlan
  readonly moved: readonly MovedSlot[]
  readonly after: RebalancePlan
}

async function growAndRebalance({ cluster, directory }: FaultScene): Promise<Grown> {
  // The load begins with empty partitions, and they are to have something in them.
  await pause(loadMs)
  await cluster.grow()
  // Users belong to each node alone: without them the newcomer would refuse everybody.
  await rotatePassword(cluster, directory)
  const nodes = cluster.servers.map(({ host, port }) => ({ host, port }))
  const rebalancer = await openRebalancer({ nodes, clock: systemClock })
  try {
    const plan = await rebalancer.plan()
    const moved: MovedSlot[] = []
    for (const move of plan.moves) moved.push(await rebalancer.move(move))
    return { plan, moved, after: await rebalancer.plan() }
  } finally {
    rebalancer.close()
  }
}

test('a fourth master takes its share while runs go on, and nothing is lost', async () => {
  let grown: Grown | null = null
  const began = performance.now()
  const result = await playCampaign({
    durability: 'safe',
    runners: 2,
    forMs: 0,
    faultsMin: 1,
    faults: {
      async 'a fourth master takes its share'(scene) {
        grown = await growAndRebalance(scene)
      },
    },
    seed: 'fourth',
    report: (line) => console.log(line),
  })
  noteCampaign('redis rebalancing', result, performance.now() - began)
  expect(result.problems).toEqual([])
  expect(result.byEnd).toEqual({ SUCCEEDED: result.runs })
  const { plan, moved, after } = grown as unknown as Grown
  console.log(`${plan.moves.length} slots in`, ...moved.map(({ keys, ms }) => `${ms} ms (${keys} keys)`))
  expect([...plan.before.byMaster.values()]).toContain(0)
  expect(new Set(plan.moves.map(({ to }) => to)).size, 'only the newcomer gets any').toBe(1)
  expect([...after.before.byMaster.values()]).toEqual([3, 3, 3, 3])
  expect(after.before.ratio).toBe(1)
  expect(after.moves).toEqual([])
  expect(moved.reduce((sum, { keys }) => sum + keys, 0)).toBeGreaterThan(0)
})
