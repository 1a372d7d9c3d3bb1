/**
 * The fields of runs and invocations as short JSON values by place. Field order, places in lists of
 * statuses and marks are a stored form: append, never reorder, and count `eventCodecVersion` up otherwise.
 */

import { packBreakpoints, unpackBreakpoints } from './breakpoint.ts'
import type { Field, FieldList } from './field-list.ts'
import { fieldList, lowerBits, masksJoined, upperOf } from './field-list.ts'
import type { InvocationId, RunId } from './ids.ts'
import { definitionHash, invocationId, nodeId, runId, workflowId } from './ids.ts'
import type { Cause, Dispatch, InvocationRecord, Lease, Priority, WaitReason } from './invocation.ts'
import type { InvocationStatus } from './invocation-status.ts'
import { invocationStatuses } from './invocation-status.ts'
import { newInvocation, newRun } from './new-records.ts'
import type { Payload } from './payload.ts'
import type { RunRecord } from './run.ts'
import type { RunStatus } from './run-status.ts'
import { runStatuses } from './run-status.ts'
import type { CodecContext, Packed, PackedCause, PackedPayload } from './value-codec.ts'
import {
  nodeOfId,
  packCause,
  packFence,
  packName,
  packPayload,
  sameCause,
  samePayload,
  unpackCause,
  unpackFence,
  unpackLease,
  unpackName,
  unpackPayload,
} from './value-codec.ts'

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
    context.lease = packed === null ? null : unpackLease(packed, context)
    return context.lease
  },
}

const fence: Field = { ...plain('fence', null), pack: packFence, unpack: unpackFence }

const cause: Field = {
  ...given('cause'),
  pack: (value: Cause, context) => (sameCause(value, context.cause) ? 0 : packCause(value, context)),
  unpack: (packed: PackedCause | 0, context) => (packed === 0 ? context.cause : unpackCause(packed, context)),
}

/** 0 stands for the node that the invocation's id names. */
const node: Field = {
  ...given('nodeId'),
  pack: (value: string, context) => (context.short && value === nodeOfId(context) ? 0 : value),
  unpack: (packed: string | 0, context) => (packed === 0 ? nodeOfId(context) : packed),
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

/** In short `[since, tries, failed runner, pause asked for, beat]` without the empty ones at its end. */
const dispatch: Field = {
  ...plain('dispatch', null),
  pack(value: Dispatch | null, context) {
    if (value === null || !context.short) return value
    // Whatever else it says, or in another order, is kept as it is.
    if (Object.keys(value).join() !== dispatchKeys) return value
    const { firstClaimedAt: since, schedulingAttempts, lastFailedRunner, pauseRequestedAt, beatAt } = value
    const start = [since === null ? null : since - context.at]
    if (schedulingAttempts === 0 && lastFailedRunner === null && pauseRequestedAt === null && beatAt === null)
      return start
    return [...start, schedulingAttempts, packName(lastFailedRunner, context), pauseRequestedAt, beatAt]
  },
  unpack(packed: PackedDispatch | Dispatch | null, context) {
    if (!isPackedDispatch(packed)) return packed
    const [since, schedulingAttempts = 0, runner = null, pauseRequestedAt = null, beatAt = null] = packed
    const firstClaimedAt = since === null ? null : since + context.at
    const lastFailedRunner = unpackName(runner, context)
    return { firstClaimedAt, schedulingAttempts, lastFailedRunner, pauseRequestedAt, beatAt }
  },
}

const dispatchKeys = 'firstClaimedAt,schedulingAttempts,lastFailedRunner,pauseRequestedAt,beatAt'

type PackedDispatch = readonly [number | null, number?, (string | null)?, (number | null)?, (number | null)?]

const isPackedDispatch = (packed: unknown): packed is PackedDispatch => Array.isArray(packed)

const payload = (name: string): Field => {
  return { ...plain(name, null), pack: packPayload, unpack: unpackPayload }
}

/** 1 stands for the output told last: a run's is mostly that of its last step. */
const output: Field = {
  ...plain('output', null),
  pack(value: Payload | null, context) {
    if (context.short && samePayload(value, context.output)) return 1
    context.output = value ?? context.output
    return packPayload(value)
  },
  unpack(packed: PackedPayload | 1 | null, context) {
    if (packed === 1) return context.output
    const value = unpackPayload(packed)
    context.output = value ?? context.output
    return value
  },
}

const priorities: readonly Priority[] = ['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'MINIMAL']

/** In this order. */
export const invocationFields: FieldList = fieldList([
  node,
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
  output,
  plain('ports', null),
  plain('error', null),
  plain('route', null),
  plain('permits', null),
  plain('wait', null),
  dispatch,
])

/** As pairs, or with their counts: the same text for the same breakpoints. */
const breakpoints: Field = {
  ...plain('breakpoints', emptyList),
  pack: packBreakpoints,
  unpack: unpackBreakpoints,
}

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
  output,
  plain('error', null),
  plain('parentInvocationId', null),
  plain('origin', null),
  instant('pauseRequestedAt'),
  plain('signals', emptyList),
  plain('permits', null),
  waitReason,
  plain('traceParent', null),
  breakpoints,
  // Absent is its usual value.
  plain('idleMs', undefined),
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
  const { all } = fields
  const { out } = packing
  const place = out.length
  out.push(0)
  let mask = 0
  let upper = 0
  let next = 0
  packing.context.lease = null
  // Records are made with their fields in the order of the list, behind the ids: reading them in their own order
  // is several times as fast as looking for each.
  for (const name in source) {
    const field = next < lowerBits ? all[next] : undefined
    if (field?.name === name) {
      if (packUnusual(field, (source as Source)[name], packing)) mask |= 1 << next
      next += 1
    } else if (next > 0) break
  }
  for (; next < all.length; next += 1) {
    const field = all[next] as Field
    if (!packUnusual(field, (source as Source)[field.name], packing)) continue
    if (next < lowerBits) mask |= 1 << next
    else upper |= 1 << (next - lowerBits)
  }
  out[place] = masksJoined(mask, upper)
}

/** Whether the value isn't the usual one, and was appended to `out`. */
function packUnusual(
  field: Field,
  value: unknown,
  { context, out }: { readonly context: CodecContext; readonly out: Packed[] },
): boolean {
  const { usual, pack } = field
  if (value === usual || (usual === emptyList && isEmpty(value))) return false
  out.push(pack === null ? value : pack(value as never, context))
  return true
}

/** Packs the fields that are there: a bit for each, then the values; appended to `out`. */
export function packSet(
  fields: FieldList,
  source: object,
  packing: { readonly context: CodecContext; readonly out: Packed[] },
): void {
  const { context, out } = packing
  let mask = 0
  let upper = 0
  for (const name in source) {
    const bit = fields.bitByName.get(name)
    if (bit === undefined) upper |= fields.upperByName.get(name) ?? 0
    else mask |= bit
  }
  out.push(masksJoined(mask, upper))
  context.lease = null
  let place = 0
  for (let left = mask; left !== 0 || upper !== 0; left &= left - 1) {
    if (left === 0) {
      left = upper
      upper = 0
      place = lowerBits
    }
    // The lowest bit that is left.
    const field = fields.all[place + 31 - Math.clz32(left & -left)] as Field
    const value = (source as Source)[field.name]
    out.push(field.pack === null ? value : field.pack(value as never, context))
  }
}

const isEmpty = (value: unknown): boolean => (value as readonly unknown[]).length === 0

/** The run that `packRecord` wrote at `from`; the context tells its id. */
export function unpackRun(packed: readonly Packed[], context: CodecContext, from: number): RunRecord {
  // A copy of a record has its shape at once; fields added one by one would make a slow dictionary.
  const target = { ...blankRun, id: context.runId as RunId }
  unpackInto(runFields, packed, { context, from, target })
  return target
}

/** The same of an invocation. */
export function unpackInvocation(
  packed: readonly Packed[],
  context: CodecContext,
  from: number,
): InvocationRecord {
  const { id, runId: of } = context
  const target = { ...blankInvocation, id: id as InvocationId, runId: of as RunId }
  unpackInto(invocationFields, packed, { context, from, target })
  return target
}

const blankInvocation = newInvocation({
  id: invocationId(''),
  runId: runId(''),
  nodeId: nodeId(''),
  taskKind: '',
  registeredAt: 0,
  cause: { kind: '', by: null, detail: null },
})

const blankRun = newRun({
  id: runId(''),
  workflowId: workflowId(''),
  workflowTitle: '',
  definitionHash: definitionHash(''),
  input: { kind: 'inline', json: 'null' },
  seed: '',
  now: 0,
})

/** The fields that `packSet` wrote at `from`, and the place after them. */
export function unpackSet(
  fields: FieldList,
  packed: readonly Packed[],
  reading: { readonly context: CodecContext; readonly from: number },
): { readonly values: Source; readonly next: number } {
  const target: Record<string, unknown> = {}
  return { values: target, next: unpackInto(fields, packed, { ...reading, target }) }
}

/** Reads packed fields into an object that is there; the place after them. */
export function unpackInto(
  fields: FieldList,
  packed: readonly Packed[],
  reading: { readonly context: CodecContext; readonly from: number; readonly target: object },
): number {
  const { context, from } = reading
  const target = reading.target as Record<string, unknown>
  const word = packed[from] as number
  let next = from + 1
  let upper = upperOf(word)
  let place = 0
  context.lease = null
  for (let left = word | 0; left !== 0 || upper !== 0; left &= left - 1) {
    if (left === 0) {
      left = upper
      upper = 0
      place = lowerBits
    }
    const field = fields.all[place + 31 - Math.clz32(left & -left)] as Field
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
