/** The statements of every step, prepared once per connection. Parameters are by place: these run hot. */

import type BetterSqlite3 from 'better-sqlite3'
import type { Database } from './connection.ts'

type Statement = BetterSqlite3.Statement<unknown[]>

export interface WriteStatements {
  readonly insertRun: Statement
  readonly updateRun: Statement
  readonly bumpRun: Statement
  readonly insertInvocation: Statement
  readonly updateInvocation: Statement
  readonly renewLease: Statement
  readonly runKnowsOp: Statement
}

export function prepareWrites(database: Database): WriteStatements {
  return {
    insertRun: database.prepare(
      `insert into run (id, status, phase, version, workflow_id, request_id, deadline_at, body)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateRun: database.prepare(
      'update run set status = ?, phase = ?, version = ?, deadline_at = ?, body = ? where key = ?',
    ),
    bumpRun: database.prepare('update run set version = ? where key = ?'),
    insertInvocation: database.prepare(
      `insert into invocation (
         id, run_key, status, queue, version, rank, available_at, pool, task_kind, owner, fence_epoch,
         fence_counter, lease_expires_at, deadline_at, cancel_requested_at, attempts, body
       ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateInvocation: database.prepare(
      `update invocation set
         status = ?, queue = ?, version = ?, rank = ?, available_at = ?, pool = ?, owner = ?, fence_epoch = ?,
         fence_counter = ?, lease_expires_at = ?, deadline_at = ?, cancel_requested_at = ?,
         attempts = attempts || ?, body = ?
       where key = ?`,
    ),
    renewLease: database.prepare('update invocation set lease_expires_at = ? where key = ?'),
    runKnowsOp: database.prepare('select 1 from event_row where run_key = ? and op_id = ? limit 1'),
  }
}
