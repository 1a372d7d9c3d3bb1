/** What the parts of the validation share: the workflow under test, and how problems are made and named. */

import type { WorkflowGraph } from './graph.ts'
import type { NodeId } from './ids.ts'
import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import type { SecretEntry } from './secret.ts'
import type { TaskSpec } from './task-spec.ts'
import type { TriggerSpec } from './trigger-spec.ts'
import type { WorkflowDocument, WorkflowNode } from './workflow.ts'

/** What is wrong with an expression's syntax; `position` is an index into it. */
export interface ExpressionFault {
  readonly message: string
  readonly position: number | null
}

export interface ValidationOptions {
  /** Without it, triggers are checked only for what needs no spec. */
  readonly triggerSpecs?: ReadonlyMap<string, TriggerSpec>
  /** The expression language isn't part of the model; without this, syntax isn't checked. */
  readonly checkExpression?: (expression: string) => ExpressionFault | null
  /** What the vault of this machine keeps; without it, nobody says which secrets are missing. */
  readonly secrets?: readonly SecretEntry[]
}

export interface Validation extends ValidationOptions {
  readonly document: WorkflowDocument
  readonly graph: WorkflowGraph
  /** Every node after all that lead to it; null when there is a cycle. */
  readonly order: readonly NodeId[] | null
  readonly taskSpecs: ReadonlyMap<string, TaskSpec>
}

/** So many nodes are looked at in less than a millisecond or two: others may be let in after them. */
export const nodesOfStep = 64

/** Makes a problem; an error of the whole document unless told otherwise. */
export function problemOf(parts: Pick<Problem, 'code' | 'message' | 'hint'> & Partial<Problem>): Problem {
  return { severity: 'error', nodeId: null, edgeId: null, field: null, ...parts }
}

/** The node, or undefined; safe for any text, also for names that every object has. */
export function nodeOf({ graph }: Validation, id: string): WorkflowNode | undefined {
  return graph.nodeById.get(id)?.node
}

/** A node as people know it: its title, else its kind's title, with its id when there is neither. */
export function nameOf(validation: Validation, id: string): string {
  const node = nodeOf(validation, id)
  const title: unknown = node?.title
  if (typeof title === 'string' && title.trim() !== '') return `“${title}”`
  const kindTitle = node === undefined ? undefined : validation.taskSpecs.get(node.kind)?.title
  return kindTitle === undefined ? `“${id}”` : `“${kindTitle}” (${id})`
}

/** A field as an object when it has that form; what has another one is reported by the form check. */
export function objectOrNull(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null
}
