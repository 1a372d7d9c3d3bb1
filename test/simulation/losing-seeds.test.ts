/** Seeds on a cluster in its fast mode: failovers take back what was acknowledged, and the journals tell all of it. */

import { expect, test } from 'vitest'
import { FastPartitions } from './fast-partitions.ts'
import type { FastCluster } from './journaled-store.ts'
import { simulate } from './simulate.ts'
import { fastClusterOf, journaledOf } from './stores.ts'

const seedsMax = 16
/** They showed the bugs planted here when it was last looked: each is played first, and all others after it. */
const showing = { silence: 27, force: 14 } as const

/** Plays seeds until one of them is bad, or `isEnough`. */
async function play(
  make: () => FastPartitions,
  isEnough: (told: string) => boolean,
  first = 1,
): Promise<{ readonly bad: readonly string[]; readonly clusters: readonly FastCluster[] }> {
  const clusters: FastCluster[] = []
  const bad: string[] = []
  const all = Array.from({ length: seedsMax }, (_, index) => index + 1)
  for (const seed of [first, ...all.filter((other) => other !== first)]) {
    const openStore = async () => {
      const store = journaledOf(make())
      const cluster = fastClusterOf(store)
      if (cluster !== null) clusters.push(cluster)
      return store
    }
    const { violations } = await simulate(seed, { openStore })
    bad.push(...violations.map((told) => `SEED=${seed} ${told}`))
    if (violations.some(isEnough)) break
  }
  return { bad, clusters }
}

test(`seeds 1 to ${seedsMax} bring back or tell each operation that was acknowledged and lost`, async () => {
  const { bad, clusters } = await play(
    () => new FastPartitions(4),
    () => false,
  )
  expect(bad).toEqual([])
  const reports = clusters.flatMap((cluster) => cluster.reports)
  const sum = (of: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((all, report) => all + of(report), 0)
  expect(sum(({ lost }) => lost)).toBeGreaterThan(15)
  expect(sum(({ broughtBack }) => broughtBack)).toBeGreaterThan(10)
  // Others went on meanwhile: what fits no more is listed, and never forced on them.
  expect(sum(({ gone }) => gone.length)).toBeGreaterThan(0)
})

test('notices that what is brought back was never written', async () => {
  class Deaf extends FastPartitions {
    override write: FastPartitions['write'] = async (partition, _, units) => {
      const answer = units.map(() => ({ kind: 'there' }) as const)
      return { kind: 'done', seq: this.at(partition).master.records.head.seq, answer, units }
    }
  }
  const { bad } = await play(
    () => new Deaf(4),
    (told) => told.startsWith('I34 '),
    showing.silence,
  )
  expect(bad.join()).toContain('I34 ')
})

test('notices that a replica is said to have what it has not', async () => {
  class Boastful extends FastPartitions {
    override replicatedOf(partition: number): number {
      return this.written(partition)
    }
  }
  const { bad } = await play(
    () => new Boastful(4),
    (told) => told.startsWith('I34 '),
    showing.silence,
  )
  expect(bad.join()).toContain('I34 ')
})

test('notices that lost operations are forced on those who have gone on', async () => {
  class Forcing extends FastPartitions {
    protected override fitsNow(): boolean {
      return true
    }
  }
  const { bad } = await play(
    () => new Forcing(4),
    (told) => !told.startsWith('I34 '),
    showing.force,
  )
  expect(bad.filter((told) => !told.includes(' I34 '))).not.toEqual([])
})
