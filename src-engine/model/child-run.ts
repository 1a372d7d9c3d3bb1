/** A run that a step of another run starts: everything that its start needs, written with that step. */

import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base32 } from './idempotency-key.ts'
import type { DefinitionHash, InvocationId, RunId } from './ids.ts'
import { runId } from './ids.ts'
import type { InvocationRecord, Priority } from './invocation.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'

export interface ChildRun {
  readonly runId: RunId
  readonly tenant: string
  readonly hash: DefinitionHash
  readonly input: Payload
  /** Where relative paths of its tasks start. */
  readonly baseDirectory: string | null
  /** Of its parent, where its workflow names none. */
  readonly priority: Priority
  /** When its parent's time is over; null when that has no bound. */
  readonly deadlineAt: Instant | null
  readonly parentRunId: RunId
  readonly parentInvocationId: InvocationId
  /** Whether the parent's step waits for its end. */
  readonly waits: boolean
}

/** 130 bits: nobody meets the same by chance. */
const idLength = 26

/**
 * The run of a step's try. The same step finds the same run after every crash; a try that follows a failure
 * (`failureCount`) has another one.
 */
export function childRunId(parent: InvocationId, failureCount: number): RunId {
  const digest = sha256(utf8ToBytes(JSON.stringify([parent, failureCount])))
  return runId(`run_sub_${base32(digest).slice(0, idLength)}`)
}

/** The run that a step started; null for one that started none, or none yet. */
export function childRunOf(record: InvocationRecord): RunId | null {
  if (record.wait?.kind === 'run') return record.wait.runId
  const failed = record.error?.details['childRunId']
  if (typeof failed === 'string') return runId(failed)
  // Its id follows from the step and its try, so that nobody has to keep it.
  // A result that is held back was given all the same.
  const { taskKind, status } = record
  if (taskKind !== 'sub-workflow' || (status !== 'SUCCESS' && status !== 'OUTPUT_QUARANTINED')) return null
  return childRunId(record.id, record.failureCount)
}
