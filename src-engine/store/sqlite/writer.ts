/** Everything that writes, each operation inside the transaction that the group commit has begun. */

import type { Checkpoint, CommitAnswer, SlotTake } from '../../model/checkpoint.ts'
import type { EventDraft, PartitionCursor } from '../../model/event.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { homePartition } from '../../model/partition.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import { countsAt } from '../claim.ts'
import type { EventOrigin } from '../event-chain.ts'
import type { GroupPage, GroupQuery } from '../group-page.ts'
import { keepLongerLease, stillHeld } from '../lease.ts'
import type { RenewAnswer, RenewRequest } from '../store.ts'
import type { CommitView } from '../validate-commit.ts'
import { validateCommit } from '../validate-commit.ts'
import type { Database } from './connection.ts'
import type { EventReader } from './event-reader.ts'
import { createEventReader } from './event-reader.ts'
import type { EventWriter, FeedEnd } from './event-writer.ts'
import { createEventWriter } from './event-writer.ts'
import type { FoundWork, Heads } from './heads.ts'
import { createHeads } from './heads.ts'
import type { KnownRun } from './known-runs.ts'
import type { Names } from './names.ts'
import { createNames } from './names.ts'
import type { NewRows } from './new-rows.ts'
import { createNewRows } from './new-rows.ts'
import type { RecentGroups } from './recent-groups.ts'
import { createRecentGroups } from './recent-groups.ts'
import { encodeRun, lineOfRun, phaseOfStatus } from './rows.ts'
import type { RunCounts } from './run-counts.ts'
import { createRunCounts } from './run-counts.ts'
import type { SealedFlag } from './sealed-flag.ts'
import { createSealedFlag } from './sealed-flag.ts'
import type { SideWrites } from './side-writes.ts'
import { prepareSideWrites } from './side-writes.ts'
import type { WriteStatements } from './statements.ts'
import { prepareWrites } from './statements.ts'
import type { WorkRows } from './work-rows.ts'
import { createWorkRows } from './work-rows.ts'

export interface Writer {
  readonly commit: (checkpoint: Checkpoint) => CommitAnswer
  readonly renew: (request: RenewRequest) => RenewAnswer
  /** Writes an invocation that exists, with its events. */
  readonly update: (record: InvocationRecord, origin: EventOrigin, events: readonly EventDraft[]) => void
  /** Writes permits that a claim takes. */
  readonly take: (slots: readonly SlotTake[], at: Instant) => void
  /** The record of a run that was read in this transaction, once; null for others. */
  readonly takeTold: (id: RunId) => RunRecord | null
  /** The current status of a run; null when there is none. For those who write to it in this transaction. */
  readonly runStatus: (id: RunId) => RunStatus | null
  /** The run was removed from the data. */
  readonly removed: (id: RunId) => void
  readonly epoch: () => number
  /** Where the feed ends, as this connection last knew. */
  readonly position: () => number
  /** The same as a place in the feed. */
  readonly feedEnd: () => PartitionCursor
  readonly slotHolders: (input: { readonly key: string; readonly holder?: string }) => readonly SlotTake[]
  /** The current record; null when there is none. */
  readonly invocation: (id: InvocationId) => InvocationRecord | null
  /** The records of work that a query found; `claiming` for those who write them in this transaction. */
  readonly found: (work: readonly FoundWork[], purpose: 'reading' | 'claiming') => readonly InvocationRecord[]
  /** All invocations of a run, in order of registration. */
  readonly invocations: (id: RunId) => readonly InvocationRecord[]
  /** Takes over what another process wrote since the last look; call before anything is read or written. */
  readonly sync: () => void
  /** Writes the rows that wait; call inside a transaction before a query of its own looks at them. */
  readonly settle: () => void
  /** Writes what is written once per transaction; call last in each. */
  readonly finish: () => void
  /** A transaction was undone: what was kept in memory may be wrong. */
  readonly forget: () => void
  readonly events: EventReader
  /** Groups of the feed as they were written. */
  readonly groups: (query: GroupQuery) => GroupPage
  readonly names: Names
}

/** All that the operations share. */
interface Tools {
  readonly heads: Heads
  readonly events: EventReader
  readonly recent: RecentGroups
  readonly newRows: NewRows
  readonly rows: EventWriter
  readonly work: WorkRows
  readonly statements: WriteStatements
  readonly side: SideWrites
  readonly counts: RunCounts
  readonly names: Names
  readonly sealed: SealedFlag
  end: FeedEnd
}

export function createWriter(database: Database): Writer {
  const tools = prepareTools(database)
  const { heads, events, side, counts, names, newRows } = tools
  const view: CommitView = {
    get epoch() {
      return tools.end.epoch
    },
    get isSealed() {
      return tools.sealed.isSet()
    },
    run: heads.run,
    isLast: (id, opId, actor) => {
      const run = heads.run(id)
      return run !== null && run.lastOp === opId && run.lastActor === actor.id
    },
    invocation: (id, runId) => heads.invocation(id, runId)?.record ?? null,
    registerVersion: side.registerVersion,
    slotHolders: (key, at) =>
      side
        .slotHolders(key)
        .filter((slot) => countsAt(slot, at))
        .map(({ holder }) => holder),
  }
  return {
    events,
    groups: (query) => events.groups(query, tools.end),
    names,
    take: side.take,
    takeTold(id) {
      const run = heads.run(id)
      const told = run?.told ?? null
      if (run !== null) run.told = null
      return told
    },
    runStatus: (id) => heads.run(id)?.status ?? null,
    removed: (id) => forgetRun(tools, id),
    epoch: () => tools.end.epoch,
    position: () => tools.end.position,
    feedEnd: () => {
      const { epoch, position, startPosition } = tools.end
      return { partition: homePartition, epoch, seq: position - startPosition }
    },
    slotHolders: ({ key, holder }) =>
      side.slotHolders(key).filter((slot) => holder === undefined || slot.holder === holder),
    invocation: (id) => heads.look(runIdOf(id))?.invocations.get(id)?.record ?? null,
    found: (work, purpose) => heads.records(work, purpose === 'claiming'),
    invocations: (id) => [...(heads.look(id)?.invocations.values() ?? [])].map(({ record }) => record),
    commit: (checkpoint) => commitOne(tools, view, checkpoint),
    renew: (request) => renew(tools, request),
    update(record, origin, drafts) {
      tools.work.write(runOf(tools, record.runId), record)
      tools.end = tools.rows.append(tools.end, origin, drafts)
    },
    sync: prepareSync(database, tools),
    settle: newRows.write,
    finish() {
      newRows.write()
      counts.write()
    },
    forget: () => forgetAll(tools),
  }
}

/** Its events are gone with it. */
function forgetRun({ recent, heads }: Tools, id: RunId): void {
  recent.forget()
  heads.forget(id)
}

function forgetAll(tools: Tools): void {
  tools.newRows.forget()
  tools.recent.forget()
  tools.heads.forgetAll()
  tools.counts.forget()
  tools.work.forget()
  tools.names.forget()
  tools.sealed.look()
  tools.end = tools.rows.loadEnd()
}

function prepareTools(database: Database): Tools {
  const names = createNames(database)
  const recent = createRecentGroups()
  const events = createEventReader(database, names, recent)
  const newRows = createNewRows(database)
  const heads = createHeads(database, events, newRows.write)
  const rows = createEventWriter(database, { names, rows: newRows, recent }, heads.run)
  const statements = prepareWrites(database)
  const work = createWorkRows(statements, newRows)
  return {
    heads,
    events,
    recent,
    newRows,
    rows,
    work,
    statements,
    side: prepareSideWrites(database),
    counts: createRunCounts(database),
    names,
    sealed: createSealedFlag(database),
    end: rows.loadEnd(),
  }
}

/** SQLite's counter tells whether another connection has written. */
function prepareSync(database: Database, tools: Tools): () => void {
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck()
  let seen = dataVersion.get()
  return () => {
    tools.heads.trim()
    const current = dataVersion.get()
    if (current === seen) return
    seen = current
    tools.newRows.forget()
    tools.recent.forget()
    tools.events.forget()
    if (tools.heads.catchUp(tools.end.position)) tools.sealed.look()
    tools.end = tools.rows.loadEnd()
  }
}

function commitOne(tools: Tools, view: CommitView, checkpoint: Checkpoint): CommitAnswer {
  const refusal = validateCommit(checkpoint, view)
  if (refusal !== null) {
    return refusal.kind !== 'invalid' && wasCommitted(tools, checkpoint)
      ? { kind: 'repeated' }
      : { kind: 'refused', refusal }
  }
  if (checkpoint.values === 'sealed') tools.sealed.set()
  const { writes, events } = checkpoint
  const run = writes.run === null ? null : writeRun(tools, writes.run, checkpoint)
  for (const record of writes.invocations) writeInvocation(tools, record)
  tools.work.sweep()
  tools.side.write(checkpoint)
  // Where no run's events carry the op-id, it is kept by itself.
  const runId = events[0]?.runId ?? null
  if (runId === null && hasBump(checkpoint)) tools.side.rememberOp(checkpoint.opId, checkpoint.at)
  tools.end = tools.rows.append(tools.end, checkpoint, events)
  if (run !== null) {
    run.lastOp = checkpoint.opId
    run.lastActor = checkpoint.actor.id
  }
  // Nothing moves a run's records again once it has ended, but for the rare exits.
  if (writes.run !== null && run !== null && runMachine.final.has(run.status)) {
    tools.newRows.settleRun(run.key)
    tools.heads.forget(writes.run.id)
  }
  return accepted
}

const accepted: CommitAnswer = { kind: 'accepted' }

const hasBump = ({ writes }: Checkpoint): boolean =>
  writes.run !== null || writes.invocations.length > 0 || writes.registers.length > 0

/**
 * Looked up only when a precondition failed: whoever repeats a checkpoint meets the version that it made
 * grow itself. The first run that the events tell of is enough, because a repetition tells of the same.
 */
function wasCommitted(tools: Tools, { events, opId }: Checkpoint): boolean {
  const runId = events[0]?.runId ?? null
  if (runId === null) return tools.side.knowsOp(opId)
  const run = tools.heads.run(runId)
  tools.newRows.write()
  return run !== null && tools.events.runKnowsOp(run.key, runId, opId)
}

function writeRun(tools: Tools, record: RunRecord, checkpoint: Checkpoint): KnownRun {
  const { heads, statements, names, newRows } = tools
  const { id, status, deadlineAt, finishedAt } = record
  const known = heads.run(id)
  if (known === null) {
    tools.counts.moved(record.workflowId, null, status)
    return heads.begin(record, insertRun(tools, record), checkpoint.writes.invocations)
  }
  // Without an event of its own only the version of a run can have changed, and the events tell that.
  if (checkpoint.events.some(({ body }) => body.type === 'run.changed')) {
    newRows.settleRun(known.key)
    statements.updateRun.run(
      names.keyOf(status),
      phaseOfStatus(status),
      deadlineAt,
      finishedAt,
      ...lineOfRun(record),
      encodeRun(record, names),
      known.key,
    )
  }
  if (known.status !== status) tools.counts.moved(record.workflowId, known.status, status)
  known.version = record.version
  known.told = null
  known.status = status
  return known
}

/** A new run's row; its key. */
function insertRun({ statements, names, newRows }: Tools, record: RunRecord): number {
  const { id, workflowId, requestId, parentRunId, origin, deadlineAt, finishedAt } = record
  const workflow = names.keyOf(workflowId)
  const status = names.keyOf(record.status)
  const phase = phaseOfStatus(record.status)
  const line = lineOfRun(record)
  const body = encodeRun(record, names)
  const isNaming = parentRunId !== null || origin !== null
  if (!isNaming && deadlineAt === null && finishedAt === null && line[0] === null)
    return newRows.run({ id, workflow, status, phase, requestId, body })
  const key = newRows.runKey()
  statements.insertRun.run(
    key,
    id,
    workflow,
    requestId,
    parentRunId,
    origin?.runId ?? null,
    status,
    phase,
    deadlineAt,
    finishedAt,
    ...line,
    body,
  )
  return key
}

function writeInvocation(tools: Tools, record: InvocationRecord): void {
  const run = runOf(tools, record.runId)
  const before = run.invocations.get(record.id)?.record ?? null
  tools.work.write(run, keepLongerLease(record, before))
}

function runOf(tools: Tools, id: RunId): KnownRun {
  const run = tools.heads.run(id)
  assert(run !== null, `an invocation belongs to a run, ${id} is missing`)
  return run
}

function renew(tools: Tools, request: RenewRequest): RenewAnswer {
  const { runner, leases, expiresAt } = request
  tools.side.writeRunner(runner)
  const lost: InvocationId[] = []
  const cancelRequested: InvocationId[] = []
  for (const { invocationId, fence } of leases) {
    const known = tools.heads.invocation(invocationId)
    const lease = known?.record.lease ?? null
    if (known === null || lease === null || !stillHeld(lease, { runnerId: runner.id, fence })) {
      lost.push(invocationId)
      continue
    }
    tools.newRows.settleWork(known.workKey)
    tools.statements.renewLease.run(expiresAt, known.workKey)
    known.record = { ...known.record, lease: { ...lease, expiresAt } }
    if (known.record.cancelRequestedAt !== null) cancelRequested.push(invocationId)
  }
  return { lost, cancelRequested }
}
