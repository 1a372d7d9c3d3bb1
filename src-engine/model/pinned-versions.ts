/** Documents as they are drawn, and as runs are bound to them: with the versions of what they start. */

import type { WorkflowDocument, WorkflowNode } from './workflow.ts'

/** The kind whose steps start other workflows. */
export const callKind = 'sub-workflow'

/** The text of a step's parameter, without the spaces around it; empty for none. */
export function callText(node: WorkflowNode, name: 'workflow' | 'version'): string {
  const value = node.parameters?.[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The drawn document with the versions that a bound one got at its start: the same when it is the same. */
export function withVersionsOf(drawn: WorkflowDocument, bound: WorkflowDocument): WorkflowDocument {
  const nodes: Record<string, WorkflowNode> = { ...drawn.nodes }
  let isChanged = false
  for (const [id, node] of Object.entries(drawn.nodes)) {
    // Keys of nodes are node ids.
    const other = (bound.nodes as Readonly<Record<string, WorkflowNode>>)[id]
    if (node.kind !== callKind || other === undefined || callText(node, 'version') !== '') continue
    const version = callText(other, 'version')
    if (version === '') continue
    nodes[id] = { ...node, parameters: { ...node.parameters, version } }
    isChanged = true
  }
  return isChanged ? { ...drawn, nodes } : drawn
}
