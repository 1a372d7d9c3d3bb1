/** The product's engine with a workflow of each shape. */

import { edgeId, nodeId, workflowId } from '../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowEdge, WorkflowNode } from '../src-engine/model/workflow.ts'
import type { BenchEngine } from './bench-engine.ts'
import { openBenchEngine } from './bench-engine.ts'
import type { OpenSubject, Subject } from './subject.ts'

const edge = (from: string, to: string): WorkflowEdge => ({
  from: { node: nodeId(from), port: 'out' },
  to: { node: nodeId(to), port: 'in' },
})

interface Shape {
  readonly id: string
  readonly names: readonly string[]
  readonly pairs: readonly (readonly [string, string])[]
}

/** What steps that do nothing are told. */
export type BenchStep = Pick<WorkflowNode, 'sideEffect' | 'concurrency' | 'route'>

function documentOf({ id, names, pairs }: Shape, step: BenchStep): WorkflowDocument {
  const noop: WorkflowNode = { kind: 'noop', ...step }
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

function chainOf(steps: number): Shape {
  const names = Array.from({ length: steps }, (_, index) => `step${index}`)
  return { id: 'chain', names, pairs: names.slice(1).map((name, index) => [names[index] ?? '', name]) }
}

function fanOf(branches: number): Shape {
  const names = Array.from({ length: branches }, (_, index) => `branch${index}`)
  return { id: 'fan', names: [...names, 'last'], pairs: names.map((name) => [name, 'last']) }
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

/**
 * The workflows of each shape on an engine. Steps that do nothing are pure, and don't wait for the commit that claims
 * them; *keyed* ones are taken to act, and each waits.
 */
export function subjectOf({ run, close }: BenchEngine, step: BenchStep = { sideEffect: 'pure' }): Subject {
  const chain = once((size) => documentOf(chainOf(size), step))
  const fan = once((size) => documentOf(fanOf(size), step))
  return { chain: (steps) => run(chain(steps)), fan: (branches) => run(fan(branches)), close }
}

export const openOurs: OpenSubject = async (directory) => subjectOf(await openBenchEngine(directory))

/** The same with steps that are taken to act. */
export const openActing: OpenSubject = async (directory) =>
  subjectOf(await openBenchEngine(directory), { sideEffect: 'keyed' })
