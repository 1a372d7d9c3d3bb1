/** What people are told when a failover takes operations of their runners, and what stays of it. */

import { expect, onTestFinished, test } from 'vitest'
import type { Logger } from '../../src-engine/model/ports.ts'
import { createEngineMetrics } from '../../src-engine/runtime/metrics/engine-metrics.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { readLosses } from '../../src-engine/shell/clusters/loss-book.ts'
import { openCluster } from '../../src-engine/shell/clusters/open-cluster-store.ts'
import { journalFinding } from '../../src-engine/shell/commands/doctor-journal.ts'
import { createRunnerMetrics } from '../../src-engine/shell/commands/runner-metrics.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import type { RedisServer } from '../support/redis-servers.ts'
import { aDirectory, aServer, copyOf, goBack, step, workOn } from './journal-scene.ts'
import { accept, theInvocation } from './scene.ts'
import { aClaim, aRun, starting } from './story.ts'

/** Opens as a runner does, and keeps what is logged. */
async function aRunnerOn(server: RedisServer, data: string, set: { readonly writes?: boolean } = {}) {
  const logged: { readonly event: string; readonly fields: unknown }[] = []
  const keep = (event: string, fields?: unknown): void => void logged.push({ event, fields })
  const log: Logger = { debug() {}, info() {}, warn: keep, error: keep }
  const settings = loadSettings({ flags: { data }, environment: {} })
  const directory = dataDirectory(data)
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  const counted = createRunnerMetrics({ port: 0, host: '127.0.0.1', token: 't' })
  const opening = { settings, directory, vault, clock: systemClock, log, ...counted.clusters, ...set }
  const store = await openCluster(opening, `redis://${server.host}:${server.port}?partitions=1`)
  onTestFinished(() => store.close())
  return { store, logged, directory, metrics: counted.metrics }
}

test('a failover that took something is told in the log, the metrics and by doctor', async () => {
  const server = await aServer()
  const data = aDirectory()
  const { store, logged, directory, metrics } = await aRunnerOn(server, data)
  const quiet = journalFinding(directory.journals, store.info.id, systemClock.now())
  expect(quiet).toMatchObject({
    verdict: 'ok',
    message: 'no failover took anything from here in the last week',
  })
  const begun = starting(aRun(), [step])
  await accept(store, begun)
  const copy = await copyOf(server)
  await workOn(store, 'a')
  await goBack(server, copy)
  // Somebody without a journal takes what was done.
  const { store: other } = await aRunnerOn(server, aDirectory(), { writes: false })
  expect((await other.claim(aClaim('b', { now: systemClock.now() }))).claimed).toHaveLength(1)
  await accept(store, starting(aRun({ name: 'knock' })))
  await expect.poll(() => logged.some(({ event }) => event === 'store.replayed')).toBe(true)
  expect(logged).toContainEqual({
    event: 'store.replayed',
    fields: expect.objectContaining({
      lost: 3,
      broughtBack: 0,
      lostForGood: 3,
      words:
        'A failover took back 3 operations of this process in partition 0: 0 were written again, 3 are lost and listed.',
    }),
  })
  const told = logged.filter(({ event }) => event === 'store.operation-lost')
  expect(told).toHaveLength(3)
  expect(told[2]?.fields).toMatchObject({
    words:
      'Lost: r1/n RUNNING → SUCCESS; others have gone on from where it began. What r1/n does was done, and may be done a second time.',
  })
  expect((await theInvocation(store, step.id)).lease?.runnerId).toBe('b')
  expect(metrics.registry.text()).toContain('sagasmith_lost_operations_total{outcome="lost"} 3')
  expect(readLosses(directory.journals, store.info.id)).toMatchObject([{ lost: 3, gone: 3, partition: 0 }])
  const finding = journalFinding(directory.journals, store.info.id, systemClock.now())
  expect(finding.verdict).toBe('warn')
  expect(finding.message).toMatch(/^failovers took 3 operations .* 0 are there again, 3 are lost for good$/)
  expect(finding.hint).toContain('Lost: r1/n REGISTERED → PENDING')
})

test('who only looks keeps no journal', async () => {
  const server = await aServer()
  const data = aDirectory()
  const { store, directory } = await aRunnerOn(server, data, { writes: false })
  await accept(store, starting(aRun(), [step]))
  const finding = journalFinding(directory.journals, store.info.id, systemClock.now())
  expect(finding).toMatchObject({ verdict: 'ok', hint: null })
  expect(createEngineMetrics().registry.text()).toContain('sagasmith_lost_operations_total')
})
