/** S3: a graph of very many nodes. */

import { compileWorkflow } from '../../src-engine/core/compile.ts'
import { edgeId, nodeId, workflowId } from '../../src-engine/model/ids.ts'
import { validateWorkflow } from '../../src-engine/model/validate-workflow.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { openBenchEngine } from '../bench-engine.ts'
import type { Bench } from './scale-bench.ts'
import type { ScaleRow } from './scale-row.ts'
import { quantile, spansOf, timed } from './scale-row.ts'

/** Nodes of the small graph that runs as often as it takes to have as many steps as the large one. */
const smallNodes = 100
const rounds = 5

/**
 * Layers, each node led to by two of the layer before: by one of them from `port`. From `error` nothing comes
 * along, where what comes from both would double from layer to layer.
 */
function layered(nodes: number, width: number, port: 'out' | 'error'): WorkflowDocument {
  const name = (index: number): string => `n${index}`
  const edges = Array.from({ length: Math.max(0, nodes - width) }, (_, place) => {
    const to = place + width
    const beside = Math.floor(place / width) * width + ((place + 1) % width)
    const ways = [
      { from: place, port: 'out' },
      { from: beside, port },
    ]
    return ways.map((way) => [
      edgeId(`${name(way.from)}-${name(to)}`),
      { from: { node: nodeId(name(way.from)), port: way.port }, to: { node: nodeId(name(to)), port: 'in' } },
    ])
  }).flat()
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(`layers${nodes}`),
    title: 'Layers',
    nodes: Object.fromEntries(Array.from({ length: nodes }, (_, index) => [name(index), { kind: 'noop' }])),
    edges: Object.fromEntries(edges),
  }
}

/** Spans of as many steps in one large run and in many small ones, in turns on the same engine. */
async function stepSpans(bench: Bench, nodes: number) {
  const engine = await openBenchEngine(bench.directory)
  const large = layered(nodes, 10, 'error')
  const small = layered(smallNodes, 10, 'error')
  const spans: { readonly large: number[]; readonly small: number[] } = { large: [], small: [] }
  for (let round = -1; round < rounds; round += 1) {
    const many = await timed(async () => {
      for (let steps = 0; steps < nodes; steps += smallNodes) await engine.run(small)
    })
    const one = await timed(() => engine.run(large))
    // The first round pays for what happens once per workflow, and for what isn't compiled yet.
    if (round < 0) continue
    spans.small.push(many.ms)
    spans.large.push(one.ms)
  }
  await engine.close()
  return spans
}

export async function graphs(bench: Bench, nodes: number): Promise<readonly ScaleRow[]> {
  const document = layered(nodes, 100, 'out')
  const spans = await spansOf(7, async () => {
    validateWorkflow(document, taskSpecsByKind)
    compileWorkflow(document, taskSpecsByKind)
  })
  const { large, small } = await stepSpans(bench, nodes)
  return [
    {
      goal: 'S3',
      what: `validate and compile ${nodes} nodes, p50`,
      unit: 'ms',
      gate: 100,
      found: quantile(spans, 0.5),
    },
    {
      goal: 'S3',
      what: `steps per second: a graph of ${nodes} nodes vs ${smallNodes}`,
      unit: '%',
      gate: 80,
      atLeast: true,
      found: (quantile(small, 0.5) / quantile(large, 0.5)) * 100,
    },
  ]
}
