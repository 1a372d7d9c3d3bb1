/** Documents and records for the designer's tests; only what a test is about needs to be given. */

import type { AttemptRecord } from '../../src-engine/model/attempt.ts'
import type { EngineEvent, EventBody } from '../../src-engine/model/event.ts'
import {
  definitionHash,
  edgeId,
  invocationId,
  nodeId,
  opId,
  runId,
  runnerId,
  workflowId,
} from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { newInvocation, newRun } from '../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { SecretEntry } from '../../src-engine/model/secret.ts'
import type { WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { edgeIdOf } from '../../src-renderer/commands/new-ids.ts'
import { blankDocument } from '../../src-renderer/state/blank-document.ts'

/** `chain('a', 'b', 'c')`: nodes in a row, each leading to the next. */
export function chain(...ids: readonly string[]): WorkflowDocument {
  const nodes: Record<string, WorkflowNode> = {}
  const places: Record<string, { x: number; y: number }> = {}
  const edges: Record<string, WorkflowDocument['edges'][keyof WorkflowDocument['edges']]> = {}
  ids.forEach((id, index) => {
    nodes[id] = { kind: 'noop', parameters: {} }
    places[id] = { x: index * 320, y: 0 }
    const before = ids[index - 1]
    if (before === undefined) return
    const edge = { from: { node: nodeId(before), port: 'out' }, to: { node: nodeId(id), port: 'in' } }
    edges[edgeIdOf(edge)] = edge
  })
  return { ...blankDocument('wf_test'), nodes, edges, layout: { nodes: places } }
}

export const link = (from: string, to: string, port = 'out') => ({
  from: { node: nodeId(from), port },
  to: { node: nodeId(to), port: 'in' },
})

export const edgeOf = (from: string, to: string, port = 'out') => edgeId(edgeIdOf(link(from, to, port)))

export const runRecord = (changes: Partial<RunRecord> = {}): RunRecord =>
  newRun({
    id: runId('run-1'),
    workflowId: workflowId('wf_test'),
    workflowTitle: 'Test',
    definitionHash: definitionHash('w1_0'),
    status: 'RUNNING',
    input: { kind: 'inline', json: '{}' },
    now: 0,
    seed: 's',
    startedAt: 0,
    ...changes,
  })

export const invocationRecord = (node: string, changes: Partial<InvocationRecord> = {}): InvocationRecord =>
  newInvocation({
    id: invocationId(`run-1/${node}`),
    runId: runId('run-1'),
    nodeId: nodeId(node),
    taskKind: 'noop',
    registeredAt: 0,
    cause: { kind: 'upstream', by: null, detail: null },
    ...changes,
  })

let sequence = 0

export function eventOf(body: EventBody, node: string | null = null): EngineEvent {
  sequence += 1
  return {
    partition: 0,
    epoch: 0,
    seq: sequence,
    at: sequence * 10,
    opId: opId(`op-${sequence}`),
    actor: { kind: 'runner', id: runnerId('r1') },
    prevHash: '',
    hash: '',
    runId: runId('run-1'),
    invocationId: node === null ? null : invocationId(`run-1/${node}`),
    cause: { kind: 'upstream', by: null, detail: null },
    body,
  }
}

/** The events of a run of one node that succeeds. */
export function happyEvents(node = 'a'): readonly EngineEvent[] {
  return [
    eventOf({ type: 'run.created', run: runRecord() }),
    eventOf({ type: 'invocation.registered', invocation: invocationRecord(node) }, node),
    eventOf({ type: 'invocation.changed', from: 'REGISTERED', to: 'PENDING', set: {}, attempt: null }, node),
    eventOf(
      {
        type: 'invocation.changed',
        from: 'PENDING',
        to: 'RUNNING',
        set: { startedAt: 5, attempt: 1 },
        attempt: null,
      },
      node,
    ),
    eventOf(
      {
        type: 'invocation.changed',
        from: 'RUNNING',
        to: 'SUCCESS',
        set: { finishedAt: 9, ports: ['out'] },
        attempt: null,
      },
      node,
    ),
    eventOf({ type: 'run.changed', from: 'RUNNING', to: 'SUCCEEDED', set: { finishedAt: 10 } }),
  ]
}

export function attemptRecord(node: string, changes: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    invocationId: invocationId(`run-1/${node}`),
    runId: runId('run-1'),
    number: 1,
    runnerId: runnerId('r1'),
    fence: { epoch: 0, counter: 1 },
    startedAt: 5,
    endedAt: 9,
    outcome: 'succeeded',
    input: null,
    output: null,
    error: null,
    log: null,
    ...changes,
  }
}

/** A secret of the vault, bound to nothing. */
export const secretEntry = (name: string, changes: Partial<SecretEntry> = {}): SecretEntry => ({
  ...{ name, kind: 'token', note: '', createdAt: 0, changedAt: 0, lastUsedAt: null },
  ...{ hosts: null, kinds: null, nodes: null },
  ...changes,
})
