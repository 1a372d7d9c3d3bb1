/** What `doctor --cluster` checks: the servers, then the store on them as every runner opens it. */

import { recordOfThrown } from '../../model/errors.ts'
import { safetyText } from '../../model/failover-safety.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import { spanText } from '../../model/summary.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { livingRunners } from '../../runtime/routing/missing-runner.ts'
import { createVaultSealKeys } from '../../runtime/sealing/seal-keys.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { Store } from '../../store/store.ts'
import { quietOpening } from '../clusters/cluster-connection.ts'
import type { ClusterOpening } from '../clusters/open-cluster-store.ts'
import { inspectCluster, openCluster } from '../clusters/open-cluster-store.ts'
import type { LoadedSettings } from '../config.ts'
import type { Finding } from './doctor-finding.ts'
import { journalFinding } from './doctor-journal.ts'
import { checkMessages } from './doctor-messages.ts'
import { sealFindings } from './doctor-sealing.ts'
import { serverFindings } from './doctor-servers.ts'
import { checkSlots } from './doctor-slots.ts'

/** Work that waits for longer waits for a runner, not for its turn. */
const waitingWarnMs: Millis = 60_000

/** Makes nothing: where no store is there yet, only the servers are looked at. */
export async function checkCluster(settings: LoadedSettings, cluster: string): Promise<readonly Finding[]> {
  const opening = quietOpening(settings)
  const findings: Finding[] = []
  try {
    const inspection = await inspectCluster(opening, cluster)
    findings.push(...serverFindings(inspection))
    const [home] = inspection.partitions
    if (home === undefined || home.head === null) return findings
    const store = await openCluster({ ...opening, writes: false }, cluster)
    try {
      findings.push(...(await checkShared(store, opening)))
    } finally {
      await store.close()
    }
  } catch (thrown) {
    const { message, hint } = recordOfThrown(thrown)
    findings.push({ check: 'store', verdict: 'fail', message, hint })
  }
  return findings
}

async function checkShared(
  store: Store,
  { settings, directory, vault }: ClusterOpening,
): Promise<readonly Finding[]> {
  const now = systemClock.now()
  const page = { after: null, limit: pageSizeMax }
  const rows = await store.list(0, 'runners', { filter: null, page })
  const living = livingRunners(rows, now)
  return [
    ...safetyFinding(store),
    runnersFinding(rows, living),
    ...(await sealFindings({ store, keys: createVaultSealKeys(vault) }, living)),
    await checkWaiting(store, { living, now }),
    await checkMessages(store, settings.engine, now),
    ...(await checkSlots(store, settings.engine)),
    journalFinding(directory.journals, store.info.id, now),
  ]
}

function safetyFinding({ info: { safety } }: Store): readonly Finding[] {
  if (safety === null) return []
  const isFine = safety.mode === 'fast' ? safety.why === 'asked' : safety.alone.length === 0
  const hint = isFine ? null : 'Give every master a replica, then start the runners again.'
  return [{ check: 'safety', verdict: isFine ? 'ok' : 'warn', message: safetyText(safety), hint }]
}

function runnersFinding(rows: readonly RunnerRecord[], living: readonly RunnerRecord[]): Finding {
  const silent = rows.filter(({ stoppedAt }) => stoppedAt === null).length - living.length
  const message = `${living.length} alive, ${silent} fell silent`
  const hint = living.length === 0 ? 'Start one: `sagasmith runner --store ADDRESS`.' : null
  return { check: 'runners', verdict: living.length === 0 ? 'warn' : 'ok', message, hint }
}

/** The oldest work that nobody has taken, of as much as one look shows. */
async function checkWaiting(
  store: Store,
  { living, now }: { readonly living: readonly RunnerRecord[]; readonly now: Instant },
): Promise<Finding> {
  const work = await store.list(0, 'work', {
    filter: { statuses: [...invocationMachine.available], pool: null },
    page: { after: null, limit: pageSizeMax },
  })
  if (work.length === 0) return { check: 'work', verdict: 'ok', message: 'nothing waits', hint: null }
  const oldest = work.reduce((first, each) => (each.registeredAt < first.registeredAt ? each : first))
  const waited = now - oldest.registeredAt
  const isLate = waited > waitingWarnMs
  const count = `${work.length}${work.length === pageSizeMax ? ' or more' : ''}`
  const hint =
    living.length === 0
      ? 'No runner works there: start one.'
      : `\`sagasmith runs why ${oldest.runId} --cluster …\` says what it waits for; add runners of its pool.`
  return {
    check: 'work',
    verdict: isLate ? 'warn' : 'ok',
    message: `${count} steps wait for a runner, the oldest for ${spanText(Math.max(0, waited))} (pool ${oldest.pool})`,
    hint: isLate ? hint : null,
  }
}
