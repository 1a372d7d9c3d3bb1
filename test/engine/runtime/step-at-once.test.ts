/** A step that has nothing to wait for is executed at once: told by what is made for it, not by a clock. */

import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { compileWorkflow } from '../../../src-engine/core/compile.ts'
import { definitionHash, invocationId, nodeId, runId, storeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { newInvocation, newRun } from '../../../src-engine/model/new-records.ts'
import type { AttemptWork } from '../../../src-engine/runtime/attempt-work.ts'
import { createDeadlines } from '../../../src-engine/runtime/deadlines.ts'
import type { Execution } from '../../../src-engine/runtime/execution.ts'
import { createExecutions } from '../../../src-engine/runtime/execution.ts'
import { executeAttempt } from '../../../src-engine/runtime/executor.ts'
import type { ExecutorDependencies } from '../../../src-engine/runtime/executor-dependencies.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { createPayloadStore } from '../../../src-engine/runtime/payload-store.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { createTaskRuns } from '../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from '../model/workflow-fixture.ts'

const clock = { now: () => 0, monotonic: () => 0, after: () => () => {} }
const fence = { epoch: 1, counter: 1 }

function dependenciesOf(): ExecutorDependencies {
  const store = createMemoryStore()
  const runs = createTaskRuns({
    sandbox: { open: () => Promise.reject(new Error('no sandbox here')) },
    environment: {},
    lookup: () => Promise.reject(new Error('no network here')),
  } as never)
  return {
    info: { ...store.info, id: storeId('here') },
    host: {
      specsByKind: taskSpecsByKind,
      runOf: (kind) => runs.get(kind) ?? null,
      resolver: createExpressionService({ clock }),
      echoService: async () => '',
    },
    payloads: createPayloadStore(store),
    clock,
    deadlines: createDeadlines(clock, clock.monotonic),
    killGraceMs: 0,
    leftBehind: () => undefined,
    random: { next: () => 0.5 },
    failpoints: () => undefined,
    live: () => undefined,
    calls: { prepare: () => Promise.reject(new Error('nothing is called here')) },
  }
}

/** The first attempt of a step that something inline arrives at. */
function attemptOf(step: JsonObject): { readonly work: AttemptWork; readonly execution: Execution } {
  const workflow = compileWorkflow(documentOf({ nodes: { step } }), taskSpecsByKind)
  const input = { kind: 'inline', json: '{"some":1}' } as const
  const run = newRun({
    id: runId('run_1'),
    workflowId: workflow.document.id,
    workflowTitle: 'One step',
    definitionHash: definitionHash(`w1_${'0'.repeat(64)}`),
    input,
    now: 0,
    seed: 'seed',
  })
  const [node] = workflow.nodes
  if (node === undefined) throw new Error('there is a step')
  const record = newInvocation({
    id: invocationId('run_1/step'),
    runId: run.id,
    nodeId: nodeId('step'),
    taskKind: node.kind,
    attempt: 1,
    deadlineAt: 1_000,
    registeredAt: 0,
    cause: run.cause,
  })
  const work: AttemptWork = {
    run,
    record,
    node,
    input: { kind: 'single', payload: input },
    variables: {},
    approvedHosts: [],
    approvedFolders: null,
    recordOf: () => undefined,
    around: null,
    results: null,
    undo: null,
    called: null,
  }
  const execution = createExecutions().open({ runId: run.id, invocationId: record.id, fence })
  return { work, execution }
}

test.each([
  { kind: 'noop' },
  { kind: 'noop', bypassed: true },
  { kind: 'stop', parameters: { status: 'succeeded' } },
])('nothing is promised for %j', (step) => {
  const dependencies = dependenciesOf()
  const { work, execution } = attemptOf(step)
  const promises: string[] = []
  const hook = createHook({
    init: (_id, type) => {
      promises.push(type)
    },
  })
  hook.enable()
  const report = executeAttempt(dependencies, work, execution)
  hook.disable()
  expect(report).toMatchObject({ end: { output: { json: '{"some":1}' } } })
  expect(promises).toEqual([])
})

test('what has to be computed elsewhere is waited for', async () => {
  const { work, execution } = attemptOf({ kind: 'transform', parameters: { expression: 'input.some' } })
  const report = executeAttempt(dependenciesOf(), work, execution)
  expect(report).toBeInstanceOf(Promise)
  expect(await report).toMatchObject({ end: { kind: 'succeeded', output: { json: '1' } } })
})

test('a step that fails at once is reported like any other', async () => {
  const { work, execution } = attemptOf({
    kind: 'switch',
    parameters: { cases: [{ when: false }], hasDefault: false },
  })
  expect(await executeAttempt(dependenciesOf(), work, execution)).toMatchObject({
    end: { kind: 'failed', error: { code: 'no_case_matched' } },
  })
})
