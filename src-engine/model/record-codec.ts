/**
 * The fields of runs and invocations as short JSON values by place. Field order, places in lists of
 * statuses and marks are a stored form: append, never reorder, and count `eventCodecVersion` up otherwise.
 */

import type { Fence } from './fence.ts'
import { sameFence } from './fence.ts'
import type { InvocationId } from './ids.ts'
import type { Cause, Lease, Priority, WaitReason } from './invocation.ts'
import type { InvocationStatus } from './invocation-status.ts'
import { invocationStatuses } from './invocation-status.ts'
import type { Payload } from './payload.ts'
import type { RunStatus } from './run-status.ts'
import { runStatuses } from './run-status.ts'

/** What packed values are relative to; the codec moves `cause` and `lease` on as it goes. */
export interface CodecContext {
  readonly at: number
  readonly epoch: number
  readonly runId: string | null
  readonly actorId: string | null
  /** The cause of the event at hand. */
  cause: Cause | null
  /** The lease among the fields at hand. */
  lease: Lease | null
}

/** A packed value: JSON, read by its place. */
export type Packed = unknown

interface Field {
  readonly name: string
  /** What most records have: left out of a whole record. Undefined for what is never left out. */
  readonly usual: unknown
  /** Null for what is packed as it is. */
  readonly pack: ((value: never, context: CodecContext) => Packed) | null
  readonly unpack: ((packed: never, context: CodecContext) => unknown) | null
}

/** Fields by place and by name; at most 31, one bit each. */
export interface FieldList {
  readonly all: readonly Field[]
  readonly bitByName: ReadonlyMap<string, number>
  /** A record with the usual value in every field, without ids; what is never left out is null. */
  readonly usual: Source
}

const fieldList = (all: readonly Field[]): FieldList => {
  // Parsed, because an object that is given its fields one by one can be copied only slowly.
  const usual = JSON.parse(`{${all.map(({ name }) => `"${name}":null`).join()}}`) as Record<string, unknown>
  for (const field of all) usual[field.name] = field.usual ?? null
  return { all, bitByName: new Map(all.map(({ name }, index) => [name, 1 << index])), usual }
}

/** Texts that name the run, or something of it, without repeating its id. */
export function packName(name: string | null, { runId, actorId }: CodecContext): Packed {
  if (name === null) return null
  if (runId !== null && name.startsWith(runId)) {
    if (name.length === runId.length) return '.'
    if (name.charCodeAt(runId.length) === slash) return name.slice(runId.length)
  }
  return name === actorId ? '@' : `=${name}`
}

const slash = 47

/** The text that was packed. */
export function unpackName(packed: string | null, { runId, actorId }: CodecContext): string | null {
  if (packed === null) return null
  if (packed === '.') return runId
  if (packed === '@') return actorId
  return packed.charCodeAt(0) === slash ? runId + packed : packed.slice(1)
}

const plain = (name: string, usual: unknown): Field => ({ name, usual, pack: null, unpack: null })

/** Never left out. */
const given = (name: string): Field => plain(name, undefined)

const instant = (name: string): Field => {
  return {
    ...plain(name, null),
    pack: (value: number | null, { at }) => (value === null ? null : value - at),
    unpack: (packed: number | null, { at }) => (packed === null ? null : packed + at),
  }
}

const listed = (name: string, list: readonly string[], usual: string): Field => {
  const places = new Map(list.map((item, place) => [item, place]))
  return {
    ...plain(name, usual),
    pack: (value: string) => places.get(value),
    unpack: (packed: number) => list[packed],
  }
}

const emptyList: readonly string[] = []

const tags: Field = plain('tags', emptyList)

const lease: Field = {
  ...plain('lease', null),
  pack: (value: Lease | null, context) => {
    context.lease = value
    if (value === null) return null
    const { epoch, counter } = value.fence
    return [packName(value.runnerId, context), epoch - context.epoch, counter, value.expiresAt - context.at]
  },
  unpack: (packed: readonly [string, number, number, number] | null, context) => {
    context.lease = packed === null ? null : leaseOf(packed, context)
    return context.lease
  },
}

function leaseOf(packed: readonly [string, number, number, number], context: CodecContext): Lease {
  const [runner, epoch, counter, expiresAt] = packed
  return {
    runnerId: unpackName(runner, context) as Lease['runnerId'],
    fence: { epoch: epoch + context.epoch, counter },
    expiresAt: expiresAt + context.at,
  }
}

/** 0 stands for the fence of the lease that was packed with it. */
function packFence(value: Fence | null, context: CodecContext): Packed {
  if (value === null) return null
  if (context.lease !== null && sameFence(value, context.lease.fence)) return 0
  return [value.epoch - context.epoch, value.counter]
}

/** The fence that was packed. */
function unpackFence(packed: readonly [number, number] | 0 | null, context: CodecContext): Fence | null {
  if (packed === null) return null
  if (packed === 0) return context.lease?.fence ?? null
  return { epoch: packed[0] + context.epoch, counter: packed[1] }
}

const fence: Field = { ...plain('fence', null), pack: packFence, unpack: unpackFence }

/** `[kind, by, detail]`. */
export const packCause = (value: Cause, context: CodecContext): Packed =>
  value.detail === null
    ? [value.kind, packName(value.by, context)]
    : [value.kind, packName(value.by, context), value.detail]

/** The cause that was packed. */
export const unpackCause = (
  [kind, by, detail]: readonly [string, string | null, string?],
  context: CodecContext,
): Cause => ({ kind, by: unpackName(by, context), detail: detail ?? null })

/** Equal by value. */
export const sameCause = (a: Cause, b: Cause | null): boolean =>
  a === b || (b !== null && a.kind === b.kind && a.by === b.by && a.detail === b.detail)

const cause: Field = {
  ...given('cause'),
  pack: (value: Cause, context) => (sameCause(value, context.cause) ? 0 : packCause(value, context)),
  unpack: (packed: readonly [string, string | null] | 0, context) =>
    packed === 0 ? context.cause : unpackCause(packed, context),
}

const waitReason: Field = {
  ...plain('waitReason', null),
  pack: (value: WaitReason | null) => {
    if (value === null) return null
    const { code, message, pausedWith } = value
    return pausedWith === undefined ? [code, message] : [code, message, pausedWith]
  },
  unpack: (packed: readonly [string, string, InvocationId?] | null) => {
    if (packed === null) return null
    const [code, message, pausedWith] = packed
    return pausedWith === undefined ? { code, message } : { code, message, pausedWith }
  },
}

/** Inline text as it is, a blob as `[hash, bytes]`. */
export function packPayload(value: Payload | null): Packed {
  if (value === null) return null
  return value.kind === 'inline' ? value.json : [value.hash, value.bytes]
}

/** The payload that was packed. */
export function unpackPayload(packed: string | readonly [string, number] | null): Payload | null {
  if (packed === null) return null
  if (typeof packed === 'string') return { kind: 'inline', json: packed }
  return { kind: 'blob', hash: packed[0] as Extract<Payload, { kind: 'blob' }>['hash'], bytes: packed[1] }
}

const payload = (name: string): Field => {
  return { ...plain(name, null), pack: packPayload, unpack: unpackPayload }
}

const priorities: readonly Priority[] = ['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'MINIMAL']

/** In this order. */
export const invocationFields: FieldList = fieldList([
  given('nodeId'),
  given('taskKind'),
  plain('generation', 0),
  plain('path', ''),
  plain('role', 'forward'),
  listed('status', invocationStatuses, 'REGISTERED'),
  plain('version', 1),
  listed('priority', priorities, 'NORMAL'),
  plain('pool', 'default'),
  tags,
  lease,
  fence,
  plain('attempt', 0),
  plain('failureCount', 0),
  plain('crashCount', 0),
  { ...instant('registeredAt'), usual: undefined },
  instant('notBefore'),
  instant('startedAt'),
  instant('deadlineAt'),
  instant('finishedAt'),
  instant('cancelRequestedAt'),
  waitReason,
  cause,
  payload('input'),
  payload('output'),
  plain('ports', null),
  plain('error', null),
  plain('route', null),
  plain('permits', null),
  plain('wait', null),
  plain('dispatch', null),
])

/** In this order. */
export const runFields: FieldList = fieldList([
  plain('partition', 0),
  plain('tenant', 'local'),
  given('workflowId'),
  given('workflowTitle'),
  given('definitionHash'),
  plain('requestId', null),
  plain('parentRunId', null),
  plain('generation', 0),
  listed('status', runStatuses, 'CREATED'),
  plain('version', 1),
  listed('priority', priorities, 'NORMAL'),
  tags,
  cause,
  payload('input'),
  plain('baseDirectory', null),
  { ...instant('now'), usual: undefined },
  given('seed'),
  { ...instant('createdAt'), usual: undefined },
  instant('startedAt'),
  instant('finishedAt'),
  instant('deadlineAt'),
  instant('cancelRequestedAt'),
  payload('output'),
  plain('error', null),
  plain('parentInvocationId', null),
  plain('origin', null),
  instant('pauseRequestedAt'),
  plain('signals', emptyList),
  plain('permits', null),
  waitReason,
  plain('traceParent', null),
])

type Source = Readonly<Record<string, unknown>>

/**
 * Packs a whole record: a bit per field whose value isn't the usual one, then these values; appended to
 * `out`.
 */
export function packRecord(
  fields: FieldList,
  source: object,
  packing: { readonly context: CodecContext; readonly out: Packed[] },
): void {
  const { context, out } = packing
  const place = out.length
  out.push(0)
  let mask = 0
  context.lease = null
  for (let index = 0; index < fields.all.length; index += 1) {
    const field = fields.all[index] as Field
    const value = (source as Source)[field.name]
    if (value === field.usual || (field.usual === emptyList && isEmpty(value))) continue
    mask |= 1 << index
    out.push(field.pack === null ? value : field.pack(value as never, context))
  }
  out[place] = mask
}

/** Packs the fields that are there: a bit for each, then the values; appended to `out`. */
export function packSet(
  fields: FieldList,
  source: object,
  packing: { readonly context: CodecContext; readonly out: Packed[] },
): void {
  const { context, out } = packing
  let mask = 0
  for (const name in source) mask |= fields.bitByName.get(name) ?? 0
  out.push(mask)
  context.lease = null
  for (let left = mask; left !== 0; left &= left - 1) {
    // The lowest bit that is left.
    const field = fields.all[31 - Math.clz32(left & -left)] as Field
    const value = (source as Source)[field.name]
    out.push(field.pack === null ? value : field.pack(value as never, context))
  }
}

const isEmpty = (value: unknown): boolean => (value as readonly unknown[]).length === 0

/** Reads what `packSet` wrote at `from`; the fields, and the place after them. */
export function unpackFields(
  fields: FieldList,
  packed: readonly Packed[],
  reading: { readonly context: CodecContext; readonly from: number },
): { readonly values: Source; readonly next: number } {
  const values: Record<string, unknown> = {}
  return { values, next: unpackInto(fields, packed, { ...reading, target: values }) }
}

/** Reads what `packRecord` wrote at `from`: all but the ids. */
export function unpackRecord(
  fields: FieldList,
  packed: readonly Packed[],
  reading: { readonly context: CodecContext; readonly from: number },
): Record<string, unknown> {
  const target = { ...fields.usual }
  unpackInto(fields, packed, { ...reading, target })
  return target
}

/** The same into an object that is there; the place after the fields. */
export function unpackInto(
  fields: FieldList,
  packed: readonly Packed[],
  reading: {
    readonly context: CodecContext
    readonly from: number
    readonly target: Record<string, unknown>
  },
): number {
  const { context, from, target } = reading
  let next = from + 1
  context.lease = null
  for (let left = packed[from] as number; left !== 0; left &= left - 1) {
    const field = fields.all[31 - Math.clz32(left & -left)] as Field
    const value = packed[next]
    target[field.name] = field.unpack === null ? value : field.unpack(value as never, context)
    next += 1
  }
  return next
}

/** A status by its place in the table. */
export const packStatus = {
  invocation: (status: InvocationStatus): number => invocationPlaces.get(status) ?? -1,
  run: (status: RunStatus): number => runPlaces.get(status) ?? -1,
} as const

const invocationPlaces = new Map(invocationStatuses.map((status, place) => [status, place]))
const runPlaces = new Map(runStatuses.map((status, place) => [status, place]))
