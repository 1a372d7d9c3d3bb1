/** The renewing connection to a data file: two statements in one short transaction. */

import type { InvocationId } from '../../model/ids.ts'
import type { LeaseRenewer } from '../lease-renewer.ts'
import { busyTimeoutMs, loadBinding, openConnection } from './connection.ts'
import { prepareRunnerRow } from './side-writes.ts'
import { sqliteFailure } from './sqlite-errors.ts'

/**
 * Which leases are the runner's is told by the rows of owned work; they don't know fences. A runner that
 * lost an invocation and took it again renews the new lease with the old name: it is its own all the same.
 */
const renewOwned = `update work indexed by work_owned set lease_expires_at = ?
  where queue = 2 and owner = ? and id in (select value from json_each(?))
  returning id`

/** The file must have been opened as a store before: it is neither made nor migrated here. */
export async function openSqliteRenewer(file: string): Promise<LeaseRenewer> {
  const binding = await loadBinding()
  // A lease need not survive a power loss, because its owner doesn't either: no fsync for it.
  const database = openConnection(binding, { file, durability: 'relaxed', busyTimeoutMs })
  try {
    const writeRunner = prepareRunnerRow(database)
    const renew = database.prepare<[number, string, string], InvocationId>(renewOwned).pluck()
    const inOneStep = database.transaction((request: Parameters<LeaseRenewer['renew']>[0]) => {
      const { runner, leases, expiresAt } = request
      const invocationIds = leases.map(({ invocationId }) => invocationId)
      writeRunner(runner)
      if (invocationIds.length === 0) return []
      const renewed = new Set(renew.all(expiresAt, runner.id, JSON.stringify(invocationIds)))
      return invocationIds.filter((id) => !renewed.has(id))
    })
    return {
      renew(request) {
        try {
          return inOneStep.immediate(request)
        } catch (thrown) {
          throw sqliteFailure(thrown, file)
        }
      },
      close: () => {
        database.close()
      },
    }
  } catch (thrown) {
    database.close()
    throw sqliteFailure(thrown, file)
  }
}
