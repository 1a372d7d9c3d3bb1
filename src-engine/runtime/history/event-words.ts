/** What an event says to a person who reads a log, and how urgent it is. Pure. */

import type { EngineEvent, EventBody } from '../../model/event.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { spanText } from '../../model/summary.ts'
import type { LogLevel } from '../../protocol/history.ts'

export interface EventWords {
  readonly text: string
  readonly level: LogLevel
}

type Meaning = readonly [words: string, level: LogLevel]

const steps: Readonly<Record<InvocationStatus, Meaning>> = {
  REGISTERED: ['Registered', 'debug'],
  REROUTED: ['Given back to be claimed', 'info'],
  RETRY: ['To be tried again', 'warn'],
  CONCURRENCY_CONTROLLED: ['Waits for a limit', 'info'],
  APPROVAL_REQUIRED: ['Waits for a person', 'info'],
  PENDING: ['Claimed', 'debug'],
  RUNNING: ['Began', 'info'],
  PAUSED: ['Paused', 'info'],
  RESUMED: ['Resumed', 'info'],
  WAITING: ['Waits', 'info'],
  KILLED: ['Given back by a runner that stopped', 'warn'],
  PENDING_RECOVERY: ['Its runner was lost before it began', 'warn'],
  RUNNING_RECOVERY: ['Its runner was lost', 'warn'],
  CANCELLED: ['Cancelled', 'warn'],
  TIMEOUT: ['Timed out', 'error'],
  FAILED: ['Failed', 'error'],
  DENIED: ['Denied', 'error'],
  CONCURRENCY_CONTROLLED_FINAL: ['Left out, for a limit', 'warn'],
  SUCCESS: ['Succeeded', 'info'],
  OUTPUT_QUARANTINED: ['Its result is held back', 'warn'],
}

const runs: Readonly<Record<RunStatus, Meaning>> = {
  CREATED: ['Run created', 'info'],
  RUNNING: ['Run goes on', 'info'],
  WAITING: ['Run waits', 'info'],
  PAUSED: ['Run paused', 'info'],
  COMPENSATING: ['Run is being undone', 'warn'],
  COMPENSATION_FAILED: ['Run could not be undone whole', 'error'],
  SUCCEEDED: ['Run succeeded', 'info'],
  FAILED: ['Run failed', 'error'],
  CANCELLED: ['Run cancelled', 'warn'],
  TIMED_OUT: ['Run timed out', 'error'],
  DENIED: ['Run denied', 'error'],
  COMPENSATED: ['Run undone', 'info'],
  ABANDONED: ['Its rollback was given up', 'error'],
}

/** The sentence and its level. */
export function eventWords(event: EngineEvent): EventWords {
  const { body, cause } = event
  const [words, level] = meaningOf(body)
  const by = event.actor.kind === 'operator' && cause.by !== null ? ` by ${cause.by}` : ''
  return { text: `${words}${by}`, level }
}

function meaningOf(body: EventBody): Meaning {
  switch (body.type) {
    case 'run.created': {
      const { workflowTitle, cause } = body.run
      return [`Run of “${workflowTitle}” created (${cause.kind})`, 'info']
    }
    case 'run.changed':
      return runChange(body)
    case 'invocation.registered': {
      const [words, level] = steps[body.invocation.status]
      return [words, level]
    }
    case 'invocation.changed':
      return stepChange(body)
    case 'node.skipped':
      return ['Passed over: its way was not taken', 'debug']
    case 'register.changed':
      return [`Register ${body.key} ${body.value === null ? 'removed' : 'written'}`, 'debug']
    case 'epoch.changed':
      return [`Epoch ${body.to} began: ${body.reason}`, 'warn']
    default:
      return body satisfies never
  }
}

function runChange({ from, to, set }: Extract<EventBody, { type: 'run.changed' }>): Meaning {
  if (from === to) {
    const asked = set.cancelRequestedAt
    const isAsked = asked !== undefined && asked !== null
    return isAsked ? ['Run was asked to cancel', 'info'] : ['Run changed', 'debug']
  }
  const [words, level] = runs[to]
  return [withReason(words, set.error?.message ?? set.waitReason?.message), level]
}

function stepChange({ from, to, set, attempt }: Extract<EventBody, { type: 'invocation.changed' }>): Meaning {
  if (from === to && attempt === null) {
    const asked = set.cancelRequestedAt
    const isAsked = asked !== undefined && asked !== null
    if (isAsked) return ['Was asked to stop', 'info']
    return noticeWords(set) ?? ['Changed', 'debug']
  }
  const [words, level] = steps[to]
  const number = set.attempt !== undefined && set.attempt > 1 ? `, try ${set.attempt}` : ''
  if (to === 'RUNNING') return [`${words}${number}`, level]
  if (attempt?.outcome === 'lost') return [`${words}: ${attempt.runnerId}, with try ${attempt.number}`, level]
  const { reused, stopped } = set.dispatch ?? {}
  if (stopped !== undefined && to === 'SUCCESS') return [`Ended the run, because ${stopped.condition}`, level]
  if (attempt?.outcome === 'reused' && reused !== undefined)
    return [`Took over what ${reused.from} gave`, level]
  const took = attempt === null ? '' : ` after ${spanText(attempt.endedAt - attempt.startedAt)}`
  const reason = attempt?.error?.message ?? set.error?.message ?? set.waitReason?.message
  return [withReason(`${words}${took}`, reason), level]
}

const withReason = (words: string, reason: string | undefined): string =>
  reason === undefined || reason === '' ? words : `${words}: ${reason}`

/** What became of telling people elsewhere of a question; null where nothing did. */
function noticeWords({ wait }: Partial<InvocationRecord>): Meaning | null {
  const notice = wait?.kind === 'approval' ? wait.notices?.at(-1) : undefined
  if (notice === undefined) return null
  const { to, error } = notice
  if (error === null) return [`A mail about the question was sent to ${to}`, 'info']
  return [`No mail about the question was sent${to === '' ? '' : ` to ${to}`}: ${error.message}`, 'warn']
}
