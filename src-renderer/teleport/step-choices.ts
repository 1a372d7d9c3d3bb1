/** The steps of a workflow that a run can begin with, by name. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

export interface StepChoice {
  readonly nodeId: NodeId
  /** With its id where several have the same. */
  readonly name: string
}

/** In the order of their names; what is switched off, or stands in a map or loop, is none of them. */
export function stepChoices(
  { nodes }: WorkflowDocument,
  specs: ReadonlyMap<string, TaskSpec>,
): readonly StepChoice[] {
  const named = Object.entries(nodes)
    .filter(([, { disabled, parent }]) => disabled !== true && parent === undefined)
    .map(([id, { title, kind }]) => ({ id, name: title ?? specs.get(kind)?.title ?? id }))
  const counts = new Map<string, number>()
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1)
  return named
    .map(({ id, name }) => ({
      // Keys of `nodes` are node ids.
      nodeId: id as NodeId,
      name: (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name,
    }))
    .sort((a, b) => a.name.localeCompare(b.name))
}
