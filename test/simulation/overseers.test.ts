/** Who lifts the policy of a story is found, whatever becomes of whoever was asked. */

import { expect, test } from 'vitest'
import type { Cluster } from './cluster.ts'
import { Overseers } from './overseers.ts'
import type { Stage } from './stage.ts'
import { SimulatedProcess, World } from './world.ts'

test('who is asked to lift the policy and dies without an answer, however late, has another one asked', async () => {
  const world = new World()
  const began = world.now
  const asked: number[] = []
  const memberOf = (pid: number, answer: Promise<void>) => {
    const set = () => {
      asked.push(pid)
      return answer
    }
    return { process: new SimulatedProcess(world, pid), engine: { policy: { set } } }
  }
  const members = [memberOf(1, new Promise(() => undefined)), memberOf(2, Promise.resolve())]
  const cluster = { some: () => members.find(({ process }) => process.alive) ?? null }
  const overseers = new Overseers({ world } as unknown as Stage, cluster as unknown as Cluster)
  world.at(began + 60_000, () => members[0]?.process.die())
  overseers.lift()
  await world.run(began + 59_000, () => false)
  expect(asked).toEqual([1])
  await world.run(began + 600_000, () => false)
  expect(asked).toEqual([1, 2])
})
