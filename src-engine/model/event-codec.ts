/**
 * The packed form of events: what a store keeps and what the hash chain covers. The events of one run in one
 * checkpoint are one text; each is a JSON array read by place, relative to what it shares with the checkpoint
 * and with the event before it. The same events always give the same text, whatever the key order of the
 * objects given, and the text gives back the same events. JSON values inside keep the key order they have.
 *
 * Version 1 wrote an array per event and told every name again. Version 2 names what the text told already
 * by a number, and writes events of a common shape as that shape's place and the values that differ
 * (event-shapes.ts). Texts of both are read; hashes cover them as they were written.
 */

import { packAttempt, unpackAttempt } from './attempt-codec.ts'
import type { EngineEvent, EventBody, EventChange, EventDraft } from './event.ts'
import { lengthen, placeBehind, shorten } from './event-shapes.ts'
import type { InvocationId, OpId, RunId } from './ids.ts'
import type { InvocationRecord } from './invocation.ts'
import type { Actor, ActorKind } from './invocation-status.ts'
import { invocationStatuses } from './invocation-status.ts'
import type { JsonValue } from './json.ts'
import { packInvocation, packRun } from './plain-records.ts'
import { packSet, unpackInto, unpackInvocation, unpackRun, unpackSet } from './record-codec.ts'
import { invocationFields, packStatus, runFields } from './record-fields.ts'
import { assert, assertNever } from './result.ts'
import type { RunRecord } from './run.ts'
import { runStatuses } from './run-status.ts'
import type { CodecContext, Packed, PackedCause } from './value-codec.ts'
import { newContext, packCause, packName, sameCause, unpackCause, unpackName } from './value-codec.ts'

/** The form that new texts have. */
const eventCodecVersion = 2
/** Forms that there are texts of, the newest one first. */
export const eventCodecVersions = [eventCodecVersion, 1] as const
type EventCodecVersion = (typeof eventCodecVersions)[number]

/** What the events of one text have in common. */
export interface EventGroup {
  readonly epoch: number
  readonly runId: RunId | null
  readonly at: number
  readonly opId: OpId
  readonly actor: Actor
  /** The form of the text; absent for the form that new texts have. */
  readonly version?: EventCodecVersion
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

/** The text of the events of one run in one checkpoint: `[at, op, actor kind, actor, event, event, …]`. */
export function packEvents(group: EventGroup, drafts: readonly EventDraft[]): string {
  const context = newContext(group, { actorId: group.actor.id, short: true })
  const packed: Packed[] = packHead(group)
  for (const draft of drafts) shorten(packEvent(draft, context), packed)
  return JSON.stringify(packed)
}

const packHead = ({ at, opId, actor, runId }: EventGroup): Packed[] => [
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

function packEvent(draft: EventDraft, context: CodecContext): Packed[] {
  const { invocationId: id, cause, runVersion, body } = draft
  const { id: idBefore, cause: causeBefore } = context
  context.idBefore = idBefore
  context.byBefore = causeBefore?.by ?? null
  context.id = id
  const out: Packed[] = [
    eventTypes.indexOf(body.type),
    id === idBefore ? 0 : packName(id, context),
    sameCause(cause, causeBefore) ? 0 : packCause(cause, context),
    packVersion(runVersion, context.runVersion),
  ]
  context.cause = cause
  context.runVersion = runVersion
  packBody(body, context, out)
  return out
}

const packVersion = (version: number | undefined, before: number | undefined): Packed =>
  version === before ? 0 : (version ?? null)

function packBody(body: EventBody, context: CodecContext, out: Packed[]): void {
  const packing = { context, out }
  switch (body.type) {
    case 'run.created':
      packRun(body.run, packing)
      return
    case 'run.changed':
      out.push(packStatus.run(body.from), packStatus.run(body.to))
      packSet(runFields, body.set, packing)
      return
    case 'invocation.registered':
      packInvocation(body.invocation, packing)
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
  const found = headPattern.exec(text)
  assert(found !== null, `a packed text begins with its head, found ${text.slice(0, 80)}`)
  return headOf(JSON.parse(`[${found[1]}]`) as PackedHead, runId)
}

const headPattern = /^\[+(-?\d+,"(?:[^"\\]|\\.)*",\d+,(?:null|"(?:[^"\\]|\\.)*"))/

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
export const unpackEvents = (text: string, place: Pick<EventGroup, 'epoch' | 'runId'>): UnpackedEvents =>
  unpackParsed(JSON.parse(text) as readonly Packed[], place)

/** The same of a text that was parsed already. */
export function unpackParsed(
  text: readonly unknown[],
  place: Pick<EventGroup, 'epoch' | 'runId'>,
): UnpackedEvents {
  const { head, packed, from, short } = parsed(text)
  const shared = { ...place, ...headOf(head, place.runId) }
  const group: EventGroup = short ? shared : { ...shared, version: 1 }
  const context = newContext(group, { actorId: group.actor.id, short })
  const drafts: EventDraft[] = []
  const into: { event: readonly Packed[] } = { event: [] }
  for (let next = from; next < packed.length; ) {
    next = lengthen(packed, next, into)
    drafts.push(unpackEvent(into.event, context))
  }
  return { group, drafts }
}

/** What the events of a parsed text change, one after the other; who did it and why isn't made for that. */
export function changesOfParsed(
  text: readonly unknown[],
  place: Pick<EventGroup, 'epoch' | 'runId'>,
  take: (change: EventChange, index: number) => void,
): void {
  const { head, packed, from, short } = parsed(text)
  const [at, , , actorId] = head
  const context = newContext({ ...place, at }, { actorId, short })
  const into: { event: readonly Packed[] } = { event: [] }
  for (let next = from, index = 0; next < packed.length; index += 1) {
    next = lengthen(packed, next, into)
    enter(into.event, context)
    const id = context.id as InvocationId | null
    const body = unpackBody(typeOf(into.event), into.event, { context, id })
    take({ at, invocationId: id, runVersion: context.runVersion, body }, index)
  }
}

/** How many events a parsed text holds; nothing of them is read. */
export function countParsed(text: readonly unknown[]): number {
  const { packed, from } = parsed(text)
  let count = 0
  for (let next = from; next < packed.length; next = placeBehind(packed, next)) count += 1
  return count
}

/** A text's head, and where its events begin. */
function parsed(packed: readonly Packed[]): {
  readonly head: PackedHead
  readonly packed: readonly Packed[]
  readonly from: number
  readonly short: boolean
} {
  // Version 1 has its head in an array of its own.
  const [first] = packed
  const short = typeof first === 'number'
  return { head: (short ? packed : first) as PackedHead, packed, from: short ? 4 : 1, short }
}

/** Moves the context on to the next event: what it is about, and why. */
function enter(packed: readonly Packed[], context: CodecContext): void {
  // Written by `packEvent`.
  const [, id, cause, version] = packed as readonly [
    number,
    string | 0 | null,
    PackedCause | 0,
    number | null,
  ]
  context.idBefore = context.id
  context.byBefore = context.cause?.by ?? null
  if (id !== 0) context.id = unpackName(id, context)
  if (cause !== 0) context.cause = unpackCause(cause, context)
  if (version !== 0) context.runVersion = version ?? undefined
}

function unpackEvent(packed: readonly Packed[], context: CodecContext): EventDraft {
  enter(packed, context)
  const { runId, cause, runVersion } = context
  const id = context.id as InvocationId | null
  const body = unpackBody(typeOf(packed), packed, { context, id })
  const draft = { runId, invocationId: id, cause, body } as EventDraft
  return runVersion === undefined ? draft : { ...draft, runVersion }
}

const typeOf = (packed: readonly Packed[]): EventBody['type'] =>
  eventTypes[packed[0] as number] ?? 'epoch.changed'

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
  const { head, packed, from, short } = parsed(JSON.parse(text) as readonly Packed[])
  const context = newContext({ ...place, at: head[0] }, { actorId: head[3], short })
  const item: { event: readonly Packed[] } = { event: [] }
  for (let next = from; next < packed.length; ) {
    next = lengthen(packed, next, item)
    const { event } = item
    enter(event, context)
    readPackedBody(event, context, into)
    const { runVersion } = context
    if (runVersion !== undefined && into.run !== null) (into.run as unknown as Fields).version = runVersion
  }
}

type Fields = Record<string, unknown>

function readPackedBody(packed: readonly Packed[], context: CodecContext, into: PackedRecords): void {
  const type = eventTypes[packed[0] as number]
  const id = context.id as InvocationId | null
  if (type === 'run.created') {
    into.run = unpackRun(packed, context, 4)
  } else if (type === 'run.changed') {
    // What nobody knows is read all the same: what follows may refer to it.
    const target = (into.run ?? {}) as unknown as Fields
    unpackInto(runFields, packed, { context, from: 6, target })
    target.status = runStatuses[packed[5] as number]
  } else if (type === 'invocation.registered') {
    into.invocations.set(id as InvocationId, unpackInvocation(packed, context, 4))
  } else if (type === 'invocation.changed') {
    const target = (into.invocations.get(id as InvocationId) ?? {}) as Fields
    unpackInto(invocationFields, packed, { context, from: 6, target })
    target.status = invocationStatuses[packed[5] as number]
  }
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
      return { type, run: unpackRun(packed, context, 4) }
    case 'run.changed': {
      const { values } = unpackSet(runFields, packed, { context, from: 6 })
      return { type, ...statusesOf(packed, runStatuses), set: values }
    }
    case 'invocation.registered':
      return { type, invocation: unpackInvocation(packed, context, 4) }
    case 'invocation.changed': {
      const { values, next } = unpackSet(invocationFields, packed, { context, from: 6 })
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
  const short = group.version !== 1
  const context = newContext(group, { actorId: group.actor.id, short })
  const head = packHead(group)
  let start = JSON.stringify(short ? head : [head]).slice(0, -1)
  return drafts.map((draft) => {
    const packed: Packed[] = []
    const event = packEvent(draft, context)
    if (short) shorten(event, packed)
    else packed.push(event)
    const piece = `${start},${JSON.stringify(packed).slice(1, -1)}`
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
