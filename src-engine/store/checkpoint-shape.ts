/** What can be said about a checkpoint without looking at any record: does it contradict itself? */

import type { AttemptRecord } from '../model/attempt.ts'
import type { Checkpoint } from '../model/checkpoint.ts'
import type { EventBody, EventDraft } from '../model/event.ts'
import type { InvocationId } from '../model/ids.ts'
import { isOfRun } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { registerBytesMax } from '../model/limits.ts'
import { utf8Bytes } from '../model/payload.ts'

type ExpectedInvocation = Checkpoint['expect']['invocations'][number]

/** With more than so many, one index is cheaper than a search for each. */
const searchedMax = 8

/** The contradictions of a checkpoint in words; null when there are none. */
export function problemsOfShape(checkpoint: Checkpoint): readonly string[] | null {
  const problem =
    runProblem(checkpoint) ??
    invocationProblem(checkpoint) ??
    registerProblem(checkpoint) ??
    attemptProblem(checkpoint) ??
    eventProblem(checkpoint) ??
    bumpProblem(checkpoint)
  return problem === null ? null : [problem]
}

function runProblem({ expect, writes, events }: Checkpoint): string | null {
  const { run } = writes
  if (run === null) return null
  if (expect.run?.id !== run.id) return `the run ${run.id} is written without a precondition`
  if (run.version !== expect.run.version + 1) return `the run's version must be ${expect.run.version + 1}`
  return events.some((event) => tellsVersion(event, run.version))
    ? null
    : 'no event tells the new version of the run'
}

/** Replaying the events must give the run's version too. */
function tellsVersion({ body, runVersion }: EventDraft, version: number): boolean {
  if (runVersion === version) return true
  if (body.type === 'run.created') return body.run.version === version
  return body.type === 'run.changed' && body.set.version === version
}

/** Written invocations stand first among the preconditions or are found by id; each exactly once. */
function invocationProblem({ expect, writes }: Checkpoint): string | null {
  const { invocations } = writes
  if (invocations.length === 0) return null
  let byId: ReadonlyMap<InvocationId, ExpectedInvocation> | null = null
  const seen = invocations.length > searchedMax ? new Set<string>() : null
  for (let index = 0; index < invocations.length; index += 1) {
    const record = invocations[index]
    if (record === undefined) continue
    let expected = expect.invocations[index]
    if (expected?.id !== record.id) {
      byId ??= new Map(expect.invocations.map((item) => [item.id, item]))
      expected = byId.get(record.id)
    }
    if (expected === undefined) return `${record.id} is written without a precondition`
    if (record.version !== expected.version + 1)
      return `the version of ${record.id} must be ${expected.version + 1}`
    // Its run is looked up by its id.
    if (!isOfRun(record.id, record.runId)) return `${record.id} is written to the run ${record.runId}`
    if (seen === null ? isAmong(invocations, index) : seen.has(record.id))
      return `${record.id} is written twice`
    seen?.add(record.id)
  }
  return null
}

/** Whether an earlier one is of the same invocation. */
function isAmong(invocations: readonly InvocationRecord[], index: number): boolean {
  const id = invocations[index]?.id
  for (let earlier = 0; earlier < index; earlier += 1) if (invocations[earlier]?.id === id) return true
  return false
}

function registerProblem({ expect, writes }: Checkpoint): string | null {
  for (const { key, value } of writes.registers) {
    if (!expect.registers.some((item) => item.key === key))
      return `the register ${key} is written without a precondition`
    const bytes = utf8Bytes(JSON.stringify(value ?? null))
    if (bytes > registerBytesMax)
      return `the register ${key} has ${bytes} bytes; at most ${registerBytesMax} fit`
  }
  return null
}

/** An attempt is part of the history, so an event must carry it. */
function attemptProblem({ writes, events }: Checkpoint): string | null {
  const { attempts } = writes
  const carried = attempts.length > searchedMax ? carriedAttempts(events) : null
  for (const { invocationId, number } of attempts) {
    const told =
      carried === null
        ? events.some(({ body }) => carriesAttempt(body, invocationId, number))
        : carried.has(attemptKey(invocationId, number))
    if (!told) return `attempt ${number} of ${invocationId} is written without an event`
  }
  return null
}

function carriedAttempts(events: readonly EventDraft[]): ReadonlySet<string> {
  const carried = new Set<string>()
  for (const { body } of events) {
    if (body.type !== 'invocation.changed' || body.attempt === null) continue
    carried.add(attemptKey(body.attempt.invocationId, body.attempt.number))
  }
  return carried
}

const attemptKey = (invocationId: string, number: number): string => `${number} ${invocationId}`

function carriesAttempt(body: EventBody, invocationId: string, number: number): boolean {
  if (body.type !== 'invocation.changed' || body.attempt === null) return false
  return body.attempt.number === number && body.attempt.invocationId === invocationId
}

function eventProblem({ events, writes }: Checkpoint): string | null {
  const { attempts } = writes
  const numbers = attempts.length > searchedMax ? new Set(attempts.map(({ number }) => number)) : null
  for (const { body, runId, runVersion } of events) {
    if (runVersion !== undefined && runVersion !== writes.run?.version)
      return 'an event tells another run version'
    switch (body.type) {
      case 'run.created':
      case 'run.changed':
        if (writes.run === null || writes.run.id !== runId)
          return `an event tells of the run ${runId}, which is not written`
        break
      case 'invocation.changed':
        if (body.attempt !== null && !isWritten(body.attempt, attempts, numbers))
          return 'an event carries an attempt that is not written'
        break
      case 'register.changed':
        if (!writes.registers.some((item) => item.key === body.key))
          return `an event tells of the register ${body.key}, which is not written`
        break
      case 'epoch.changed':
        return 'only the store itself may change the epoch'
      case 'invocation.registered':
      case 'node.skipped':
        if (runId === null) return `${body.type} needs its run`
    }
  }
  return null
}

const isWritten = (
  { number }: AttemptRecord,
  attempts: readonly AttemptRecord[],
  numbers: ReadonlySet<number> | null,
): boolean => (numbers === null ? attempts.some((item) => item.number === number) : numbers.has(number))

/**
 * A repeated checkpoint is known by a precondition that no longer holds. What isn't idempotent by itself
 * therefore needs at least one write that makes a version grow.
 */
function bumpProblem({ events, writes }: Checkpoint): string | null {
  if (writes.run !== null || writes.invocations.length > 0 || writes.registers.length > 0) return null
  const { take, outbox, deadLetters, attempts } = writes
  if (events.length + take.length + outbox.length + deadLetters.length + attempts.length === 0) return null
  return 'a checkpoint must write a run, an invocation or a register'
}
