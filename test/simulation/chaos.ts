/** Plans a seed's faults: what its scenario allows, at instants of its choice. */

import type { Cluster, Member } from './cluster.ts'
import type { Failovers } from './failovers.ts'
import type { FastPartitions } from './fast-partitions.ts'
import type { Stage } from './stage.ts'
import { failoversOf, fastClusterOf } from './stores.ts'

/** Nothing happens before the story begins, and nothing after `chaosMs`. */
export function planFaults(stage: Stage, cluster: Cluster): void {
  const { world, random, scenario, storeFaults, count } = stage
  const { faults, chaosMs } = scenario
  const began = world.now
  const sometimes = (allowed: boolean, times: number, happen: () => void): void => {
    for (let time = 0; time < (allowed ? times : 0); time += 1)
      world.at(began + random.below(chaosMs), happen)
  }
  const toOne = (happen: (member: Member) => void) => () => {
    const member = cluster.some()
    if (member !== null) happen(member)
  }
  const crash = toOne((member) => cluster.crash(member, 'crash'))
  const pause = toOne((member) => cluster.pause(member))
  const jump = toOne((member) => cluster.jump(member))
  const stop = toOne((member) => cluster.stop(member))
  sometimes(faults.crashes, 3, crash)
  sometimes(faults.pauses, 3, pause)
  sometimes(faults.clockJumps, 3, jump)
  sometimes(faults.stops, 2, stop)
  sometimes(faults.sleeps, 2, () => cluster.sleep())
  sometimes(faults.fullDisk, 2, () => {
    count('full disk')
    storeFaults.fullUntil = world.now + random.below(8_000)
  })
  sometimes(faults.slowStore, 2, () => {
    count('slow store')
    storeFaults.slowUntil = world.now + random.below(20_000)
  })
  const failovers = failoversOf(stage.store)
  if (failovers !== null) sometimes(true, 4, () => failOver(stage, failovers, random.below(4)))
  const fast = fastClusterOf(stage.store)
  if (fast !== null)
    sometimes(true, 4, () => failFast(stage, cluster, { server: fast.server, partition: random.below(4) }))
  if (faults.refusals) storeFaults.refusal = 0.05
  if (faults.lostAnswers) storeFaults.lostAnswer = 0.02
  if (faults.failures) storeFaults.failure = 0.02
}

/** A moment is waited for in which it costs something. */
const lieInWaitMs = 3_000

function failOver({ world, count }: Stage, failovers: Failovers, partition: number): void {
  const end = world.now + lieInWaitMs
  const look = (): void => {
    if (failovers.behind(partition) === 0 && world.now < end) {
      world.at(world.now + 1, look)
      return
    }
    world.pending += 1
    void failovers
      .failOver(partition, world.now)
      .then((lost) => count(lost > 0 ? 'failover' : 'failover of nothing'))
      .finally(() => {
        world.pending -= 1
      })
  }
  look()
}

/** For as long a replica falls behind before its master goes, at the most. */
const behindMs = 1_500

interface FastFailover {
  readonly server: FastPartitions
  readonly partition: number
}

/** What was acknowledged meanwhile is lost; and sometimes who wrote it comes too late to bring it back. */
function failFast(
  { world, random, count }: Stage,
  cluster: Cluster,
  { server, partition }: FastFailover,
): void {
  server.stall(partition)
  const earliest = world.now + random.below(behindMs)
  const latest = earliest + lieInWaitMs
  const look = (): void => {
    if (server.behind(partition) === 0 && world.now < latest) world.at(world.now + 10, look)
    else {
      const authors = server.authorsOf(partition)
      const author = cluster.living().find(({ engine }) => authors.includes(engine.runnerId))
      if (author !== undefined && random.chance(0.5)) cluster.pause(author)
      count(server.failOver(partition, world.now) > 0 ? 'failover' : 'failover of nothing')
    }
  }
  world.at(earliest, look)
}
