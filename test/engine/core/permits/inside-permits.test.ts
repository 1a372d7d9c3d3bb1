/** Permits over bodies: held while anything inside is at work, and found out without looking at everything inside. */

import { expect, it, vi } from 'vitest'
import { compileWorkflow } from '../../../../src-engine/core/compile.ts'
import type { PermitWrites } from '../../../../src-engine/core/permits/held-permits.ts'
import { addInsideWrites } from '../../../../src-engine/core/permits/inside-permits.ts'
import { applyChanges, createRunState } from '../../../../src-engine/core/run-state.ts'
import {
  definitionHash,
  invocationIdOf,
  nodeId,
  runId,
  workflowId,
} from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { newInvocation, newRun } from '../../../../src-engine/model/new-records.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { documentOf } from '../../model/workflow-fixture.ts'

const key = 'inside:w/box'
const run = newRun({
  id: runId('r'),
  workflowId: workflowId('w'),
  workflowTitle: 'W',
  definitionHash: definitionHash('w1_test'),
  input: { kind: 'inline', json: 'null' },
  now: 1,
  seed: 's',
})

function recordOf(node: string, path: string, set: Partial<InvocationRecord> = {}): InvocationRecord {
  const at = { runId: run.id, generation: set.generation ?? 0, nodeId: nodeId(node), path }
  return newInvocation({
    ...at,
    id: invocationIdOf({ ...at, role: 'forward' }),
    taskKind: 'noop',
    registeredAt: 1,
    cause: { kind: 'test', by: null, detail: null },
    status: 'RUNNING',
    ...set,
  })
}

const permits = {
  permits: [{ key, limit: 1, windowMs: null }],
  resolved: true,
  blockedSince: null,
  blockedBy: null,
}
/** A box that was cancelled with steps inside that are still at work. */
const box = recordOf('box', '', { permits, startedAt: 1, status: 'CANCELLED' })
const item = (index: number, set: Partial<InvocationRecord> = {}): InvocationRecord =>
  recordOf('step', `box:0/each:${index}`, set)

function stateOf(inside: readonly InvocationRecord[]) {
  const workflow = compileWorkflow(
    documentOf({
      nodes: {
        box: { kind: 'semaphore' },
        each: { kind: 'map', parent: 'box' },
        step: { kind: 'noop', parent: 'each' },
      },
      edges: {},
    }),
    taskSpecsByKind,
  )
  const state = createRunState(workflow, run)
  applyChanges(state, { run, invocations: [box, ...inside], edges: new Map(), nodes: new Map() })
  return state
}

function writesOf(state: ReturnType<typeof stateOf>, records: readonly InvocationRecord[]): PermitWrites {
  const writes: PermitWrites = { take: [], release: [] }
  addInsideWrites(writes, { state, records })
  return writes
}

const given = { take: [], release: [{ key, holder: box.id }] }
const nothing = { take: [], release: [] }

it('is given back with the last that ends inside, however deep', () => {
  const state = stateOf([item(0), item(1), item(2, { status: 'SUCCESS' })])
  expect(writesOf(state, [item(0, { status: 'SUCCESS' })])).toEqual(nothing)
  expect(writesOf(state, [item(0, { status: 'SUCCESS' }), item(1, { status: 'FAILED' })])).toEqual(given)
  applyChanges(state, {
    run,
    invocations: [item(1, { status: 'SUCCESS' })],
    edges: new Map(),
    nodes: new Map(),
  })
  expect(writesOf(state, [item(0, { status: 'CANCELLED' })])).toEqual(given)
  // What is registered in the same moment keeps it.
  const next = item(3, { status: 'REGISTERED' })
  expect(writesOf(state, [item(0, { status: 'SUCCESS' }), next])).toEqual(nothing)
})

it('is not kept by what another generation has inside', () => {
  const state = stateOf([item(0), item(1, { generation: 1 })])
  expect(writesOf(state, [item(0, { status: 'SUCCESS' })])).toEqual(given)
})

it('costs the same however much is inside', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => item(index))
  const state = stateOf(many)
  const looks = (['values', 'entries', 'keys', 'forEach', Symbol.iterator] as const).map((name) =>
    vi.spyOn(state.invocations, name),
  )
  const reads = vi.spyOn(state.invocations, 'get')
  expect(writesOf(state, [item(7, { status: 'SUCCESS' })])).toEqual(nothing)
  for (const look of looks) expect(look).not.toHaveBeenCalled()
  expect(reads.mock.calls.length).toBeLessThanOrEqual(4)
})
