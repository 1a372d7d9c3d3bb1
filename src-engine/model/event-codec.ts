/**
 * The packed form of events: what a store keeps and what the hash chain covers. The events of one run in one
 * checkpoint are one text; each is a JSON array read by place, relative to what it shares with the checkpoint
 * and with the event before it. The same events always give the same text, whatever the key order of the
 * objects given, and the text gives back the same events. JSON values inside keep the key order they have.
 */

import { packAttempt, unpackAttempt } from './attempt-codec.ts'
import type { EngineEvent, EventBody, EventDraft } from './event.ts'
import type { InvocationId, OpId, RunId } from './ids.ts'
import type { Cause, InvocationRecord } from './invocation.ts'
import type { Actor, ActorKind } from './invocation-status.ts'
import { invocationStatuses } from './invocation-status.ts'
import type { JsonValue } from './json.ts'
import { newInvocation, newRun } from './new-records.ts'
import type { CodecContext, Packed } from './record-codec.ts'
import {
  invocationFields,
  packCause,
  packName,
  packRecord,
  packSet,
  packStatus,
  runFields,
  sameCause,
  unpackCause,
  unpackFields,
  unpackInto,
  unpackName,
  unpackRecord,
} from './record-codec.ts'
import { assertNever } from './result.ts'
import type { RunRecord } from './run.ts'
import { runStatuses } from './run-status.ts'

/** What the events of one text have in common. */
export interface EventGroup {
  readonly epoch: number
  readonly runId: RunId | null
  readonly at: number
  readonly opId: OpId
  readonly actor: Actor
}

/** Stored by place: append only. */
const actorKinds: readonly ActorKind[] = [
  'runner',
  'run',
  'recovery',
  'reconciler',
  'operator',
  'policy',
  'scan',
  'timer',
  'trigger',
]

/** Stored by place: append only. */
const eventTypes: readonly EventBody['type'][] = [
  'run.created',
  'run.changed',
  'invocation.registered',
  'invocation.changed',
  'node.skipped',
  'register.changed',
  'epoch.changed',
]

/** What an event may leave out because the one before it had the same. */
interface Before {
  id: InvocationId | null
  cause: Cause | null
  runVersion: number | undefined
}

const contextOf = (
  group: Pick<EventGroup, 'epoch' | 'runId' | 'at'>,
  actorId: string | null,
): CodecContext => {
  return { at: group.at, epoch: group.epoch, runId: group.runId, actorId, cause: null, lease: null }
}

/** The text of the events of one run in one checkpoint: `[head, event, event, …]`. */
export function packEvents(group: EventGroup, drafts: readonly EventDraft[]): string {
  const context = contextOf(group, group.actor.id)
  const before: Before = { id: null, cause: null, runVersion: undefined }
  const packed: Packed[] = [packHead(group)]
  for (const draft of drafts) packed.push(packEvent(draft, context, before))
  return JSON.stringify(packed)
}

const packHead = ({ at, opId, actor, runId }: EventGroup): Packed => [
  at,
  packOp(opId, runId),
  actorKinds.indexOf(actor.kind),
  actor.id,
]

/** Most op-ids name something of the run: its id is told once, by the group. */
function packOp(opId: OpId, runId: RunId | null): string {
  const place = runId === null ? -1 : opId.indexOf(runId)
  if (runId === null || place === -1 || opId.includes('|')) return `=${opId}`
  return `|${opId.slice(0, place)}|${opId.slice(place + runId.length)}`
}

function unpackOp(packed: string, runId: RunId | null): OpId {
  if (packed.startsWith('=')) return packed.slice(1) as OpId
  const place = packed.indexOf('|', 1)
  return `${packed.slice(1, place)}${runId}${packed.slice(place + 1)}` as OpId
}

function packEvent(draft: EventDraft, context: CodecContext, before: Before): Packed {
  const { invocationId: id, cause, runVersion, body } = draft
  const out: Packed[] = [
    eventTypes.indexOf(body.type),
    id === before.id ? 0 : packName(id, context),
    sameCause(cause, before.cause) ? 0 : packCause(cause, context),
    packVersion(runVersion, before.runVersion),
  ]
  before.id = id
  before.cause = cause
  before.runVersion = runVersion
  context.cause = cause
  packBody(body, context, out)
  return out
}

const packVersion = (version: number | undefined, before: number | undefined): Packed =>
  version === before ? 0 : (version ?? null)

function packBody(body: EventBody, context: CodecContext, out: Packed[]): void {
  const packing = { context, out }
  switch (body.type) {
    case 'run.created':
      packRecord(runFields, body.run, packing)
      return
    case 'run.changed':
      out.push(packStatus.run(body.from), packStatus.run(body.to))
      packSet(runFields, body.set, packing)
      return
    case 'invocation.registered':
      packRecord(invocationFields, body.invocation, packing)
      return
    case 'invocation.changed':
      out.push(packStatus.invocation(body.from), packStatus.invocation(body.to))
      packSet(invocationFields, body.set, packing)
      if (body.attempt !== null) out.push(packAttempt(body.attempt, body.set, context))
      return
    case 'node.skipped':
      out.push(body.nodeId, body.path, body.generation)
      return
    case 'register.changed':
      out.push(body.key, body.value)
      return
    case 'epoch.changed':
      out.push(body.from, body.to, body.reason)
  }
}

/** The head of a packed text alone. */
export function unpackHead(text: string, runId: RunId | null): Pick<EventGroup, 'at' | 'opId' | 'actor'> {
  const end = text.indexOf(']')
  // An id may hold a bracket; then the whole text tells.
  try {
    return headOf(JSON.parse(text.slice(1, end + 1)) as PackedHead, runId)
  } catch {
    return headOf((JSON.parse(text) as readonly [PackedHead])[0], runId)
  }
}

type PackedHead = readonly [number, string, number, string | null]

function headOf(
  [at, op, kind, id]: PackedHead,
  runId: RunId | null,
): Pick<EventGroup, 'at' | 'opId' | 'actor'> {
  return { at, opId: unpackOp(op, runId), actor: { kind: actorKinds[kind] ?? 'run', id } }
}

/** What a packed text holds. */
export interface UnpackedEvents {
  readonly group: EventGroup
  readonly drafts: readonly EventDraft[]
}

/** The events of a packed text; the place they were kept at tells the epoch and the run. */
export function unpackEvents(text: string, place: Pick<EventGroup, 'epoch' | 'runId'>): UnpackedEvents {
  const [head, ...packed] = JSON.parse(text) as [PackedHead, ...(readonly Packed[])[]]
  const group = { ...place, ...headOf(head, place.runId) }
  const context = contextOf(group, group.actor.id)
  const before: Before = { id: null, cause: null, runVersion: undefined }
  return { group, drafts: packed.map((item) => unpackEvent(item, context, before)) }
}

function unpackEvent(packed: readonly Packed[], context: CodecContext, before: Before): EventDraft {
  // Written by `packEvent`.
  const [type, id, cause, version] = packed as readonly [
    number,
    string | 0 | null,
    readonly [string, string | null] | 0,
    number | null,
  ]
  if (id !== 0) before.id = unpackName(id, context) as InvocationId | null
  if (cause !== 0) before.cause = unpackCause(cause, context)
  if (version !== 0) before.runVersion = version ?? undefined
  context.cause = before.cause
  const draft = {
    runId: context.runId as RunId | null,
    invocationId: before.id,
    cause: before.cause as Cause,
    body: unpackBody(eventTypes[type] ?? 'epoch.changed', packed, { context, id: before.id }),
  }
  return before.runVersion === undefined ? draft : { ...draft, runVersion: before.runVersion }
}

/** The records that events lead to, each an object of this reading alone. */
export interface PackedRecords {
  run: RunRecord | null
  /** In order of registration. */
  readonly invocations: Map<InvocationId, InvocationRecord>
}

/**
 * Takes the events of a packed text into records, in place and without making the events: what `replayRun`
 * gives of them, several times as fast. The store's reading of a run's whole history.
 */
export function readPacked(
  text: string,
  place: Pick<EventGroup, 'epoch' | 'runId'>,
  into: PackedRecords,
): void {
  const [head, ...packed] = JSON.parse(text) as [PackedHead, ...(readonly Packed[])[]]
  const context = contextOf({ ...place, at: head[0] }, head[3])
  let id: InvocationId | null = null
  let runVersion: number | null = null
  for (const event of packed) {
    const [type, name, cause, version] = event as readonly [number, string | 0 | null, unknown, number | null]
    if (name !== 0) id = unpackName(name, context) as InvocationId | null
    if (cause !== 0) context.cause = unpackCause(cause as readonly [string, string | null], context)
    readPackedBody(eventTypes[type], event, { context, id, into })
    if (version !== 0) runVersion = version
    if (runVersion !== null && into.run !== null) (into.run as unknown as Fields).version = runVersion
  }
}

type Fields = Record<string, unknown>

function readPackedBody(
  type: EventBody['type'] | undefined,
  packed: readonly Packed[],
  at: { readonly context: CodecContext; readonly id: InvocationId | null; readonly into: PackedRecords },
): void {
  const { context, id, into } = at
  const runId = context.runId as RunId
  if (type === 'run.created') {
    into.run = runOf(packed, context)
  } else if (type === 'run.changed' && into.run !== null) {
    const target = into.run as unknown as Fields
    unpackInto(runFields, packed, { context, from: 6, target })
    target.status = runStatuses[packed[5] as number]
  } else if (type === 'invocation.registered') {
    into.invocations.set(id as InvocationId, invocationOf(packed, context, id as InvocationId))
  } else if (type === 'invocation.changed') {
    const target = into.invocations.get(id as InvocationId) as Fields | undefined
    if (target === undefined) return
    unpackInto(invocationFields, packed, { context, from: 6, target })
    target.status = invocationStatuses[packed[5] as number]
  }
}

function runOf(packed: readonly Packed[], context: CodecContext): RunRecord {
  const run = unpackRecord(runFields, packed, { context, from: 4 })
  run.id = context.runId
  return newRun(run as unknown as RunRecord)
}

function invocationOf(packed: readonly Packed[], context: CodecContext, id: InvocationId): InvocationRecord {
  const record = unpackRecord(invocationFields, packed, { context, from: 4 })
  record.id = id
  record.runId = context.runId
  return newInvocation(record as unknown as InvocationRecord)
}

function unpackBody(
  type: EventBody['type'],
  packed: readonly Packed[],
  at: { readonly context: CodecContext; readonly id: InvocationId | null },
): EventBody {
  const { context, id } = at
  const runId = context.runId as RunId
  switch (type) {
    case 'run.created':
      return { type, run: runOf(packed, context) }
    case 'run.changed': {
      const { values } = unpackFields(runFields, packed, { context, from: 6 })
      return { type, ...statusesOf(packed, runStatuses), set: values }
    }
    case 'invocation.registered':
      return { type, invocation: invocationOf(packed, context, id as InvocationId) }
    case 'invocation.changed': {
      const { values, next } = unpackFields(invocationFields, packed, { context, from: 6 })
      const set = values as Partial<InvocationRecord>
      const attempt = packed[next] as Parameters<typeof unpackAttempt>[0] | undefined
      const ids = { invocationId: id as InvocationId, runId }
      return {
        type,
        ...statusesOf(packed, invocationStatuses),
        set,
        attempt: attempt === undefined ? null : unpackAttempt(attempt, set, { context, ids }),
      }
    }
    case 'node.skipped': {
      const [, , , , nodeId, path, generation] = packed
      return { type, nodeId, path, generation } as Extract<EventBody, { type: 'node.skipped' }>
    }
    case 'register.changed':
      return { type, key: packed[4] as string, value: packed[5] as JsonValue | null }
    case 'epoch.changed':
      return { type, from: packed[4] as number, to: packed[5] as number, reason: packed[6] as string }
    default:
      return assertNever(type)
  }
}

/** The statuses of a change, by their places. */
function statusesOf<Status>(packed: readonly Packed[], list: readonly Status[]) {
  // Written by `packBody`.
  return { from: list[packed[4] as number] as Status, to: list[packed[5] as number] as Status }
}

/**
 * The text of `packEvents` in pieces, one per event: what it would be if it ended with an event is the pieces
 * so far and `groupEnd`. That is what the event's hash covers, so a change to an event changes its hash and
 * those of all that follow, while a writer computes one hash per text.
 */
export function packedPieces(group: EventGroup, drafts: readonly EventDraft[]): readonly string[] {
  const context = contextOf(group, group.actor.id)
  const before: Before = { id: null, cause: null, runVersion: undefined }
  let start = `[${JSON.stringify(packHead(group))}`
  return drafts.map((draft) => {
    const piece = `${start},${JSON.stringify(packEvent(draft, context, before))}`
    start = ''
    return piece
  })
}

/** Ends a packed text. */
export const groupEnd = ']'

/** What an event shares with the other events of its text. */
export const groupOf = ({
  epoch,
  runId,
  at,
  opId,
  actor,
}: Omit<EngineEvent, 'hash' | 'prevHash'>): EventGroup => {
  return { epoch, runId, at, opId, actor }
}
