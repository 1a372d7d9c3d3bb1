/** Settings of a step as rules: when it is skipped, when it ends its run, what is taken out of what it gives. */

import type { JsonObject } from '../model/json.ts'
import type { RedactPath } from '../model/redact-paths.ts'
import { redactPathOf } from '../model/redact-paths.ts'
import { givesAtOnce } from '../model/result-kinds.ts'
import type { TaskSpec } from '../model/task-spec.ts'
import type { StopStatus, WorkflowNode } from '../model/workflow.ts'

/** When a step doesn't run. */
export interface SkipRule {
  /** JSONata. */
  readonly condition: string
  /** Whether it hands on what arrived instead. */
  readonly handsOn: boolean
}

/** What is switched off or bypassed runs in no case. */
export function skipRuleOf({ skipIf = '', onSkip, disabled, bypassed }: WorkflowNode): SkipRule | null {
  if (skipIf.trim() === '' || disabled === true || bypassed === true) return null
  return { condition: skipIf, handsOn: onSkip === 'pass' }
}

/** When a step ends its run. */
export interface StopRule {
  /** JSONata. */
  readonly condition: string
  readonly status: StopStatus
}

/** Null for a step that never does. */
export function stopRuleOf(node: WorkflowNode): StopRule | null {
  const { stopAfterIf = '', stopAs } = node
  if (stopAfterIf.trim() === '' || !givesItself(node)) return null
  return { condition: stopAfterIf, status: stopAs ?? 'succeeded' }
}

/** Validation refuses a text that names no place. */
export const redactOf = (node: WorkflowNode): readonly RedactPath[] =>
  givesItself(node) ? (node.redact ?? []).map(redactPathOf).filter((path) => path !== null) : []

/** How little of what a step gives stays once its run is over. */
export interface KeepRule {
  /** Whether its shape does. */
  readonly summary: boolean
}

/** Null where all of it stays. */
export function keepOf(node: WorkflowNode): KeepRule | null {
  const { keepOutput = 'full' } = node
  return keepOutput === 'full' || !givesItself(node) ? null : { summary: keepOutput === 'summary' }
}

/** Whether what it gives is its own, and known in its attempt. */
const givesItself = ({ kind, disabled, bypassed }: WorkflowNode): boolean =>
  disabled !== true && bypassed !== true && givesAtOnce(kind)

/** The ways by which a step is left that is passed by; null for all of them: a fork goes every way in any case. */
export function passedByOf(spec: TaskSpec | undefined, parameters: JsonObject): readonly string[] | null {
  if (spec === undefined || spec.execution === 'inline') return null
  const [first, second] = spec.outputs(parameters)
  return first === undefined || second === undefined ? null : [first.id]
}
