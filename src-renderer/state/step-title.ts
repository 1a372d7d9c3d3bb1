/** What people call a step and a trigger: what they are named as in their cards, else their ids. Pure. */

import { engineStepTitles } from '../../src-engine/model/engine-steps.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { HistoryTitles } from '../../src-engine/protocol/history.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import type { SpecsByKind } from '../rules/connection.ts'

/** The id of a step that isn't there any more. */
export function titleOfStep(
  { nodes }: Pick<WorkflowDocument, 'nodes'>,
  specs: SpecsByKind,
  id: NodeId,
): string {
  const node = nodes[id]
  return node?.title ?? specs.get(node?.kind ?? '')?.title ?? engineStepTitles.get(id) ?? id
}

/** The same of a step that an answer of the history names. */
export const titleOfTold = (
  { nodeTitle, taskKind }: Pick<HistoryTitles, 'nodeTitle' | 'taskKind'>,
  specs: SpecsByKind,
  id: NodeId,
): string => nodeTitle ?? specs.get(taskKind ?? '')?.title ?? id

/** The id of a trigger that isn't there any more. */
export function titleOfTrigger({ triggers }: Pick<WorkflowDocument, 'triggers'>, id: string): string {
  const trigger = triggers?.[id]
  return trigger?.title ?? triggerSpecsByKind.get(trigger?.kind ?? '')?.title ?? id
}
