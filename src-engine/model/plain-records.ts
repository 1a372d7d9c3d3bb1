/**
 * Whole records as they are packed. Nearly all say the usual in nearly all of their fields: these are looked at by name
 * and in a row, which takes a fraction of going through the list of fields. The text is the same.
 */

import type { FieldList } from './field-list.ts'
import type { InvocationRecord } from './invocation.ts'
import type { Packing } from './record-codec.ts'
import { packRecord } from './record-codec.ts'
import {
  invocationFields,
  packLease,
  packNode,
  packOutput,
  packOwnCause,
  packStatus,
  runFields,
} from './record-fields.ts'
import type { RunRecord } from './run.ts'
import { packFence, packPayload } from './value-codec.ts'

const bitOf = (fields: FieldList, name: keyof RunRecord | keyof InvocationRecord): number =>
  fields.bitByName.get(name) ?? 0

const bitsOf = (fields: FieldList, names: readonly (keyof RunRecord | keyof InvocationRecord)[]): number =>
  names.reduce((bits, name) => bits | bitOf(fields, name), 0)

/** What is never left out. */
const givenOfRun = bitsOf(runFields, [
  'workflowId',
  'workflowTitle',
  'definitionHash',
  'cause',
  'input',
  'now',
  'seed',
  'createdAt',
])
const bitOfRun = {
  requestId: bitOf(runFields, 'requestId'),
  status: bitOf(runFields, 'status'),
  version: bitOf(runFields, 'version'),
  baseDirectory: bitOf(runFields, 'baseDirectory'),
  startedAt: bitOf(runFields, 'startedAt'),
  finishedAt: bitOf(runFields, 'finishedAt'),
  output: bitOf(runFields, 'output'),
} as const

/** Packs a run; appended to `out`. */
export function packRun(run: RunRecord, packing: Packing): void {
  if (isPlainRun(run)) packPlainRun(run, packing)
  else packRecord(runFields, run, packing)
}

/** Whether all is as usual that `packPlainRun` doesn't look at. */
const isPlainRun = (run: RunRecord): boolean =>
  run.partition === 0 &&
  run.tenant === 'local' &&
  run.parentRunId === null &&
  run.generation === 0 &&
  run.priority === 'NORMAL' &&
  run.tags.length === 0 &&
  run.deadlineAt === null &&
  run.cancelRequestedAt === null &&
  run.error === null &&
  run.parentInvocationId === null &&
  run.origin === null &&
  run.pauseRequestedAt === null &&
  run.signals.length === 0 &&
  run.permits === null &&
  run.waitReason === null &&
  run.traceParent === null &&
  run.breakpoints.length === 0 &&
  run.idleMs === undefined

/** In the order of `runFields`. */
function packPlainRun(run: RunRecord, { context, out }: Packing): void {
  const { requestId, status, version, baseDirectory, startedAt, finishedAt, output } = run
  const place = out.length
  let mask = givenOfRun
  context.lease = null
  out.push(0, run.workflowId, run.workflowTitle, run.definitionHash)
  if (requestId !== null) {
    mask |= bitOfRun.requestId
    out.push(requestId)
  }
  if (status !== 'CREATED') {
    mask |= bitOfRun.status
    out.push(packStatus.run(status))
  }
  if (version !== 1) {
    mask |= bitOfRun.version
    out.push(version)
  }
  out.push(packOwnCause(run.cause, context), packPayload(run.input))
  if (baseDirectory !== null) {
    mask |= bitOfRun.baseDirectory
    out.push(baseDirectory)
  }
  out.push(run.now - context.at, run.seed, run.createdAt - context.at)
  if (startedAt !== null) {
    mask |= bitOfRun.startedAt
    out.push(startedAt - context.at)
  }
  if (finishedAt !== null) {
    mask |= bitOfRun.finishedAt
    out.push(finishedAt - context.at)
  }
  if (output !== null) {
    mask |= bitOfRun.output
    out.push(packOutput(output, context))
  }
  out[place] = mask
}

/** What is never left out. */
const givenOfInvocation = bitsOf(invocationFields, ['nodeId', 'taskKind', 'registeredAt', 'cause'])
const bitOfInvocation = {
  path: bitOf(invocationFields, 'path'),
  status: bitOf(invocationFields, 'status'),
  version: bitOf(invocationFields, 'version'),
  pool: bitOf(invocationFields, 'pool'),
  lease: bitOf(invocationFields, 'lease'),
  fence: bitOf(invocationFields, 'fence'),
  attempt: bitOf(invocationFields, 'attempt'),
  startedAt: bitOf(invocationFields, 'startedAt'),
  deadlineAt: bitOf(invocationFields, 'deadlineAt'),
  finishedAt: bitOf(invocationFields, 'finishedAt'),
  input: bitOf(invocationFields, 'input'),
  output: bitOf(invocationFields, 'output'),
  route: bitOf(invocationFields, 'route'),
} as const

/** Packs an invocation; appended to `out`. */
export function packInvocation(invocation: InvocationRecord, packing: Packing): void {
  if (!isPlainInvocation(invocation)) packRecord(invocationFields, invocation, packing)
  else {
    const place = packing.out.push(0) - 1
    packing.context.lease = null
    // In the order of `invocationFields`.
    packing.out[place] = givenOfInvocation | packDuty(invocation, packing) | packCourse(invocation, packing)
  }
}

/** Whether all is as usual that isn't looked at below. */
const isPlainInvocation = (invocation: InvocationRecord): boolean =>
  invocation.generation === 0 &&
  invocation.role === 'forward' &&
  invocation.priority === 'NORMAL' &&
  invocation.tags.length === 0 &&
  invocation.failureCount === 0 &&
  invocation.crashCount === 0 &&
  invocation.notBefore === null &&
  invocation.cancelRequestedAt === null &&
  invocation.waitReason === null &&
  invocation.ports === null &&
  invocation.error === null &&
  invocation.permits === null &&
  invocation.wait === null &&
  invocation.dispatch === null

/** What is to be done and who does it; the bits of what isn't as usual. */
function packDuty(invocation: InvocationRecord, { context, out }: Packing): number {
  const { path, status, version, pool, lease, fence, attempt } = invocation
  let mask = 0
  out.push(packNode(invocation.nodeId, context), invocation.taskKind)
  if (path !== '') {
    mask |= bitOfInvocation.path
    out.push(path)
  }
  if (status !== 'REGISTERED') {
    mask |= bitOfInvocation.status
    out.push(packStatus.invocation(status))
  }
  if (version !== 1) {
    mask |= bitOfInvocation.version
    out.push(version)
  }
  if (pool !== 'default') {
    mask |= bitOfInvocation.pool
    out.push(pool)
  }
  if (lease !== null) {
    mask |= bitOfInvocation.lease
    out.push(packLease(lease, context))
  }
  if (fence !== null) {
    mask |= bitOfInvocation.fence
    out.push(packFence(fence, context))
  }
  if (attempt !== 0) {
    mask |= bitOfInvocation.attempt
    out.push(attempt)
  }
  return mask
}

/** When it was done, why and with what; the bits of what isn't as usual. */
function packCourse(invocation: InvocationRecord, { context, out }: Packing): number {
  const { startedAt, deadlineAt, finishedAt, input, output, route } = invocation
  let mask = 0
  out.push(invocation.registeredAt - context.at)
  if (startedAt !== null) {
    mask |= bitOfInvocation.startedAt
    out.push(startedAt - context.at)
  }
  if (deadlineAt !== null) {
    mask |= bitOfInvocation.deadlineAt
    out.push(deadlineAt - context.at)
  }
  if (finishedAt !== null) {
    mask |= bitOfInvocation.finishedAt
    out.push(finishedAt - context.at)
  }
  out.push(packOwnCause(invocation.cause, context))
  if (input !== null) {
    mask |= bitOfInvocation.input
    out.push(packPayload(input))
  }
  if (output !== null) {
    mask |= bitOfInvocation.output
    out.push(packOutput(output, context))
  }
  if (route !== null) {
    mask |= bitOfInvocation.route
    out.push(route)
  }
  return mask
}
