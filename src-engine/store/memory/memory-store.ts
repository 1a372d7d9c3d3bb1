/**
 * The reference store: the contract in its shortest form. Read it as the specification of what the others
 * do with indexes and transactions; here both are a plain Map and the absence of `await`.
 */

import type { Checkpoint, CommitAnswer } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId, RunId, StoreId } from '../../model/ids.ts'
import { storeId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { assert } from '../../model/result.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import { createMemoryBlobs } from '../blobs.ts'
import {
  claimable,
  claimInOrder,
  claimInstants,
  claimInvocation,
  compareForRunner,
  countsAt,
  stillClaimable,
  trusts,
} from '../claim.ts'
import { compareDue, dueAnswer, dueOfInvocation, dueOfRun } from '../due.ts'
import { createHints } from '../hints.ts'
import { keepLongerLease, stillHeld } from '../lease.ts'
import type { RawStore } from '../raw-store.ts'
import type {
  ClaimAnswer,
  ClaimRequest,
  DueAnswer,
  FetchRequest,
  RenewAnswer,
  RenewRequest,
  Store,
  StoreInfo,
} from '../store.ts'
import { validateCommit } from '../validate-commit.ts'
import { neededFor, prune } from './memory-prune.ts'
import { list, loaders, readEvents, readGroups } from './memory-queries.ts'
import type { Records } from './memory-records.ts'
import {
  appendEvents,
  giveSlot,
  holdersOf,
  noRecords,
  slotKey,
  takeSlot,
  takeSlots,
} from './memory-records.ts'

export interface MemoryOptions {
  readonly storeId?: StoreId
  /** Tells how old a blob is; without it none is ever old enough to be swept. */
  readonly now?: () => Instant
  /** One when absent. */
  readonly partitions?: number
  /** What its partitions hold, for who plays a server that forgets; as many empty ones when absent. */
  readonly records?: readonly Records[]
}

/** A store whose data lasts as long as the process. */
export function createMemoryStore(options: MemoryOptions = {}): RawStore {
  const partitions =
    options.records ?? Array.from({ length: options.partitions ?? 1 }, (_, index) => noRecords(index))
  const blobs = createMemoryBlobs(options.now ?? (() => Number.POSITIVE_INFINITY))
  const hints = partitions.map(() => createHints())
  let closed = false
  const info: StoreInfo = {
    id: options.storeId ?? storeId('memory'),
    kind: 'memory',
    partitions: [...partitions.keys()],
    epochs: partitions.map(({ head }) => head.epoch),
    chain: 'sha256',
    multiProcess: false,
    cleanlyClosed: true,
    safety: null,
    renewer: null,
  }
  /** Runs one operation as a whole: nothing else happens in between. */
  const atomically = async <Answer>(
    at: number,
    operation: (records: Records) => Answer | Promise<Answer>,
  ): Promise<Answer> => {
    if (closed) throw new SagasmithError('store_closed')
    const records = partitions[at]
    assert(records !== undefined, `the store has ${partitions.length} partitions, ${at} is none of them`)
    const end = records.head
    const answer = operation(records)
    if (records.head !== end) hints[at]?.notify('own')
    return answer
  }
  return {
    info,
    migrate: () => atomically(0, () => undefined),
    commit: (at, checkpoints) =>
      atomically(at, (records) => checkpoints.map((item) => commitOne(records, item))),
    fetch: (request) => atomically(request.partition, (records) => available(records, request)),
    claim: (request) => atomically(request.partition, (records) => claim(records, request)),
    renew: (request) => atomically(request.partition, (records) => renew(records, request)),
    listExpired: (query) => atomically(query.partition, (records) => listExpired(records, query)),
    listDue: (query) => atomically(query.partition, (records) => listDue(records, query)),
    load: (at, kind, input) => atomically(at, (records) => loaders[kind](records, input)),
    list: (at, kind, query) => atomically(at, (records) => list(records, kind, query)),
    readEvents: (query) => atomically(query.after.partition, (records) => readEvents(records, query)),
    readGroups: (query) => atomically(query.after.partition, (records) => readGroups(records, query)),
    watch: (at, hint, topic) => hints[at]?.watch(hint, topic) ?? noWatch,
    prune: (request) =>
      atomically(request.partition, (records) => prune(records, { blobs, all: partitions }, request)),
    putBlob: (bytes) => atomically(0, () => blobs.put(bytes)),
    getBlob: (hash) => atomically(0, () => blobs.get(hash)),
    dropBlobs: (hashes) => atomically(0, () => blobs.drop(hashes)),
    neededFor: (at) => atomically(at, neededFor),
    takeSlots: (at, request) => atomically(at, (records) => takeSlots(records, request)),
    releaseSlots: (at, releases) =>
      atomically(at, (records) => {
        for (const release of releases) giveSlot(records, release)
      }),
    async close() {
      closed = true
    },
  }
}

const noWatch = (): void => {}

function commitOne(records: Records, checkpoint: Checkpoint): CommitAnswer {
  const refusal = validateCommit(checkpoint, {
    epoch: records.head.epoch,
    isSealed: records.isSealed,
    run: (id) => records.runs.get(id) ?? null,
    isLast: records.lastOps.isLast,
    invocation: (id) => records.invocations.get(id) ?? null,
    registerVersion: (key) => records.registers.get(key)?.version ?? 0,
    slotHolders: (key, at) =>
      holdersOf(records, key)
        .filter((slot) => countsAt(slot, at))
        .map(({ holder }) => holder),
  })
  if (refusal !== null) {
    return refusal.kind !== 'invalid' && records.opIds.has(checkpoint.opId)
      ? { kind: 'repeated' }
      : { kind: 'refused', refusal }
  }
  records.isSealed ||= checkpoint.values === 'sealed'
  write(records, checkpoint)
  appendEvents(records, checkpoint, checkpoint.events)
  records.lastOps.note(checkpoint)
  return { kind: 'accepted' }
}

function write(records: Records, { at, expect, writes }: Checkpoint): void {
  for (const version of writes.workflowVersions) {
    if (!records.workflowVersions.has(version.hash)) records.workflowVersions.set(version.hash, version)
  }
  if (writes.run !== null) records.runs.set(writes.run.id, writes.run)
  for (const record of writes.invocations) {
    const before = records.invocations.get(record.id) ?? null
    records.invocations.set(record.id, keepLongerLease(record, before))
  }
  for (const attempt of writes.attempts) {
    records.attempts.set(`${attempt.invocationId}:${attempt.number}`, attempt)
  }
  for (const { key, value, dueAt } of writes.registers) {
    const version = (expect.registers.find((item) => item.key === key)?.version ?? 0) + 1
    if (value === null) records.registers.delete(key)
    else records.registers.set(key, { key, value, version })
    if (value === null || dueAt === null) records.registerDue.delete(key)
    else if (dueAt !== undefined) records.registerDue.set(key, dueAt)
  }
  for (const { key, holder } of writes.release) records.slots.delete(slotKey(key, holder))
  for (const slot of writes.take) takeSlot(records, slot, at)
  for (const record of writes.outbox) records.outbox.set(record.id, record)
  for (const id of writes.delivered) records.outbox.delete(id)
  for (const letter of writes.deadLetters) records.deadLetters.set(letter.id, letter)
  for (const id of writes.settledLetters) records.deadLetters.delete(id)
}

function available(records: Records, request: FetchRequest): readonly InvocationRecord[] {
  return [...records.invocations.values()]
    .filter((record) => {
      const run = runOf(records, record.runId)
      return claimable(record, run.status, request) && trusts(request, run.definitionHash)
    })
    .sort((a, b) => compareForRunner(a, b, request))
    .slice(0, Math.max(0, request.limit))
}

function claim(records: Records, request: ClaimRequest): ClaimAnswer {
  const candidates =
    request.invocationIds === null
      ? available(records, { ...request, limit: records.invocations.size })
      : stillClaimable(request.invocationIds, request, (id) => {
          const record = records.invocations.get(id)
          const run = record === undefined ? null : runOf(records, record.runId)
          if (record === undefined || run === null || !trusts(request, run.definitionHash)) return null
          return { record, run: run.status }
        })
  return claimInOrder(candidates, request, {
    holdersOf: (key) => holdersOf(records, key),
    runOf: (id) => runOf(records, id),
    acquire(waiting, { plan, take }) {
      const won = { epoch: records.head.epoch, plan }
      const { record, event, opId } = claimInvocation(waiting, request, won)
      records.invocations.set(record.id, record)
      for (const slot of take) takeSlot(records, slot, request.now)
      appendEvents(records, { opId, actor: { kind: 'runner', id: request.runnerId }, at: request.now }, [
        event,
      ])
      return { run: runOf(records, record.runId), invocation: record }
    },
  })
}

function runOf(records: Records, id: RunId): RunRecord {
  const run = records.runs.get(id)
  assert(run !== undefined, `an invocation belongs to a run, ${id} is missing`)
  return run
}

function renew(records: Records, request: RenewRequest): RenewAnswer {
  const { runner, leases, expiresAt } = request
  records.runners.set(runner.id, runner)
  const lost: InvocationId[] = []
  const cancelRequested: InvocationId[] = []
  for (const { invocationId, fence } of leases) {
    const record = records.invocations.get(invocationId)
    const lease = record?.lease ?? null
    if (record === undefined || lease === null || !stillHeld(lease, { runnerId: runner.id, fence })) {
      lost.push(invocationId)
      continue
    }
    records.invocations.set(invocationId, { ...record, lease: { ...lease, expiresAt } })
    if (record.cancelRequestedAt !== null) cancelRequested.push(invocationId)
  }
  return { lost, cancelRequested }
}

function listExpired(
  records: Records,
  query: Parameters<Store['listExpired']>[0],
): readonly InvocationRecord[] {
  const expiry = (record: InvocationRecord): number => record.lease?.expiresAt ?? 0
  return [...records.invocations.values()]
    .filter(
      ({ lease }) =>
        lease !== null && (lease.expiresAt <= query.now || query.deadRunners.includes(lease.runnerId)),
    )
    .sort((a, b) => expiry(a) - expiry(b) || (a.id < b.id ? -1 : 1))
    .slice(0, query.limit)
}

function listDue(records: Records, query: Parameters<Store['listDue']>[0]): DueAnswer {
  const invocations = [...records.invocations.values()]
  const items = [...invocations.flatMap(dueOfInvocation), ...[...records.runs.values()].flatMap(dueOfRun)]
  const instants = [
    ...items.map(({ dueAt }) => dueAt),
    ...invocations.filter(({ status }) => invocationMachine.available.has(status)).flatMap(claimInstants),
  ].filter((at) => at > query.now)
  const nextAt = instants.length === 0 ? null : instants.reduce((a, b) => Math.min(a, b))
  return dueAnswer(items.filter(({ dueAt }) => dueAt <= query.now).sort(compareDue), query.limit, nextAt)
}
