/** Records as short texts, by the places of their fields: a server's memory is dear, and so is its network. */

import type { AttemptRecord } from '../../model/attempt.ts'
import { packAttempt, unpackAttempt } from '../../model/attempt-codec.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { packInvocation, packRun } from '../../model/plain-records.ts'
import { unpackInvocation, unpackRun } from '../../model/record-codec.ts'
import type { RunRecord } from '../../model/run.ts'
import type { CodecContext, Packed } from '../../model/value-codec.ts'
import { newContext } from '../../model/value-codec.ts'
import { versionOf } from './tokens.ts'

/** A body stands alone: nothing is told before it, and instants count from the beginning of time. */
function contextOf(runId: RunId, id: InvocationId | null): CodecContext {
  const context = newContext({ at: 0, epoch: 0, runId }, { actorId: null, short: true })
  context.id = id
  return context
}

export function runText(run: RunRecord): string {
  const out: Packed[] = []
  packRun(run, { context: contextOf(run.id, null), out })
  return JSON.stringify(out)
}

/** Which version it is the token tells: the text stays where nothing else has changed. */
export function readRun(
  id: RunId,
  { text, token }: { readonly text: string; readonly token: string },
): RunRecord {
  // Written by `runText`.
  const run = unpackRun(JSON.parse(text) as Packed[], contextOf(id, null), 0)
  return { ...run, version: versionOf(token) }
}

export function invocationText(record: InvocationRecord): string {
  const out: Packed[] = []
  packInvocation(record, { context: contextOf(record.runId, record.id), out })
  return JSON.stringify(out)
}

export const readInvocation = (id: InvocationId, text: string): InvocationRecord =>
  // Written by `invocationText`.
  unpackInvocation(JSON.parse(text) as Packed[], contextOf(runIdOf(id), id), 0)

/** Which attempt it is the field tells. */
export const attemptText = (attempt: AttemptRecord): string =>
  JSON.stringify(packAttempt(attempt, {}, contextOf(attempt.runId, attempt.invocationId)))

export const readAttempt = (invocationId: InvocationId, text: string): AttemptRecord => {
  const runId = runIdOf(invocationId)
  // Written by `attemptText`.
  const packed = JSON.parse(text) as Parameters<typeof unpackAttempt>[0]
  return unpackAttempt(packed, {}, { context: contextOf(runId, invocationId), ids: { invocationId, runId } })
}
