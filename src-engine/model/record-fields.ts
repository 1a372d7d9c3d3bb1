/**
 * The fields of runs and invocations, and what each is packed as. Their order, places in lists of statuses and marks
 * are a stored form: append, never reorder, and count `eventCodecVersion` up otherwise.
 */

import { packBreakpoints, unpackBreakpoints } from './breakpoint.ts'
import type { Field, FieldList } from './field-list.ts'
import { fieldList } from './field-list.ts'
import type { InvocationId } from './ids.ts'
import type { Cause, Dispatch, Lease, Priority, WaitReason } from './invocation.ts'
import type { InvocationStatus } from './invocation-status.ts'
import { invocationStatuses } from './invocation-status.ts'
import type { Payload } from './payload.ts'
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

/** The usual value of lists. */
export const emptyList: readonly string[] = []

const tags: Field = plain('tags', emptyList)

/** A fence that follows is told by it. */
export function packLease(value: Lease | null, context: CodecContext): Packed {
  context.lease = value
  if (value === null) return null
  const { epoch, counter } = value.fence
  return [packName(value.runnerId, context), epoch - context.epoch, counter, value.expiresAt - context.at]
}

const lease: Field = {
  ...plain('lease', null),
  pack: packLease,
  unpack: (packed: readonly [string, number, number, number] | null, context) => {
    context.lease = packed === null ? null : unpackLease(packed, context)
    return context.lease
  },
}

const fence: Field = { ...plain('fence', null), pack: packFence, unpack: unpackFence }

/** 0 stands for the cause of the event. */
export const packOwnCause = (value: Cause, context: CodecContext): Packed =>
  sameCause(value, context.cause) ? 0 : packCause(value, context)

const cause: Field = {
  ...given('cause'),
  pack: packOwnCause,
  unpack: (packed: PackedCause | 0, context) => (packed === 0 ? context.cause : unpackCause(packed, context)),
}

/** 0 stands for the node that the invocation's id names. */
export const packNode = (value: string, context: CodecContext): Packed =>
  context.short && value === nodeOfId(context) ? 0 : value

const node: Field = {
  ...given('nodeId'),
  pack: packNode,
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
export function packOutput(value: Payload | null, context: CodecContext): Packed {
  if (context.short && samePayload(value, context.output)) return 1
  context.output = value ?? context.output
  return packPayload(value)
}

const output: Field = {
  ...plain('output', null),
  pack: packOutput,
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

/** A status by its place in the table. */
export const packStatus = {
  invocation: (status: InvocationStatus): number => invocationPlaces.get(status) ?? -1,
  run: (status: RunStatus): number => runPlaces.get(status) ?? -1,
} as const

const invocationPlaces = new Map(invocationStatuses.map((status, place) => [status, place]))
const runPlaces = new Map(runStatuses.map((status, place) => [status, place]))
