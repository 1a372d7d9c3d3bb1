/** The end of an attempt that asks a circuit breaker. */

import type { AttemptEnd } from '../../core/finish-attempt.ts'
import type { Circuit, CircuitVisit } from '../../model/circuit.ts'
import type { JsonObject } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { TaskOutcome } from '../../tasks/task.ts'
import type { AttemptWork } from '../attempt-work.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'

type Guards = Extract<TaskOutcome, { readonly kind: 'guards' }>

/** Its body runs, or it leaves by its other way with what is known of the breaker. */
export async function guarded(
  { circuits, clock, payloads }: ExecutorDependencies,
  { run, record }: AttemptWork,
  { key, isShared, rules, value }: Guards,
): Promise<AttemptEnd> {
  const kept = await payloads.keep(JSON.stringify(value), taskOutputBytesMax)
  const opens = (circuit?: CircuitVisit): AttemptEnd => ({
    kind: 'opens',
    wait: { kind: 'turn', iteration: 0, value: kept, ...(circuit === undefined ? {} : { circuit }) },
  })
  if (circuits === undefined) return opens()
  const { id: of, nodeId } = record
  const { workflowId } = run
  const asked = { workflowId, nodeId, key, isShared, of, at: clock.now(), rules }
  const answer = await circuits.pass(asked)
  if (answer.passes) return opens(answer.visit)
  const told = JSON.stringify({ ...factsOf(answer.circuit), input: value })
  return { kind: 'succeeded', output: await payloads.keep(told, taskOutputBytesMax), ports: ['open'] }
}

function factsOf(circuit: Circuit): JsonObject {
  if (circuit.status === 'closed') return { status: 'closed' }
  const { status, failures, error } = circuit
  const since = circuit.status === 'open' ? circuit.since : circuit.openedAt
  const until = circuit.status === 'open' ? new Date(circuit.until).toISOString() : null
  return { status, since: new Date(since).toISOString(), until, failures, error }
}
