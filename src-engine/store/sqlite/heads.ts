/**
 * What the next checkpoint is checked against, kept in memory. Another process may write to the same file:
 * at the start of each transaction SQLite tells whether one did, and everything here is forgotten then.
 */

import type { InvocationId, RunId } from '../../model/ids.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { InvocationHead } from '../invocation-chain.ts'
import type { Database } from './connection.ts'
import { fenceOf, leaseOf } from './rows.ts'
import type { HeadRow } from './rows.ts'

export interface KnownInvocation extends InvocationHead {
  readonly key: number
  readonly cancelRequestedAt: number | null
}

export interface KnownRun {
  readonly key: number
  version: number
  status: RunStatus
  /** All of its invocations, when it was created here and so they are all known; else null. */
  readonly ids: Set<InvocationId> | null
}

/** Beyond this many of a kind everything is forgotten; a select brings back what is needed. */
const knownMax = 50_000

export interface Heads {
  readonly run: (id: RunId) => KnownRun | null
  readonly invocation: (id: InvocationId, runId?: RunId) => KnownInvocation | null
  readonly setRun: (id: RunId, run: KnownRun) => void
  readonly setInvocation: (record: InvocationRecord, key: number) => void
  readonly setLease: (id: InvocationId, known: KnownInvocation) => void
  readonly forget: () => void
}

/** Nothing known yet. */
export function createHeads(database: Database): Heads {
  const runs = new Map<RunId, KnownRun>()
  const invocations = new Map<InvocationId, KnownInvocation>()
  const selectRun = database.prepare<[string], Omit<KnownRun, 'ids'>>(
    'select key, version, status from run where id = ?',
  )
  const selectInvocation = database.prepare<[string], HeadRow>(
    `select key, status, version, owner, fence_epoch, fence_counter, lease_expires_at, cancel_requested_at
     from invocation where id = ?`,
  )
  return {
    run(id) {
      const known = runs.get(id)
      if (known !== undefined) return known
      const row = selectRun.get(id)
      if (row === undefined) return null
      if (runs.size >= knownMax) runs.clear()
      const run = { ...row, ids: null }
      runs.set(id, run)
      return run
    },
    invocation(id, runId) {
      const known = invocations.get(id)
      if (known !== undefined) return known
      const ids = runId === undefined ? null : runs.get(runId)?.ids
      if (ids?.has(id) === false) return null
      const row = selectInvocation.get(id)
      if (row === undefined) return null
      const { key, status, version, cancel_requested_at: cancelRequestedAt } = row
      return { key, status, version, lease: leaseOf(row), fence: fenceOf(row), cancelRequestedAt }
    },
    setRun(id, run) {
      if (runs.size >= knownMax) runs.clear()
      runs.set(id, run)
    },
    setInvocation(record, key) {
      runs.get(record.runId)?.ids?.add(record.id)
      const { id, status, version, lease, fence, cancelRequestedAt } = record
      // Nothing moves a final one again, but for the rare exits.
      if (invocationMachine.final.has(status)) {
        invocations.delete(id)
        return
      }
      if (invocations.size >= knownMax) invocations.clear()
      invocations.set(id, { key, status, version, lease, fence, cancelRequestedAt })
    },
    setLease(id, known) {
      invocations.set(id, known)
    },
    forget() {
      runs.clear()
      invocations.clear()
    },
  }
}
