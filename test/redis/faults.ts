/** What befalls the cluster and its runners in a campaign. Each returns when the disturbance itself is over. */

import { setTimeout as pause } from 'node:timers/promises'
import { partitionKeys } from '../../src-engine/store/redis/layout.ts'
import type { RandomSource } from '../support/random-source.ts'
import { isRunning, moveSlot, pairOf, promoted } from '../support/redis-cluster.ts'
import type { RedisCluster } from '../support/redis-servers.ts'
import { partitions, rotatePassword } from './scene.ts'

/** What faults are done to. */
export interface FaultScene {
  readonly cluster: RedisCluster
  readonly directory: string
  readonly random: RandomSource
  /** Ends a runner at once and hires another. */
  readonly replaceRunner: () => Promise<void>
}

export type Fault = (scene: FaultScene) => Promise<void>

/** By the name that a report gives each. */
export type FaultTable = Readonly<Record<string, Fault>>

/** Longer than the cluster waits for a node. */
const standstillMs = 3_500
/** How long a replica is away, and how long memory is full. */
const shortageMs = 2_000

/** The slot of a partition, any of them. */
export const slotOfSome = ({ random }: FaultScene): number =>
  partitionKeys('sagasmith', random.below(partitions)).slot

const somePair = (scene: FaultScene) => pairOf(scene.cluster, slotOfSome(scene))

function failover(...how: readonly string[]): Fault {
  return async (scene) => {
    const { replica } = await somePair(scene)
    await replica.admin.call('CLUSTER', 'FAILOVER', ...how)
    await promoted(replica)
  }
}

/** What a cluster on the loopback can be done. */
export const faults = {
  async 'a master is killed, and comes back as a replica'(scene) {
    const { master, replica } = await somePair(scene)
    master.process.kill('SIGKILL')
    await promoted(replica)
    await master.restart()
  },
  async 'a master is killed and started again at once'(scene) {
    await (await somePair(scene)).master.restart()
  },
  async 'a master stands still for longer than the cluster waits'(scene) {
    const { master } = await somePair(scene)
    master.process.kill('SIGSTOP')
    await pause(standstillMs)
    master.process.kill('SIGCONT')
  },
  'a replica takes over in order': failover(),
  'a replica takes over by force': failover('FORCE'),
  'a replica takes over without a vote': failover('TAKEOVER'),
  async 'a slot with a partition moves to another master'(scene) {
    const slot = slotOfSome(scene)
    const { master: from } = await pairOf(scene.cluster, slot)
    let to = from
    while (to === from) to = (await pairOf(scene.cluster, scene.random.below(16_384))).master
    await moveSlot(slot, { from, to })
  },
  async 'the scripts are forgotten'({ cluster }) {
    for (const { admin } of cluster.servers.filter(isRunning)) await admin.script('FLUSH')
  },
  async 'a replica is away for a while'(scene) {
    const { replica } = await somePair(scene)
    replica.process.kill('SIGKILL')
    await pause(shortageMs)
    await replica.restart()
  },
  async 'the memory of a master is full'(scene) {
    const { master } = await somePair(scene)
    await master.admin.config('SET', 'maxmemory', '1')
    await pause(shortageMs)
    await master.admin.config('SET', 'maxmemory', '0')
  },
  'the password is rotated': ({ cluster, directory }) => rotatePassword(cluster, directory),
  'a runner is killed': ({ replaceRunner }) => replaceRunner(),
} as const satisfies FaultTable
