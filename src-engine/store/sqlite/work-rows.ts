/** Keeps the rows by which invocations are found: one for each that is available, owned or waiting. */

import { sameFence } from '../../model/fence.ts'
import type { InvocationRecord, Lease } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import { awaitedSignalOf, blockedKeyOf } from '../blocked.ts'
import type { KnownInvocation, KnownRun } from './known-runs.ts'
import type { NewRows } from './new-rows.ts'
import { deadlineOf, instantOf, queueByStatus } from './rows.ts'
import { queueOf, workPerRun } from './schema.ts'
import type { WriteStatements } from './statements.ts'

export interface WorkRows {
  /** Makes the record the known one of its id, and its row fit; rows that became free wait for `sweep`. */
  readonly write: (run: KnownRun, record: InvocationRecord) => void
  /** Removes the rows that nothing took over. Ends every operation. */
  readonly sweep: () => void
  /** Drops what is not swept: the transaction was undone. */
  readonly forget: () => void
}

export function createWorkRows(statements: WriteStatements, rows: NewRows): WorkRows {
  // Rows of owned invocations that ended in this operation: a step that ends mostly makes way for the next.
  let free: { readonly runKey: number; readonly key: number }[] = []
  const add = (run: KnownRun, record: InvocationRecord): number => {
    const place = free.at(-1)
    if (record.lease === null || place?.runKey !== run.key) return insert({ statements, rows }, run, record)
    free.pop()
    addOwned(rows, { key: place.key, runKey: run.key }, { record, lease: record.lease })
    return place.key
  }
  const remove = (run: KnownRun, known: KnownInvocation): void => {
    rows.settleWork(known.workKey)
    if (known.record.lease === null) rows.gone.add([known.workKey])
    else free.push({ runKey: run.key, key: known.workKey })
  }
  const change = (run: KnownRun, known: KnownInvocation, record: InvocationRecord): void => {
    rows.settleWork(known.workKey)
    const isClaimed = known.record.lease === null && record.lease !== null
    if (isClaimed && free.at(-1)?.runKey === run.key) {
      // The place of one that ended is in the index of what is owned already: its own row only has to go.
      rows.gone.add([known.workKey])
      known.workKey = add(run, record)
    } else update(statements, known, record)
  }
  return {
    write(run, record) {
      const known = run.invocations.get(record.id)
      const isWork = queueByStatus[record.status] !== queueOf.idle
      if (known === undefined) {
        run.invocations.set(record.id, { record, workKey: isWork ? add(run, record) : 0 })
        return
      }
      if (known.workKey === 0) known.workKey = isWork ? add(run, record) : 0
      else if (isWork) change(run, known, record)
      else {
        remove(run, known)
        known.workKey = 0
      }
      known.record = record
    },
    sweep() {
      if (free.length === 0) return
      for (const { key } of free) rows.gone.add([key])
      free = []
    },
    forget() {
      free = []
    },
  }
}

const routeText = ({ route }: InvocationRecord): string | null =>
  route === null ? null : JSON.stringify(route)

/** The permit or the signal: nobody waits for both. */
const awaitedOf = (record: InvocationRecord): string | null => blockedKeyOf(record) ?? awaitedSignalOf(record)

interface Inserting {
  readonly statements: WriteStatements
  readonly rows: NewRows
}

function insert({ statements, rows }: Inserting, run: KnownRun, record: InvocationRecord): number {
  const { lease } = record
  const key = run.key * workPerRun + run.nextWork
  run.nextWork += 1
  const awaited = awaitedOf(record)
  if (isPlain(record) && awaited === null) {
    if (lease !== null) {
      addOwned(rows, { key, runKey: run.key }, { record, lease })
      return key
    }
    rows.work.add([
      key,
      run.key,
      record.id,
      queueByStatus[record.status],
      priorityRank[record.priority],
      instantOf(record),
      record.pool,
      record.taskKind,
      record.registeredAt,
    ])
    return key
  }
  rows.settleRun(run.key)
  statements.insertWork.run(
    record.id,
    queueByStatus[record.status],
    priorityRank[record.priority],
    instantOf(record),
    record.pool,
    record.taskKind,
    lease?.runnerId ?? null,
    lease?.expiresAt ?? null,
    deadlineOf(record),
    routeText(record),
    record.dispatch?.lastFailedRunner ?? null,
    awaited,
    record.registeredAt,
    run.key,
    key,
  )
  return key
}

/** Owned work, or such as waits for a slot or an instant and for nothing else: nearly all of it. */
const isPlain = ({ lease, deadlineAt, route, dispatch }: InvocationRecord): boolean =>
  (lease !== null || deadlineAt === null) && route === null && (dispatch?.lastFailedRunner ?? null) === null

function addOwned(
  rows: NewRows,
  { key, runKey }: { readonly key: number; readonly runKey: number },
  { record, lease }: { readonly record: InvocationRecord; readonly lease: Lease },
): void {
  rows.owned.add([
    key,
    runKey,
    queueOf.owned,
    priorityRank[record.priority],
    instantOf(record),
    record.pool,
    record.taskKind,
    record.id,
    lease.runnerId,
    lease.expiresAt,
    record.deadlineAt,
    record.registeredAt,
  ])
}

function update(statements: WriteStatements, known: KnownInvocation, record: InvocationRecord): void {
  const { lease } = record
  const before = known.record.lease
  if (lease !== null && before !== null && sameFence(lease.fence, before.fence)) {
    statements.keepOwned.run(lease.expiresAt, record.deadlineAt, known.workKey)
    return
  }
  statements.updateWork.run(
    record.id,
    queueByStatus[record.status],
    priorityRank[record.priority],
    instantOf(record),
    record.pool,
    record.taskKind,
    lease?.runnerId ?? null,
    lease?.expiresAt ?? null,
    deadlineOf(record),
    routeText(record),
    record.dispatch?.lastFailedRunner ?? null,
    awaitedOf(record),
    record.registeredAt,
    known.workKey,
  )
}
