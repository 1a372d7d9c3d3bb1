/** The writes that most checkpoints don't have: registers, slots, outbox, dead letters, versions, runners. */

import type { Checkpoint, SlotTake } from '../../model/checkpoint.ts'
import type { OpId } from '../../model/ids.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { Instant } from '../../model/time.ts'
import type { Database } from './connection.ts'

export interface SideWrites {
  readonly write: (checkpoint: Checkpoint) => void
  readonly writeRunner: (runner: RunnerRecord) => void
  readonly take: (slots: readonly SlotTake[], at: Instant) => void
  readonly registerVersion: (key: string) => number
  readonly slotHolders: (key: string) => readonly SlotTake[]
  readonly rememberOp: (opId: OpId, at: Instant) => void
  readonly knowsOp: (opId: OpId) => boolean
}

export function prepareSideWrites(database: Database): SideWrites {
  const registerVersion = database
    .prepare<[string], number>('select version from register where key = ?')
    .pluck()
  const holders = database.prepare<[string], SlotTake>(
    'select key, holder, holders_max as "limit", expires_at as expiresAt from slot where key = +? order by ordinal',
  )
  const rememberOp = database.prepare('insert into op (op_id, at) values (?, ?) on conflict do nothing')
  const knowsOp = database.prepare('select 1 from op where op_id = ?')
  const writeRegisters = prepareRegisters(database)
  const slots = prepareSlots(database)
  const writeRecords = prepareRecords(database)
  return {
    write(checkpoint) {
      const { writes } = checkpoint
      if (writes.registers.length > 0) writeRegisters(checkpoint)
      if (writes.take.length > 0 || writes.release.length > 0) slots.write(checkpoint)
      writeRecords(checkpoint)
    },
    writeRunner: prepareRunnerRow(database),
    take: slots.take,
    registerVersion: (key) => registerVersion.get(key) ?? 0,
    slotHolders: (key) => holders.all(key),
    rememberOp(opId, at) {
      rememberOp.run(opId, at)
    },
    knowsOp: (opId) => knowsOp.get(opId) !== undefined,
  }
}

/** Writes a runner's row, new or not. */
export function prepareRunnerRow(database: Database): (runner: RunnerRecord) => void {
  const write = database.prepare(
    `insert into runner (id, heartbeat_at, body) values (?, ?, ?)
     on conflict (id) do update set heartbeat_at = excluded.heartbeat_at, body = excluded.body`,
  )
  return (runner) => {
    write.run(runner.id, runner.heartbeatAt, JSON.stringify(runner))
  }
}

type Write = (checkpoint: Checkpoint) => void

function prepareRegisters(database: Database): Write {
  const remove = database.prepare('delete from register where key = ?')
  const set = database.prepare(
    `insert into register (key, version, value) values (?, ?, ?)
     on conflict (key) do update set version = excluded.version, value = excluded.value`,
  )
  const comeDue = database.prepare('update register set due_at = ? where key = ?')
  return ({ expect, writes }) => {
    for (const { key, value, dueAt } of writes.registers) {
      const version = (expect.registers.find((item) => item.key === key)?.version ?? 0) + 1
      if (value === null) remove.run(key)
      else set.run(key, version, JSON.stringify(value))
      if (value !== null && dueAt !== undefined) comeDue.run(dueAt, key)
    }
  }
}

function prepareSlots(database: Database): { readonly write: Write; readonly take: SideWrites['take'] } {
  const expire = database.prepare('delete from slot where key = ? and expires_at <= ?')
  const insert = database.prepare(
    `insert into slot (key, holder, holders_max, expires_at) values (?, ?, ?, ?)
     on conflict (key, holder) do update
       set holders_max = excluded.holders_max, expires_at = excluded.expires_at`,
  )
  const release = database.prepare('delete from slot where key = ? and holder = ?')
  const take: SideWrites['take'] = (slots, at) => {
    for (const { key, holder, limit, expiresAt } of slots) {
      expire.run(key, at)
      insert.run(key, holder, limit, expiresAt)
    }
  }
  return {
    take,
    write({ writes, at }) {
      for (const { key, holder } of writes.release) release.run(key, holder)
      take(writes.take, at)
    },
  }
}

function prepareRecords(database: Database): Write {
  const version = database.prepare(
    `insert into workflow_version (hash, workflow_id, title, document, published_at) values (?, ?, ?, ?, ?)
     on conflict (hash) do nothing`,
  )
  const outbox = database.prepare(
    `insert into outbox (id, kind, due_at, body) values (?, ?, ?, ?)
     on conflict (id) do update set kind = excluded.kind, due_at = excluded.due_at, body = excluded.body`,
  )
  const delivered = database.prepare('delete from outbox where id = ?')
  const deadLetter = database.prepare(
    'insert into dead_letter (id, body) values (?, ?) on conflict (id) do update set body = excluded.body',
  )
  const settled = database.prepare('delete from dead_letter where id = ?')
  return ({ writes }) => {
    for (const item of writes.workflowVersions) {
      version.run(item.hash, item.workflowId, item.title, item.document, item.publishedAt)
    }
    for (const item of writes.outbox) outbox.run(item.id, item.kind, item.dueAt, JSON.stringify(item.body))
    for (const id of writes.delivered) delivered.run(id)
    for (const item of writes.deadLetters) deadLetter.run(item.id, JSON.stringify(item))
    for (const id of writes.settledLetters) settled.run(id)
  }
}
