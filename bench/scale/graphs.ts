/** S3: a graph of very many nodes. */

import { compileWorkflow } from '../../src-engine/core/compile.ts'
import { edgeId, nodeId, workflowId } from '../../src-engine/model/ids.ts'
import { validateWorkflow } from '../../src-engine/model/validate-workflow.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { ScaleRow } from './scale-row.ts'
import { quantile, spansOf } from './scale-row.ts'

/** Layers of a hundred, each node led to by two of the layer before. */
function layered(nodes: number): WorkflowDocument {
  const width = 100
  const name = (index: number): string => `n${index}`
  const edges = Array.from({ length: Math.max(0, nodes - width) }, (_, place) => {
    const to = place + width
    const beside = Math.floor(place / width) * width + ((place + 1) % width)
    return [place, beside].map((from) => [
      edgeId(`${name(from)}-${name(to)}`),
      { from: { node: nodeId(name(from)), port: 'out' }, to: { node: nodeId(name(to)), port: 'in' } },
    ])
  }).flat()
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('wide'),
    title: 'Wide',
    nodes: Object.fromEntries(Array.from({ length: nodes }, (_, index) => [name(index), { kind: 'noop' }])),
    edges: Object.fromEntries(edges),
  }
}

export async function graphs(nodes: number): Promise<readonly ScaleRow[]> {
  const document = layered(nodes)
  const spans = await spansOf(7, async () => {
    validateWorkflow(document, taskSpecsByKind)
    compileWorkflow(document, taskSpecsByKind)
  })
  return [
    {
      goal: 'S3',
      what: `validate and compile ${nodes} nodes, p50`,
      unit: 'ms',
      gate: 100,
      found: quantile(spans, 0.5),
    },
  ]
}
