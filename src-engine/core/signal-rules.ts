/** What steps say of the signals that they wait for, and which of them a signal's payload doesn't fit. Pure. */

import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { NodeId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { BufferedSignal, SignalMisfit } from '../model/run.ts'
import { hasExpression } from '../model/template.ts'
import { validateInput } from '../model/validate-input.ts'

/** The kind of steps that wait for signals. */
const signalKind = 'wait-signal'

/** What of a node counts here. */
interface WrittenNode {
  readonly id: NodeId
  readonly kind: string
  readonly parameters: JsonObject
}

/** What of a workflow counts here. */
interface SignalSteps {
  readonly signalSteps: readonly SignalStep[]
}

/** What a step says of its signals in the document itself: what of it can't depend on data. */
export interface SignalRules {
  /** Null where only the step itself knows it: an expression. */
  readonly name: string | null
  /** What the payload must fit; null for any. */
  readonly schema: JsonObject | null
  /** Whether the sender of what doesn't fit is refused, or the step fails with it. */
  readonly onMisfit: 'refuse' | 'fail'
}

/** Of a node's parameters as they are written; null for a node that waits for no signals. */
function signalRulesOf({ kind, parameters }: WrittenNode): SignalRules | null {
  if (kind !== signalKind) return null
  const { name, check, schema, onMisfit } = parameters
  return {
    name: typeof name === 'string' && !hasExpression(name) ? name : null,
    schema: check === 'schema' && schema !== undefined && isJsonObject(schema) ? schema : null,
    onMisfit: onMisfit === 'fail' ? 'fail' : 'refuse',
  }
}

/** A step that waits for signals, with its rules. */
export interface SignalStep {
  readonly id: NodeId
  readonly rules: SignalRules
}

/** The steps of a workflow that wait for signals; none where each of them takes the first that comes. */
export function signalStepsOf(nodes: Iterable<WrittenNode>): readonly SignalStep[] {
  const steps: SignalStep[] = []
  let isAnySpecial = false
  for (const node of nodes) {
    const rules = signalRulesOf(node)
    if (rules === null) continue
    steps.push({ id: node.id, rules })
    isAnySpecial ||= rules.schema !== null || (node.parameters['count'] ?? 1) !== 1
  }
  return isAnySpecial ? steps : []
}

/** The signal with the steps that its payload doesn't fit. A payload that nobody could read fits no schema. */
export function withMisfits(
  { signalSteps }: SignalSteps,
  signal: BufferedSignal,
  value: JsonValue | undefined,
): BufferedSignal {
  const misfits: SignalMisfit[] = []
  for (const { id, rules } of signalSteps) {
    if (rules.schema === null || (rules.name ?? signal.name) !== signal.name) continue
    const error = misfitError(signal.name, rules.schema, value)
    if (error !== null) misfits.push({ nodeId: id, onMisfit: rules.onMisfit, error })
  }
  return misfits.length === 0 ? signal : { ...signal, misfits }
}

function misfitError(name: string, schema: JsonObject, value: JsonValue | undefined): ErrorRecord | null {
  const [problem] =
    value === undefined ? [{ message: 'it can’t be read.' }] : validateInput(schema, value).problems
  if (problem === undefined) return null
  const message = `What the signal “${name}” carries doesn’t fit: ${problem.message}`
  return errorRecord('signal_payload_invalid', { message, details: { signal: name } })
}

/** Why the signal doesn't fit that step; null when it does. */
export const misfitFor = ({ misfits }: BufferedSignal, nodeId: NodeId): SignalMisfit | null =>
  misfits?.find((misfit) => misfit.nodeId === nodeId) ?? null

/**
 * Why nobody waits for the signal now and nobody will take it later: it fits none of the steps that may wait for its
 * name. Null when one of them takes it, be it to fail with it.
 */
export function refusedByAll({ signalSteps }: SignalSteps, signal: BufferedSignal): ErrorRecord | null {
  if (signal.misfits === undefined) return null
  const meant = signalSteps.filter(({ rules }) => (rules.name ?? signal.name) === signal.name)
  const misfits = meant.map(({ id }) => misfitFor(signal, id))
  return misfits.every((misfit) => misfit?.onMisfit === 'refuse') ? (misfits[0]?.error ?? null) : null
}
