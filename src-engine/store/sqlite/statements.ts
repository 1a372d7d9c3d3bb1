/**
 * The statements of every step, prepared once per connection. Parameters are by place: these run hot. What may
 * wait for others of its kind is in `new-rows.ts`.
 */

import type BetterSqlite3 from 'better-sqlite3'
import type { Database } from './connection.ts'

type Statement = BetterSqlite3.Statement

export interface WriteStatements {
  readonly insertRun: Statement
  readonly updateRun: Statement
  readonly insertWork: Statement
  readonly updateWork: Statement
  readonly keepOwned: Statement
  readonly renewLease: Statement
}

export function prepareWrites(database: Database): WriteStatements {
  return {
    insertRun: database.prepare(
      `insert into run (
         key, id, workflow, request_id, parent_id, origin_id,
         status, phase, deadline_at, ended_at, blocked_by, line_rank, line_since, body
       ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateRun: database.prepare(
      `update run set status = ?, phase = ?, deadline_at = ?, ended_at = ?,
         blocked_by = ?, line_rank = ?, line_since = ?, body = ?
       where key = ?`,
    ),
    insertWork: database.prepare(
      `insert into work (
         id, queue, rank, available_at, pool, task_kind, owner, lease_expires_at, deadline_at,
         route, avoid, blocked_by, registered_at, run_key, key
       ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateWork: database.prepare(
      `update work set id = ?, queue = ?, rank = ?, available_at = ?, pool = ?, task_kind = ?, owner = ?,
         lease_expires_at = ?, deadline_at = ?, route = ?, avoid = ?, blocked_by = ?, registered_at = ?
       where key = ?`,
    ),
    // A renewal, perhaps by another process, isn't taken back.
    keepOwned: database.prepare(
      'update work set lease_expires_at = max(lease_expires_at, ?), deadline_at = ? where key = ?',
    ),
    renewLease: database.prepare('update work set lease_expires_at = ? where key = ?'),
  }
}
