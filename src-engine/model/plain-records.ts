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
  packNode,
  packOutput,
  packOwnCause,
  packStatus,
  runFields,
} from './record-fields.ts'
import type { RunRecord } from './run.ts'
import { packPayload } from './value-codec.ts'

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
const bitOfPath = bitOf(invocationFields, 'path')

/** Packs an invocation; appended to `out`. */
export function packInvocation(invocation: InvocationRecord, packing: Packing): void {
  if (isPlainInvocation(invocation)) packPlainInvocation(invocation, packing)
  else packRecord(invocationFields, invocation, packing)
}

/** Whether it is as it begins: all is as usual that `packPlainInvocation` doesn't look at. */
const isPlainInvocation = (invocation: InvocationRecord): boolean =>
  invocation.status === 'REGISTERED' &&
  invocation.version === 1 &&
  invocation.lease === null &&
  invocation.generation === 0 &&
  invocation.role === 'forward' &&
  invocation.priority === 'NORMAL' &&
  invocation.pool === 'default' &&
  invocation.tags.length === 0 &&
  invocation.fence === null &&
  invocation.attempt === 0 &&
  invocation.failureCount === 0 &&
  invocation.crashCount === 0 &&
  invocation.notBefore === null &&
  invocation.startedAt === null &&
  invocation.deadlineAt === null &&
  invocation.finishedAt === null &&
  invocation.cancelRequestedAt === null &&
  invocation.waitReason === null &&
  invocation.input === null &&
  invocation.output === null &&
  invocation.ports === null &&
  invocation.error === null &&
  invocation.route === null &&
  invocation.permits === null &&
  invocation.wait === null &&
  invocation.dispatch === null

/** In the order of `invocationFields`. */
function packPlainInvocation(invocation: InvocationRecord, { context, out }: Packing): void {
  const { path } = invocation
  context.lease = null
  const mask = path === '' ? givenOfInvocation : givenOfInvocation | bitOfPath
  out.push(mask, packNode(invocation.nodeId, context), invocation.taskKind)
  if (path !== '') out.push(path)
  out.push(invocation.registeredAt - context.at, packOwnCause(invocation.cause, context))
}
