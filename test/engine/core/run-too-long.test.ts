/** A run whose history has grown to its bound ends by itself. */

import { expect, test } from 'vitest'
import { compileWorkflow } from '../../../src-engine/core/compile.ts'
import { finishAttempt } from '../../../src-engine/core/finish-attempt.ts'
import { rebuildRunState } from '../../../src-engine/core/rebuild.ts'
import type { RunState } from '../../../src-engine/core/run-state.ts'
import { definitionHash, invocationId, nodeId, opId, runId, runnerId } from '../../../src-engine/model/ids.ts'
import { runEventsMax } from '../../../src-engine/model/limits.ts'
import { newInvocation, newRun } from '../../../src-engine/model/new-records.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { json, succeeded } from './run-scene.ts'

const fence = { epoch: 1, counter: 1 }

/** A run whose first step was written that often, and is at work. */
function stateAfter(writes: number, onFailure: 'stop' | 'finish'): RunState {
  const document = documentOf({
    nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } },
    edges: edgesOf('a>b'),
    settings: { onFailure },
  })
  const id = runId('run-1')
  const run = newRun({
    id,
    workflowId: document.id,
    workflowTitle: 'Orders',
    definitionHash: definitionHash('w1_test'),
    input: json(1),
    now: 0,
    seed: 'seed',
    status: 'RUNNING',
  })
  const record = newInvocation({
    id: invocationId('run-1/a'),
    runId: id,
    nodeId: nodeId('a'),
    taskKind: 'noop',
    registeredAt: 0,
    cause: { kind: 'start', by: null, detail: null },
    status: 'RUNNING',
    version: writes,
    lease: { runnerId: runnerId('r'), fence, expiresAt: 60_000 },
    fence,
    attempt: 1,
    startedAt: 0,
  })
  return rebuildRunState(compileWorkflow(document, taskSpecsByKind), run, [record])
}

function end(state: RunState) {
  const context = {
    now: 1,
    actor: { kind: 'runner', id: runnerId('r') },
    cause: { kind: 'test', by: null, detail: null },
    opId: opId('op'),
    epoch: 1,
    claimant: null,
  } as const
  const fact = { invocationId: invocationId('run-1/a'), fence, end: succeeded(1), input: null, log: null }
  return finishAttempt(state, context, fact)?.changes
}

test.for(['stop', 'finish'] as const)(
  'it fails by name, and what came of it last is cancelled (%s)',
  (onFailure) => {
    const changes = end(stateAfter(runEventsMax, onFailure))
    expect(changes?.run).toMatchObject({ status: 'FAILED', error: { code: 'run_too_long' } })
    expect(changes?.invocations.map(({ nodeId: id, status }) => `${id} ${status}`)).toEqual([
      'a SUCCESS',
      'b CANCELLED',
    ])
  },
)

test('short of its bound it goes on', () => {
  const changes = end(stateAfter(runEventsMax - 1, 'stop'))
  expect(changes?.run.status).toBe('RUNNING')
})
