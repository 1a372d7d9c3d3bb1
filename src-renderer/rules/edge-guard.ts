/** The condition under which an edge is taken: what the step that it leaves decides by. Pure. */

import { isJsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { edges as words } from '../text/canvas-words.ts'

/** The guard as it is written; null for an edge that is taken whenever its step succeeds. */
export function guardOf(
  { nodes }: Pick<WorkflowDocument, 'nodes'>,
  { from }: Pick<WorkflowEdge, 'from'>,
): string | null {
  const { kind, parameters = {} } = nodes[from.node] ?? {}
  if (kind === 'if') {
    const condition = textOf(parameters['condition'])
    if (condition === null) return null
    return from.port === 'true' ? condition : from.port === 'false' ? `not (${condition})` : null
  }
  if (kind !== 'switch') return null
  if (from.port === 'default') return words.otherwise
  const index = Number(/^case-(\d+)$/.exec(from.port)?.[1] ?? Number.NaN) - 1
  const cases = parameters['cases']
  const own: unknown = Array.isArray(cases) ? cases[index] : undefined
  return isJsonObject(own) ? textOf(own['when']) : null
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null
