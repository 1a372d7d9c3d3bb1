/**
 * Which steps may act: those begin when their claim is durable, the others need not wait. Without a draw, for the stories
 * of the seeds stay as they are.
 */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { Scenario } from './scenario.ts'

const acting: ReadonlySet<string> = new Set(['n0', 'n3', 'n6', 'n8'])
const working: ReadonlySet<string> = new Set(['debug', 'noop'])

/** Steps that can be undone say themselves what they do. */
export function withActing(scenario: Scenario): Scenario {
  if (scenario.saga !== null) return scenario
  const documents = new Map(scenario.documents.map((document) => [document, withActingSteps(document)]))
  return {
    ...scenario,
    documents: [...documents.values()],
    starts: scenario.starts.map((start) => ({
      ...start,
      document: documents.get(start.document) ?? start.document,
    })),
  }
}

function withActingSteps(document: WorkflowDocument): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, node]): [NodeId, WorkflowNode] => [
    id as NodeId,
    mayAct(id, node) ? { ...node, sideEffect: 'idempotent' } : node,
  ])
  return { ...document, nodes: Object.fromEntries(nodes) }
}

const mayAct = (id: string, { kind, sideEffect, cache }: WorkflowNode): boolean =>
  acting.has(id) && working.has(kind) && sideEffect === undefined && cache === undefined
