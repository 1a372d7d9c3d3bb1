/** What `doctor` checks about the data: form, settings, integrity, runners, unfinished runs. */

import { existsSync } from 'node:fs'
import { recordOfThrown } from '../../model/errors.ts'
import { storeId } from '../../model/ids.ts'
import { runMachine, runStatuses } from '../../model/run-status.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import { isProvenGone } from '../../runtime/process-identity.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import { loadBinding, openConnection } from '../../store/sqlite/connection.ts'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import type { DataDirectory } from '../data-directory.ts'
import type { Finding } from './doctor-finding.ts'
import { checkMessages } from './doctor-messages.ts'
import { checkSlots } from './doctor-slots.ts'

const pageLimit = 200
/** A running engine holds the file for milliseconds at a time. */
const busyTimeoutMs = 2_000

/** Opens the data beside whoever uses it; several processes may. */
export async function checkStore(
  directory: DataDirectory,
  engineSettings: EngineSettings,
): Promise<readonly Finding[]> {
  if (!existsSync(directory.database)) {
    return [{ check: 'store', verdict: 'ok', message: 'no data yet', hint: null }]
  }
  try {
    const settings = await checkFile(directory.database)
    // A new id is only given to a new store, and this one is there.
    const store = await openSqliteStore({
      directory: directory.root,
      storeId: storeId('doctor'),
      clock: systemClock,
    })
    try {
      return [
        ...settings,
        ...(await checkRecords(store)),
        await checkMessages(store, engineSettings, systemClock.now()),
        ...(await checkSlots(store, engineSettings)),
      ]
    } finally {
      await store.close()
    }
  } catch (thrown) {
    const { message, hint } = recordOfThrown(thrown)
    return [{ check: 'store', verdict: 'fail', message, hint }]
  }
}

async function checkFile(file: string): Promise<readonly Finding[]> {
  const database = openConnection(await loadBinding(), { file, durability: 'strict', busyTimeoutMs })
  try {
    const journal = String(database.pragma('journal_mode', { simple: true }))
    const synchronous = Number(database.pragma('synchronous', { simple: true }))
    const isDurable = journal === 'wal' && synchronous >= 2
    const damage = String(database.pragma('quick_check(1)', { simple: true }))
    return [
      {
        check: 'store',
        verdict: isDurable ? 'ok' : 'fail',
        message: `${file}: journal ${journal}, synchronous ${synchronous >= 2 ? 'FULL' : synchronous}`,
        hint: isDurable ? null : 'Another program changed the settings of the data file: close it.',
      },
      {
        check: 'integrity',
        verdict: damage === 'ok' ? 'ok' : 'fail',
        message: damage === 'ok' ? 'the data file is sound' : `the data file is damaged: ${damage}`,
        hint: damage === 'ok' ? null : 'Restore the newest backup from the backups folder.',
      },
    ]
  } finally {
    database.close()
  }
}

async function checkRecords(store: Store): Promise<readonly Finding[]> {
  const [partition = 0] = store.info.partitions
  const page = { after: null, limit: pageLimit }
  const runners = await store.list(partition, 'runners', { filter: null, page })
  const running = runners.filter(({ stoppedAt }) => stoppedAt === null)
  const dead = running.filter((runner) => isProvenGone(runner.process))
  const statuses = runStatuses.filter((status) => !runMachine.final.has(status))
  const unfinished = await store.list(partition, 'runs', {
    filter: { statuses, workflowId: null, includeCore: true },
    page,
  })
  const isOrphaned = dead.length > 0 || (unfinished.length > 0 && running.length === 0)
  return [
    {
      check: 'runners',
      verdict: dead.length > 0 ? 'warn' : 'ok',
      message: `${running.length - dead.length} alive, ${dead.length} died without a goodbye`,
      hint: dead.length > 0 ? 'Nothing to do: what they held is recovered at the next start.' : null,
    },
    {
      check: 'runs',
      verdict: isOrphaned && unfinished.length > 0 ? 'warn' : 'ok',
      message: `${unfinished.length}${unfinished.length === pageLimit ? ' or more' : ''} unfinished`,
      hint:
        isOrphaned && unfinished.length > 0
          ? 'They go on when an engine starts: sagasmith serve, or sagasmith runs wait ID.'
          : null,
    },
  ]
}
