/**
 * Triggers on what happens to runs and their steps. Looking at the same piece of history again changes nothing:
 * each occurrence is known by the move that it is.
 */

import { createHash } from 'node:crypto'
import type { ErrorRecord } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'
import { isCoreWorkflow } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { triggerDepthMax } from '../../model/limits.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import { runStatusOf, stepStatusOf } from '../../model/watched-statuses.ts'
import type { RunStatusParameters } from '../../triggers/run-status/spec.ts'
import { neverSeen } from '../register-look.ts'
import type { ExpressionParts, SeenEvent } from './event-match.ts'
import { inputOf, isNamed, passes } from './event-match.ts'
import { fire } from './fire.ts'
import { isBehind } from './history-places.ts'
import type { RunMove } from './run-moves.ts'
import { moveIdOf } from './run-moves.ts'
import type { Fired, FireParts, ToFire } from './start-firing.ts'
import { skipFiring } from './start-firing.ts'
import { depthAfter, loopSkip } from './trigger-depth.ts'
import type { NoStart } from './wanted-start.ts'
import { failed, filteredOut } from './wanted-start.ts'

export type RunTriggersParts = FireParts & ExpressionParts

/** What moved, as it is now. */
interface Subject {
  readonly move: RunMove
  readonly run: RunRecord
  /** Null for the run as a whole. */
  readonly step: InvocationRecord | null
}

/** They went through the kind's schema when they were published. */
const parametersOf = ({ parameters }: TriggerRecord): RunStatusParameters =>
  parameters as unknown as RunStatusParameters

/** Whether the trigger may have to do with a move: all that can be told without reading anything. */
export function mayConcern(trigger: TriggerRecord, move: RunMove): boolean {
  const { node, statuses } = parametersOf(trigger)
  if ((node === '') !== (move.kind === 'run') || !isAfterItsBeginning(trigger, move)) return false
  const statusOf = node === '' ? runStatusOf : stepStatusOf
  return statuses.some((status) => statusOf[status] === move.status)
}

function isAfterItsBeginning({ heardFrom, since }: TriggerRecord, { event }: RunMove): boolean {
  const from = heardFrom?.find(({ partition }) => partition === event.partition)
  return from === undefined ? event.at >= since : isBehind(event, from)
}

/** Starts what the move is to start; answers how many triggers it concerned. Throws where that is to be tried again. */
export async function answerMove(
  parts: RunTriggersParts,
  move: RunMove,
  triggers: readonly TriggerRecord[],
): Promise<number> {
  const { store, partition } = parts
  const run = await store.load(partition, 'run', { runId: move.runId })
  if (run === null || isCoreWorkflow(run.workflowId)) return 0
  const ofIts = triggers.filter((trigger) => isOfWorkflow(trigger, run))
  if (ofIts.length === 0) return 0
  const { invocationId } = move.event
  const step =
    move.kind === 'run' || invocationId === null
      ? null
      : await store.load(partition, 'invocation', { invocationId })
  if (move.kind === 'step' && step?.role !== 'forward') return 0
  const wanted = ofIts.filter((trigger) => step === null || isNamed(parametersOf(trigger).node, step.nodeId))
  for (const trigger of wanted) await answer(parts, trigger, { move, run, step })
  return wanted.length
}

function isOfWorkflow(trigger: TriggerRecord, { workflowId }: RunRecord): boolean {
  const { workflow, allowOwn } = parametersOf(trigger)
  return isNamed(workflow, workflowId) && (allowOwn || workflowId !== trigger.workflowId)
}

async function answer(parts: RunTriggersParts, trigger: TriggerRecord, subject: Subject): Promise<void> {
  const { move } = subject
  const seen = await seenMove(parts, subject)
  const id = createHash('sha256').update(moveIdOf(move)).digest('base64url').slice(0, 27)
  const toFire: ToFire = {
    // It stays as it is: how old what is known of it is doesn’t matter.
    trigger: { record: trigger, ...neverSeen },
    occurrence: {
      id,
      at: move.event.at,
      sources: [sourceOf(subject)],
      slots: null,
      words: wordsOf(subject),
      depth: await depthAfter(parts, move.runId),
    },
    move: null,
    guards: [],
    also: [],
  }
  const fired = await fireOrSkip(parts, toFire, { seen, error: errorOf(subject) })
  if (fired.kind === 'lost') throw new SagasmithError('lost_race')
}

interface SeenMove {
  readonly seen: SeenEvent
  readonly error: ErrorRecord | null
}

async function fireOrSkip(parts: RunTriggersParts, toFire: ToFire, move: SeenMove): Promise<Fired> {
  const { record } = toFire.trigger
  const { at, id, depth } = toFire.occurrence
  const given = { event: move.seen, now: at }
  const leftOut = await leftOutBy(parts, parametersOf(record), { ...move, given })
  if (leftOut !== null) return skipFiring(parts, toFire, leftOut)
  if (depth > triggerDepthMax) return skipFiring(parts, toFire, loopSkip)
  let made: JsonValue
  try {
    // It is JSON: it came with a document.
    made = await inputOf(parts, parametersOf(record).input as JsonValue, given)
  } catch (thrown) {
    return skipFiring(parts, toFire, failed('The expression for its input', thrown))
  }
  const request = `run:${record.workflowId}/${record.triggerId}:${id}`
  return fire(parts, { ...toFire, input: made, request })
}

/** What of the trigger keeps it from starting anything; null where all fits. */
async function leftOutBy(
  parts: RunTriggersParts,
  { errors, filter, output }: RunStatusParameters,
  { error, given }: SeenMove & { readonly given: Parameters<typeof passes>[2] },
): Promise<NoStart | null> {
  if (errors.length > 0 && !isOneOf(errors, error)) {
    const was = error === null ? 'There was no error' : `The error was \`${error.code}\``
    return { ...filteredOut, words: `${was}, and it waits for ${errors.join(', ')}.` }
  }
  try {
    // They are JSON: they came with a document.
    if (!(await passes(parts, filter as JsonValue, given))) return filteredOut
    if (!(await passes(parts, asFields(output as JsonValue), given)))
      return { ...filteredOut, words: 'What came of it isn’t the output that it waits for.' }
    return null
  } catch (thrown) {
    return failed('Its filter', thrown)
  }
}

/** What isn't an expression is what the output must be, or the fields that it must have. */
const asFields = (output: JsonValue): JsonValue => (typeof output === 'string' ? output : { output })

const isOneOf = (patterns: readonly string[], error: ErrorRecord | null): boolean =>
  error !== null && patterns.some((pattern) => isNamed(pattern, error.code))

const errorOf = ({ run, step }: Subject): ErrorRecord | null => (step ?? run).error

async function seenMove(parts: RunTriggersParts, subject: Subject): Promise<SeenEvent> {
  const { move, run, step } = subject
  const value = async (payload: Payload | null): Promise<JsonValue> =>
    payload === null ? null : parts.payloads.value(payload)
  // A result that is held back is nobody's yet.
  const isHeld = step !== null && step.status !== 'SUCCESS'
  const error = errorOf(subject)
  const { startedAt, finishedAt } = step ?? run
  const payload = {
    runId: run.id,
    workflowId: run.workflowId,
    title: run.workflowTitle,
    node: step?.nodeId ?? null,
    status: statusOf(move),
    input: await value((step ?? run).input),
    output: isHeld ? null : await value((step ?? run).output),
    error: error === null ? null : { code: error.code, message: error.message, details: error.details },
    startedAt: timeOf(startedAt),
    finishedAt: timeOf(finishedAt),
  }
  const at = new Date(move.event.at).toISOString()
  const name = `${move.kind}.${payload.status}`
  return { id: moveIdOf(move), name, correlation: null, payload, at, source: move.runId }
}

const timeOf = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString())

/** In the words of triggers, which say the same of runs and of steps. */
function statusOf({ status }: RunMove): string {
  if (status === 'SUCCESS') return 'SUCCEEDED'
  return status === 'TIMEOUT' ? 'TIMED_OUT' : status
}

function sourceOf({ move, step }: Subject) {
  return { kind: 'run', runId: move.runId, nodeId: step?.nodeId ?? null, status: statusOf(move) } as const
}

function wordsOf({ move, run, step }: Subject): string {
  const whose = `the run ${run.id} of “${run.workflowTitle}”`
  const what = step === null ? whose : `the step “${step.nodeId}” of ${whose}`
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} was ${statusOf(move)}.`
}
