/**
 * A workflow without what only says when and where its steps run, and whether something else may stand for that: a
 * replay waits for nobody, and answers from its record. What it means stays the same.
 */

import type { WorkflowDocument, WorkflowNode, WorkflowSettings } from '../../model/workflow.ts'

const whenAndWhere: ReadonlySet<string> = new Set<keyof WorkflowNode | keyof WorkflowSettings>([
  'concurrency',
  'rateLimit',
  'route',
  'pool',
  'tags',
  'timeout',
  'timeoutMs',
  'cache',
])

export function plainWorkflow(document: WorkflowDocument): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, node]) => [id, plain(node)] as const)
  return {
    ...document,
    nodes: Object.fromEntries(nodes),
    ...(document.settings === undefined ? {} : { settings: plain(document.settings) }),
  }
}

/** None of what is taken out is required. */
const plain = <Part extends WorkflowNode | WorkflowSettings>(part: Part): Part =>
  Object.fromEntries(Object.entries(part).filter(([key]) => !whenAndWhere.has(key))) as Part
