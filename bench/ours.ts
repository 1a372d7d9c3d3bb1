/** The product's engine with a workflow of each shape. */

import { edgeId, nodeId, workflowId } from '../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowEdge, WorkflowNode } from '../src-engine/model/workflow.ts'
import type { BenchEngine } from './bench-engine.ts'
import { openBenchEngine } from './bench-engine.ts'
import type { OpenSubject, Subject } from './subject.ts'

const noop: WorkflowNode = { kind: 'noop' }
const edge = (from: string, to: string): WorkflowEdge => ({
  from: { node: nodeId(from), port: 'out' },
  to: { node: nodeId(to), port: 'in' },
})

function documentOf(id: string, names: readonly string[], pairs: readonly (readonly [string, string])[]) {
  const document: WorkflowDocument = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes: Object.fromEntries(names.map((name) => [name, noop])),
    edges: Object.fromEntries(pairs.map(([from, to]) => [edgeId(`${from}-${to}`), edge(from, to)])),
  }
  return document
}

function chainOf(steps: number): WorkflowDocument {
  const names = Array.from({ length: steps }, (_, index) => `step${index}`)
  return documentOf(
    'chain',
    names,
    names.slice(1).map((name, index) => [names[index] ?? '', name]),
  )
}

function fanOf(branches: number): WorkflowDocument {
  const names = Array.from({ length: branches }, (_, index) => `branch${index}`)
  return documentOf(
    'fan',
    [...names, 'last'],
    names.map((name) => [name, 'last']),
  )
}

/** A document is made and checked once, however many runs it has. */
function once(make: (size: number) => WorkflowDocument): (size: number) => WorkflowDocument {
  const made = new Map<number, WorkflowDocument>()
  return (size) => {
    const document = made.get(size) ?? make(size)
    made.set(size, document)
    return document
  }
}

/** The workflows of each shape on an engine. */
export function subjectOf({ run, close }: BenchEngine): Subject {
  const chain = once(chainOf)
  const fan = once(fanOf)
  return { chain: (steps) => run(chain(steps)), fan: (branches) => run(fan(branches)), close }
}

export const openOurs: OpenSubject = async (directory) => subjectOf(await openBenchEngine(directory))
