/** What the outside saw of executions, against what is recorded of them. */

import type { CompiledWorkflow } from '../../src-engine/core/compile.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { passedOverBy } from '../../src-engine/model/passed-over.ts'
import { recoveryTaskKind } from '../../src-engine/runtime/core-tasks/recovery-task.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { Effect } from './effect-sink.ts'
import type { History, RunHistory } from './history.ts'
import { isSameInput, recordedInputs } from './recorded-input.ts'

/**
 * I15, I16, I17: one key per step, one execution per attempt, no needless overlap, the recorded input. A pure step may
 * have been executed ahead of a claim that was refused, or of the beginning of its run: then that was for nothing, and only
 * what counts is held to it.
 */
export function checkEffects(history: History, effects: readonly Effect[]): readonly string[] {
  const found: string[] = []
  const byStep = Map.groupBy(effects, (effect) => effect.invocationId)
  const stepByKey = new Map<string, string>()
  for (const [id, seen] of byStep) {
    const keys = new Set(seen.map((effect) => effect.idempotencyKey))
    if (keys.size !== 1) found.push(`I15 ${id} used ${keys.size} idempotency keys`)
    for (const key of keys) {
      // What is tried anew after a person said so is the same undoing of the same step.
      const own = id.replace(/~undo\d+$/, '~undo')
      const other = stepByKey.get(key) ?? own
      if (other !== own) found.push(`I15 ${id} and ${other} share a key`)
      stepByKey.set(key, own)
    }
    if (new Set(seen.map((effect) => effect.attempt)).size !== seen.length && seen[0]?.isPure !== true)
      found.push(`I16 an attempt of ${id} was executed twice`)
  }
  for (const run of history.runs) {
    for (const record of run.invocations) {
      const seen = byStep.get(record.id) ?? []
      found.push(...checkStepEffects(record, run, seen))
      byStep.delete(record.id)
    }
  }
  for (const [id, seen] of byStep)
    if (seen[0]?.isPure !== true) found.push(`I15 ${id} was executed, but there is no such step`)
  return found
}

function checkStepEffects(
  record: InvocationRecord,
  history: RunHistory,
  seen: readonly Effect[],
): readonly string[] {
  const found: string[] = []
  const isPure = mayRunAhead(history.workflow, record)
  const attempts = Math.max(0, ...seen.map((effect) => effect.attempt))
  if (attempts > record.attempt && !isPure)
    found.push(`I15 ${record.id} was executed beyond attempt ${record.attempt}`)
  const executed = record.status === 'SUCCESS' && record.attempt > 0 && !takenAsDone(record, history)
  const wasLeftOut = passedOverBy(record) !== null || record.dispatch?.reused !== undefined
  if (executed && seen.length === 0 && isSeen(record, history) && !wasLeftOut)
    found.push(`I15 ${record.id} succeeded without an execution`)
  const strange = seen.flatMap((effect) => {
    const inputs = recordedInputs(record, history, effect.attempt)
    const isRecorded = inputs.some((input) => isSameInput(record, effect.input, input))
    if (effect.input === null || isRecorded) return []
    return [`I17 ${record.id} got ${effect.input}, recorded is ${inputs[0] ?? 'nothing'}`]
  })
  if (!isPure || strange.length === seen.length) found.push(...strange)
  if (isPure) return found
  const inOrder = [...seen].sort((a, b) => a.attempt - b.attempt)
  for (const [index, effect] of inOrder.entries()) {
    const next = inOrder[index + 1]
    if (next === undefined || (effect.endedAt !== null && effect.endedAt <= next.startedAt)) continue
    if (!wasGivenUp(history, record, effect.attempt))
      found.push(`I16 attempts ${effect.attempt} and ${next.attempt} of ${record.id} overlap`)
  }
  return found
}

/**
 * The sink never hears of what only hands on: a runner takes it for nothing but to read a large value; nor of
 * the engine's own tasks and the gate of a run.
 */
const isSeen = (record: InvocationRecord, { workflow }: RunHistory): boolean =>
  record.taskKind !== recoveryTaskKind &&
  record.nodeId !== workflow.gate.id &&
  workflow.nodeById.get(record.nodeId)?.behaviour === 'run'

const takenAsDone = (record: InvocationRecord, { events }: RunHistory): boolean =>
  events.some(({ invocationId, body }) => {
    return (
      invocationId === record.id && body.type === 'invocation.changed' && body.from === 'APPROVAL_REQUIRED'
    )
  })

/** Its owner was taken to be gone, or left it behind after it had been told to stop. */
function wasGivenUp({ events }: RunHistory, record: InvocationRecord, attempt: number): boolean {
  const outcomes = ['lost', 'timed-out', 'cancelled', 'handed-back']
  return events.some(({ invocationId, body }) => {
    if (invocationId !== record.id || body.type !== 'invocation.changed') return false
    return body.attempt?.number === attempt && outcomes.includes(body.attempt.outcome)
  })
}

/** Whether it has no effect that anybody could see, by its kind as well: only such a step begins before its claim is durable. */
function mayRunAhead(
  workflow: CompiledWorkflow | undefined,
  { nodeId }: { readonly nodeId: string },
): boolean {
  const node = workflow?.nodeById.get(nodeId as NodeId)
  const spec = taskSpecsByKind.get(node?.kind ?? '')
  return node?.sideEffect === 'pure' && spec?.sideEffect === 'pure' && spec.waitsForClaim !== true
}
