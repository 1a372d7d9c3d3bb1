/** Everything that writes, each operation inside the transaction that the group commit has begun. */

import type { Checkpoint, CommitAnswer, SlotTake } from '../../model/checkpoint.ts'
import type { EngineEvent, EventDraft } from '../../model/event.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import type { EventOrigin } from '../event-chain.ts'
import { keepLongerLease, stillHeld } from '../lease.ts'
import type { RenewAnswer, RenewRequest } from '../store.ts'
import { validateCommit } from '../validate-commit.ts'
import type { CommitView } from '../validate-commit.ts'
import type { Database } from './connection.ts'
import { createEventReader } from './event-reader.ts'
import type { EventReader } from './event-reader.ts'
import { createEventWriter } from './event-writer.ts'
import type { EventWriter, FeedEnd } from './event-writer.ts'
import { createHeads } from './heads.ts'
import type { Heads, KnownInvocation, KnownRun } from './heads.ts'
import { encodeInvocation, encodeRun, instantOf, phaseOfStatus, queueByStatus } from './rows.ts'
import { prepareSideWrites } from './side-writes.ts'
import type { SideWrites } from './side-writes.ts'
import { prepareWrites } from './statements.ts'
import type { WriteStatements } from './statements.ts'

export interface Writer {
  readonly commit: (checkpoint: Checkpoint) => CommitAnswer
  readonly renew: (request: RenewRequest) => RenewAnswer
  /** Writes an invocation that exists, with its events. */
  readonly update: (record: InvocationRecord, origin: EventOrigin, events: readonly EventDraft[]) => void
  readonly epoch: () => number
  /** Where the feed ends, as this connection last knew. */
  readonly position: () => number
  readonly slotHolders: (input: { readonly key: string }) => readonly SlotTake[]
  /** What was kept in memory may be wrong: another process wrote, or a transaction was undone. */
  readonly forget: () => void
  readonly events: EventReader
}

/** All that the operations share. */
interface Tools {
  readonly heads: Heads
  readonly rows: EventWriter
  readonly statements: WriteStatements
  readonly side: SideWrites
  end: FeedEnd | null
}

export function createWriter(database: Database): Writer {
  const heads = createHeads(database)
  const runKeyOf = (id: RunId): number | null => heads.run(id)?.key ?? null
  const tools: Tools = {
    heads,
    rows: createEventWriter(database, runKeyOf),
    statements: prepareWrites(database),
    side: prepareSideWrites(database),
    end: null,
  }
  const view: CommitView = {
    get epoch() {
      return endOf(tools).epoch
    },
    run: heads.run,
    invocation: heads.invocation,
    registerVersion: tools.side.registerVersion,
    slotHolders: (key) => tools.side.slotHolders(key).map(({ holder }: SlotTake) => holder),
  }
  return {
    events: createEventReader(database, runKeyOf),
    epoch: () => endOf(tools).epoch,
    position: () => endOf(tools).position,
    slotHolders: ({ key }) => tools.side.slotHolders(key),
    commit: (checkpoint) => commitOne(tools, view, checkpoint),
    renew: (request) => renew(tools, request),
    update(record, origin, events) {
      const known = heads.invocation(record.id)
      assert(known !== null, `${record.id} is updated, so it exists`)
      updateInvocation(tools, record, { known, attempts: '' })
      append(tools, origin, events)
    },
    forget() {
      heads.forget()
      tools.end = null
    },
  }
}

function commitOne(tools: Tools, view: CommitView, checkpoint: Checkpoint): CommitAnswer {
  const refusal = validateCommit(checkpoint, view)
  if (refusal !== null) {
    return refusal.kind !== 'invalid' && wasCommitted(tools, checkpoint)
      ? { kind: 'repeated' }
      : { kind: 'refused', refusal }
  }
  const { writes, events } = checkpoint
  const attempts = writes.attempts.length === 0 ? null : attemptRows(endOf(tools).position, events)
  if (writes.run !== null) writeRun(tools, writes.run, checkpoint)
  for (const record of writes.invocations) {
    const known = tools.heads.invocation(record.id, record.runId)
    const added = attempts?.get(record.id) ?? ''
    if (known === null) insertInvocation(tools, record, added)
    else updateInvocation(tools, keepLongerLease(record, known), { known, attempts: added })
  }
  tools.side.write(checkpoint)
  // Where no run's events carry the op-id, it is kept by itself.
  const runId = events[0]?.runId ?? null
  if (runId === null && hasBump(checkpoint)) tools.side.rememberOp(checkpoint.opId, checkpoint.at)
  return { kind: 'accepted', events: append(tools, checkpoint, events) }
}

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
  return run !== null && tools.statements.runKnowsOp.get(run.key, opId) !== undefined
}

/** By invocation, the positions of the rows that will carry its attempts, as the column keeps them. */
function attemptRows(position: number, events: readonly EventDraft[]): ReadonlyMap<InvocationId, string> {
  const rows = new Map<InvocationId, string>()
  let first = position + 1
  for (const [index, { body, runId, invocationId }] of events.entries()) {
    if (runId !== events[index - 1]?.runId) first = position + 1 + index
    if (body.type !== 'invocation.changed' || body.attempt === null || invocationId === null) continue
    rows.set(invocationId, `${rows.get(invocationId) ?? ''}${first} `)
  }
  return rows
}

function writeRun(tools: Tools, record: RunRecord, checkpoint: Checkpoint): void {
  const { heads, statements } = tools
  const { status, version, deadlineAt, workflowId, requestId } = record
  const known = heads.run(record.id)
  if (known === null) {
    const phase = phaseOfStatus(status)
    const inserted = statements.insertRun.run(
      record.id,
      status,
      phase,
      version,
      workflowId,
      requestId,
      deadlineAt,
      encodeRun(record),
    )
    heads.setRun(record.id, { key: Number(inserted.lastInsertRowid), version, status, ids: new Set() })
    return
  }
  // Without an event of its own only the version of a run can have changed.
  if (checkpoint.events.some(({ body }) => body.type === 'run.changed')) {
    statements.updateRun.run(status, phaseOfStatus(status), version, deadlineAt, encodeRun(record), known.key)
  } else {
    statements.bumpRun.run(version, known.key)
  }
  known.version = version
  known.status = status
}

function insertInvocation(tools: Tools, record: InvocationRecord, attempts: string): void {
  const run = runOf(tools, record.runId)
  const { lease, fence } = record
  const inserted = tools.statements.insertInvocation.run(
    record.id,
    run.key,
    record.status,
    queueByStatus[record.status],
    record.version,
    priorityRank[record.priority],
    instantOf(record),
    record.pool,
    record.taskKind,
    lease?.runnerId ?? null,
    fence?.epoch ?? null,
    fence?.counter ?? null,
    lease?.expiresAt ?? null,
    record.deadlineAt,
    record.cancelRequestedAt,
    attempts,
    encodeInvocation(record),
  )
  tools.heads.setInvocation(record, Number(inserted.lastInsertRowid))
}

function runOf(tools: Tools, id: RunId): KnownRun {
  const run = tools.heads.run(id)
  assert(run !== null, `an invocation belongs to a run, ${id} is missing`)
  return run
}

function updateInvocation(
  tools: Tools,
  record: InvocationRecord,
  change: { readonly known: KnownInvocation; readonly attempts: string },
): void {
  const { lease, fence } = record
  tools.statements.updateInvocation.run(
    record.status,
    queueByStatus[record.status],
    record.version,
    priorityRank[record.priority],
    instantOf(record),
    record.pool,
    lease?.runnerId ?? null,
    fence?.epoch ?? null,
    fence?.counter ?? null,
    lease?.expiresAt ?? null,
    record.deadlineAt,
    record.cancelRequestedAt,
    change.attempts,
    encodeInvocation(record),
    change.known.key,
  )
  tools.heads.setInvocation(record, change.known.key)
}

function renew(tools: Tools, request: RenewRequest): RenewAnswer {
  const { runner, leases, expiresAt } = request
  tools.side.writeRunner(runner)
  const lost: InvocationId[] = []
  const cancelRequested: InvocationId[] = []
  for (const { invocationId, fence } of leases) {
    const known = tools.heads.invocation(invocationId)
    const lease = known?.lease ?? null
    if (known === null || lease === null || !stillHeld(lease, { runnerId: runner.id, fence })) {
      lost.push(invocationId)
      continue
    }
    tools.statements.renewLease.run(expiresAt, known.key)
    tools.heads.setLease(invocationId, { ...known, lease: { ...lease, expiresAt } })
    if (known.cancelRequestedAt !== null) cancelRequested.push(invocationId)
  }
  return { lost, cancelRequested }
}

function append(tools: Tools, origin: EventOrigin, drafts: readonly EventDraft[]): readonly EngineEvent[] {
  const { events, end } = tools.rows.append(endOf(tools), origin, drafts)
  tools.end = end
  return events
}

function endOf(tools: Tools): FeedEnd {
  tools.end ??= tools.rows.loadEnd()
  return tools.end
}
