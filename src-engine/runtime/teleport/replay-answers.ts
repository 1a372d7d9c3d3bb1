/**
 * What a step gets in a replay instead of being done: its recorded result where it means and gets the same, a
 * mock where it doesn't, and the kind itself only where that touches nothing.
 */

import type { AttemptEnd } from '../../core/finish-attempt.ts'
import { stopsAfter } from '../../core/stop-run.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import type { NodeMock } from '../../model/workflow.ts'
import type { ReplayDifference, ReplaySource } from '../../protocol/teleport.ts'
import type { TaskMock } from '../../tasks/mock.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../../tasks/task.ts'
import { nodeAnswer } from '../mocked-host.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { TaskHost } from '../task-host.ts'
import { recordedInput } from './recorded-input.ts'
import type { RecordedFailure, RecordedStep, Recording } from './recording.ts'

/** What is known of a step's answer; the last attempt's counts. */
export interface Answer {
  source: ReplaySource
  differences: readonly ReplayDifference[]
  /** How the attempt ends, whatever its task gave; null to take what that gave. */
  end: AttemptEnd | null
  /** When it ends, by the record; null for at once. */
  rank: number | null
  /** The record ends before it does. */
  isOpen: boolean
  /** It ends only when somebody asks it to stop. */
  isHeld: boolean
  /** Skipped by a person, by the record. */
  isSkipped: boolean
  isKept: boolean
  /** It found no room, by the record; null for every other end. */
  withoutRoom: InvocationRecord | null
  /** Why nothing answers for it. */
  refusal: ErrorRecord | null
}

export interface AnswerParts {
  readonly host: TaskHost
  readonly payloads: PayloadStore
  readonly recording: Recording
  readonly nodeMocks: ReadonlyMap<string, NodeMock>
  readonly kindMocks: ReadonlyMap<string, TaskMock<unknown>>
}

/** One attempt that wants an answer. */
export interface Asked {
  readonly record: InvocationRecord
  readonly recorded: RecordedStep | undefined
  /** What its node means no more as it did; null for nothing. */
  readonly definition: ReplayDifference | null
  /** It keeps its recorded result, whatever it means and gets. */
  readonly isKept: boolean
  /** Nothing recorded counts for it. */
  readonly anew: boolean
}

/** They have no effect beside steering the run, which is what a replay is to show. */
const steering: ReadonlySet<string> = new Set(['map', 'loop', 'semaphore', 'stop', 'break-loop', 'next-turn'])
/** A circuit breaker that let it in; what it kept out is known from the record. */
const letIn = ({ record, recorded }: Asked): boolean =>
  record.taskKind === 'circuit-breaker' && recorded?.record.ports?.includes('open') !== true

/** Found no room, or none in time: a replay takes no place of anybody, so only the record knows. */
const foundNoRoom = ({ status, error }: InvocationRecord): boolean =>
  status === 'CONCURRENCY_CONTROLLED_FINAL' || (status === 'TIMEOUT' && error?.code === 'wait_timeout')

function steers(asked: Asked): boolean {
  const { record, recorded } = asked
  if (!steering.has(record.taskKind)) return letIn(asked)
  return recorded === undefined || !foundNoRoom(recorded.record)
}

/** Declared as without effects, but what they read or start is elsewhere. */
export const readsElsewhere: ReadonlySet<string> = new Set(['read-file', 'sub-workflow'])

const plain = (): Answer => ({
  source: 'computed',
  differences: [],
  end: null,
  rank: null,
  isOpen: false,
  isHeld: false,
  isSkipped: false,
  isKept: false,
  withoutRoom: null,
  refusal: null,
})

/** The kind as this attempt sees it, and what becomes known of its answer once it was called. */
export function answering(
  parts: AnswerParts,
  asked: Asked,
): { readonly answer: Answer; readonly run: TaskRun<unknown> } {
  const answer = plain()
  return {
    answer,
    run: {
      execute: async (parameters, context) => {
        const { recorded, isKept } = asked
        const isSteering = steers(asked)
        if (recorded !== undefined) {
          answer.differences = isKept ? [] : await differencesOf(parts, asked, { parameters, context })
          const isSame = answer.differences.length === 0 && !asked.anew
          if (isSame && !isSteering && fromRecord(answer, asked, recorded)) return nothingDone
        }
        if (isSteering) answer.rank = steeringRank(asked)
        return elseAnswer(parts, { answer, asked }, { parameters, context })
      },
    },
  }
}

const nothingDone = { kind: 'completed', output: null, ports: null } as const

interface Call {
  readonly parameters: unknown
  readonly context: TaskContext
}

/** A stop ends the run when it did; maps and loops take no time of their own. */
const steeringRank = ({ record, recorded }: Asked): number | null =>
  record.taskKind === 'stop' ? (recorded?.rank ?? null) : null

async function differencesOf(
  { payloads, recording }: AnswerParts,
  { recorded, record, definition }: Asked,
  { parameters, context }: Call,
): Promise<readonly ReplayDifference[]> {
  if (recorded === undefined) return []
  const found: ReplayDifference[] = definition === null ? [] : [definition]
  const arrived = await recordedInput(payloads, recording, recorded)
  const input = differenceOf('input', arrived, context.input)
  if (input !== null) found.push(input)
  const failure = recorded.failures[record.failureCount]
  const kept = failure === undefined ? recorded.record.input : failure.input
  // What a map or loop resolves last is about its own turns.
  if (kept === null || steering.has(record.taskKind)) return found
  // A parameter's value is JSON by its making.
  const resolved = differenceOf('parameters', await payloads.value(kept), (parameters ?? null) as JsonValue)
  return resolved === null ? found : [...found, resolved]
}

const textMax = 2_000

const shortened = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text)

/** Two values, where they differ; undefined for none. */
export function differenceOf(
  what: ReplayDifference['what'],
  recorded: JsonValue | undefined,
  replayed: JsonValue | undefined,
): ReplayDifference | null {
  const before = recorded === undefined ? null : canonicalJson(recorded)
  const after = replayed === undefined ? null : canonicalJson(replayed)
  if (before === after) return null
  return {
    what,
    recorded: before === null ? null : shortened(before),
    replayed: after === null ? null : shortened(after),
  }
}

/** Whether the record answers for the attempt. */
function fromRecord(answer: Answer, asked: Asked, recorded: RecordedStep): boolean {
  const { failures, rank, record: was } = recorded
  answer.isKept = asked.isKept
  const failure = failures[asked.record.failureCount]
  if (failure !== undefined) {
    answer.source = 'recorded'
    answer.rank = failure.rank
    // What was asked about it then is known by what came of it.
    const again = !(hasFailed(was.status) && was.attempt === failure.number)
    answer.end = { kind: failure.kind, error: failure.error, random: 0, again }
    return true
  }
  if (!invocationMachine.final.has(was.status)) {
    answer.source = 'recorded'
    answer.isOpen = true
    return true
  }
  if (foundNoRoom(was)) {
    answer.source = 'recorded'
    answer.rank = rank
    answer.withoutRoom = was
    return true
  }
  const end = endOf(was, failures.at(-1))
  // Its policy has it tried once more than it was.
  if (end === 'unrecorded') return false
  answer.source = 'recorded'
  answer.rank = rank
  answer.isHeld = end === null
  answer.isSkipped = was.cause.kind === 'skipped'
  answer.end = end
  return true
}

const nothing: Payload = { kind: 'inline', json: 'null' }

const hasFailed = (status: InvocationRecord['status']): boolean => status === 'FAILED' || status === 'TIMEOUT'

/** Null for a step that was stopped from outside. */
function endOf(was: InvocationRecord, last: RecordedFailure | undefined): AttemptEnd | null | 'unrecorded' {
  const { status, output, ports, error } = was
  if (status === 'SUCCESS') {
    const given = { output: output ?? nothing, ports }
    const { reused, stopped } = was.dispatch ?? {}
    if (stopped !== undefined) return stopsAfter(was, stopped, { output: given.output, reused })
    return reused === undefined ? { kind: 'succeeded', ...given } : { kind: 'reused', ...given, reused }
  }
  if (status === 'CANCELLED') return null
  if (last?.number === was.attempt && last.error.code === error?.code) return 'unrecorded'
  const said = { ...(error ?? errorRecord('task_failed')), retryable: false }
  return { kind: status === 'TIMEOUT' ? 'timed-out' : 'failed', error: said, random: 0 }
}

/** A mock, the kind itself where that touches nothing, or a refusal. */
async function elseAnswer(
  { host, nodeMocks, kindMocks }: AnswerParts,
  { answer, asked }: { readonly answer: Answer; readonly asked: Asked },
  { parameters, context }: Call,
): Promise<TaskOutcome> {
  const { taskKind, nodeId } = asked.record
  const ofNode = nodeMocks.get(nodeId)
  const ofKind = kindMocks.get(taskKind)
  const run = host.runOf(taskKind)
  if (ofNode !== undefined || ofKind !== undefined) {
    answer.source = 'mocked'
    if (ofNode !== undefined) return nodeAnswer(ofNode, context)
    const mocked = ofKind?.(parameters, context) ?? null
    return mocked ?? run?.execute(parameters, context) ?? nothingDone
  }
  const isPure = host.specsByKind.get(taskKind)?.sideEffect === 'pure' && !readsElsewhere.has(taskKind)
  if (isPure && run !== null) return run.execute(parameters, context)
  answer.source = 'none'
  answer.refusal = errorRecord('teleport_not_recorded', {
    message: `“${nodeId}” would really run (${taskKind}): nothing recorded answers for it, and nothing mocks it.`,
    details: { nodeId, kind: taskKind },
  })
  answer.end = { kind: 'failed', error: answer.refusal, random: 0 }
  return nothingDone
}
