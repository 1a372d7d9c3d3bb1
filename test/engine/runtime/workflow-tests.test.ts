/** Tests of workflows: made of runs, and failing when the workflow does something else. */

import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { NodeMock } from '../../../src-engine/model/workflow.ts'
import { parseWorkflowTests, workflowTestsText } from '../../../src-engine/model/workflow-test.ts'
import { createExpressionService } from '../../../src-engine/runtime/expressions/expression-service.ts'
import { play } from '../../../src-engine/runtime/rehearsal/play.ts'
import { noWorkflows } from '../../../src-engine/runtime/sub-workflows/workflow-source.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import type { TestStage } from '../../../src-engine/runtime/workflow-tests/play-test.ts'
import { playTest, resultOf } from '../../../src-engine/runtime/workflow-tests/play-test.ts'
import { recordTest } from '../../../src-engine/runtime/workflow-tests/record-test.ts'
import { updatedTest } from '../../../src-engine/runtime/workflow-tests/update-test.ts'
import { taskMocksByKind } from '../../../src-engine/tasks/mocks.ts'
import { createTaskRuns } from '../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'

const expressions = createExpressionService({ clock: systemClock })
afterAll(() => expressions.close())

const runs = createTaskRuns({
  sandbox: { open: () => Promise.reject(new Error('no sandbox here')) },
  environment: {},
  lookup: () => Promise.reject(new Error('no network here')),
} as never)

const stageOf = (parts: JsonObject): TestStage => ({
  document: documentOf(parts),
  baseDirectory: null,
  host: {
    specsByKind: taskSpecsByKind,
    runOf: (kind) => runs.get(kind) ?? null,
    resolver: expressions,
    echoService: async () => '',
  },
  kinds: taskMocksByKind,
  validation: {},
  workflows: noWorkflows,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  random: { next: () => 0.75 },
  clock: systemClock,
})

/** A run of it in which the outside gives what is said here. */
async function ranWith(stage: TestStage, input: JsonObject, outside: Readonly<Record<string, NodeMock>>) {
  const mocking = { nodes: new Map(Object.entries(outside)), kinds: stage.kinds }
  const { run, invocations, payloads } = await play({ ...stage, input, mocking }, null)
  return {
    run,
    invocations,
    value: (payload: Parameters<typeof payloads.value>[0]) => payloads.value(payload),
  }
}

const fetches: JsonObject = {
  kind: 'http-request',
  parameters: { url: 'https://example.com/{{ input.id }}' },
}
const orders: JsonObject = {
  nodes: {
    fetch: fetches,
    sum: { kind: 'transform', parameters: { expression: '{ "total": input.body.price * 2 }' } },
    dear: { kind: 'if', parameters: { condition: 'input.total > 50' } },
    ask: { kind: 'write-file', parameters: { path: '/nowhere/ask', content: 'x' } },
    ship: { kind: 'noop' },
  },
  edges: edgesOf('fetch>sum', 'sum>dear', 'dear:true>ask', 'dear:false>ship'),
}
const withNode = (parts: JsonObject, id: string, node: JsonObject): JsonObject => ({
  ...parts,
  nodes: { ...(parts['nodes'] as JsonObject), [id]: node },
})

describe('a test made of a run', () => {
  const outside = { fetch: { output: { status: 200, body: { price: 30 } } }, ask: { output: { path: 'p' } } }
  const recordedOf = async (parts: JsonObject) =>
    recordTest(stageOf(parts), await ranWith(stageOf(parts), { id: 7 }, outside), 'dear order')

  test('answers for what is outside, and expects the way the run took', async () => {
    const { test: made, volatile, differences } = await recordedOf(orders)
    expect(differences).toEqual([])
    expect(volatile).toEqual([])
    expect(made).toMatchObject({ name: 'dear order', input: { id: 7 } })
    expect(made.mocks).toEqual({ fetch: { output: outside.fetch.output }, ask: { output: { path: 'p' } } })
    expect(made.expected).toMatchObject({
      status: 'SUCCEEDED',
      steps: { sum: { status: 'SUCCESS', output: { total: 60 } }, dear: { ports: ['true'] } },
    })
    expect(made.expected.steps).not.toHaveProperty('ship')
    expect(await resultOf(stageOf(orders), made)).toMatchObject({ isPassed: true, differences: [] })
    expect(parseWorkflowTests(workflowTestsText([made]))).toEqual([made])
  })

  test('fails where the workflow gives another value or goes another way, and says where', async () => {
    const { test: made } = await recordedOf(orders)
    const cheaper = withNode(orders, 'sum', {
      kind: 'transform',
      parameters: { expression: '{ "total": input.body.price }' },
    })
    const result = await resultOf(stageOf(cheaper), made)
    expect(result.isPassed).toBe(false)
    expect(result.differences).toEqual(
      expect.arrayContaining([
        { step: 'sum', what: 'output', expected: '{"total":60}', came: '{"total":30}' },
        { step: 'dear', what: 'ports', expected: '["true"]', came: '["false"]' },
        { step: 'ask', what: 'status', expected: '"SUCCESS"', came: null },
        { step: 'ship', what: 'status', expected: null, came: '"SUCCESS"' },
      ]),
    )
    const updated = updatedTest(made, await playTest(stageOf(cheaper), made))
    expect(await resultOf(stageOf(cheaper), updated)).toMatchObject({ isPassed: true })
    expect(await resultOf(stageOf(orders), updated)).toMatchObject({ isPassed: false })
  })

  test('doesn’t look at what is another value each time', async () => {
    const stamped = withNode(orders, 'ship', { kind: 'noop' })
    const timed = withNode(stamped, 'ask', {
      kind: 'transform',
      parameters: { expression: '{ "run": run.id, "at": $now() }' },
    })
    const { test: made, volatile, differences } = await recordedOf(timed)
    expect(volatile).toEqual(['ask'])
    expect(differences).toEqual([])
    expect(made.expected.steps['ask']).toEqual({ status: 'SUCCESS' })
    const updated = updatedTest(made, await playTest(stageOf(timed), made))
    expect(updated.expected.steps['ask']).toEqual(made.expected.steps['ask'])
  })

  test('of an edited workflow says what the repetition does otherwise', async () => {
    const ended = await ranWith(stageOf(orders), { id: 7 }, outside)
    const edited = withNode(orders, 'dear', {
      kind: 'if',
      parameters: { condition: 'input.total > 500' },
    })
    const { differences } = await recordTest(stageOf(edited), ended, 'edited')
    expect(differences.map(({ step }) => step)).toEqual(expect.arrayContaining(['dear', 'ask', 'ship']))
  })
})

test('each item of a map has its own answer, and a failure is one, too', async () => {
  const parts: JsonObject = {
    nodes: {
      each: { kind: 'map', parameters: { items: 'input.ids', tolerate: 1 } },
      get: { ...fetches, parent: 'each', parameters: { url: 'https://example.com/{{ input }}' } },
    },
    edges: {},
  }
  const ended = await ranWith(
    stageOf(parts),
    { ids: [1, 2] },
    {
      'get@each:0': { output: { status: 200, body: 'one' } },
      'get@each:1': { error: { code: 'http_status', message: 'It said 500.' } },
    },
  )
  const { test: made, differences } = await recordTest(stageOf(parts), ended, 'items')
  expect(differences).toEqual([])
  expect(made.mocks).toMatchObject({
    'get@each:0': { output: { body: 'one' } },
    'get@each:1': { error: { code: expect.any(String) as string } },
  })
  expect(made.expected.steps['get@each:1']).toMatchObject({ status: 'FAILED' })
  expect(await resultOf(stageOf(parts), made)).toMatchObject({ isPassed: true })
})

test('delays pass at once in a test, and are on its way', async () => {
  const parts: JsonObject = {
    nodes: {
      soon: { kind: 'delay', parameters: { amount: 3, unit: 'days' } },
      late: { kind: 'delay', parameters: { mode: 'until', until: '"2199-01-01T00:00:00Z"' } },
      after: { kind: 'transform', parameters: { expression: 'input.id' } },
    },
    edges: edgesOf('soon>late', 'late>after'),
  }
  const ended = await ranWith(stageOf(parts), { id: 7 }, {})
  expect(ended.run.status).toBe('SUCCEEDED')
  expect((ended.run.finishedAt ?? Number.POSITIVE_INFINITY) - ended.run.createdAt).toBeLessThan(60_000)
  const { test: made, differences } = await recordTest(stageOf(parts), ended, 'delays')
  expect(differences).toEqual([])
  expect(made.expected.steps).toMatchObject({ soon: { status: 'SUCCESS' }, late: { status: 'SUCCESS' } })
  expect(await resultOf(stageOf(parts), made)).toMatchObject({ isPassed: true })
})

test('what is undone is part of the way', async () => {
  const pays: JsonObject = {
    kind: 'write-file',
    parameters: { path: '/nowhere/paid', content: 'yes' },
    compensation: { task: { kind: 'noop', parameters: {} } },
  }
  const parts: JsonObject = {
    nodes: { pay: pays, book: { kind: 'write-file', parameters: { path: '/nowhere/b', content: 'x' } } },
    edges: edgesOf('pay>book'),
  }
  const ended = await ranWith(
    stageOf(parts),
    {},
    {
      pay: { output: { paid: true } },
      book: { error: { code: 'task_failed', message: 'No room.' } },
    },
  )
  const { test: made, differences } = await recordTest(stageOf(parts), ended, 'no room')
  expect(differences).toEqual([])
  expect(made.expected).toMatchObject({
    status: 'COMPENSATED',
    steps: { pay: { status: 'SUCCESS' }, book: { error: 'task_failed' }, 'pay~undo': { status: 'SUCCESS' } },
  })
  const { compensation: _, ...kept } = pays
  const result = await resultOf(stageOf(withNode(parts, 'pay', kept)), made)
  expect(result.differences).toContainEqual(expect.objectContaining({ step: 'pay~undo', came: null }))
})

test('a run that was cancelled, or goes on, becomes no test', async () => {
  const ended = await ranWith(stageOf(orders), { id: 7 }, {})
  for (const status of ['CANCELLED', 'RUNNING', 'TIMED_OUT'] as const) {
    const left = { ...ended, run: { ...ended.run, status } }
    await expect(recordTest(stageOf(orders), left, 'x')).rejects.toMatchObject({ code: 'test_run_not_over' })
  }
})

test('a file that holds no tests says what is wrong with it', () => {
  const whole = { format: 'sagasmith.tests', schemaVersion: 1, tests: [] }
  expect(parseWorkflowTests(JSON.stringify(whole))).toEqual([])
  const one = { name: 'a', at: 0, input: null, mocks: {}, expected: { status: 'SUCCEEDED', steps: {} } }
  const wrong: readonly (readonly [string, string])[] = [
    ['{', 'JSON'],
    [JSON.stringify({ ...whole, schemaVersion: 2 }), 'schemaVersion'],
    [JSON.stringify({ ...whole, tests: [{ ...one, name: '' }] }), 'tests.0.name'],
    [JSON.stringify({ ...whole, tests: [one, one] }), '“a”'],
  ]
  for (const [text, why] of wrong) {
    expect(() => parseWorkflowTests(text)).toThrow(
      expect.objectContaining({ code: 'tests_invalid', message: expect.stringContaining(why) as string }),
    )
  }
})

test('a throttle holds back nobody who is only tried', async () => {
  const slow = { kind: 'throttle', parameters: { count: 1, amount: 1, unit: 'hours', onFull: 'fail' } }
  const shared = { ...slow, parameters: { ...slow.parameters, key: '"k"', scope: 'workspace' } }
  const tried = await ranWith(stageOf({ nodes: { a: shared, b: shared }, edges: edgesOf('a>b') }), {}, {})
  expect(tried.run.status).toBe('SUCCEEDED')
})
