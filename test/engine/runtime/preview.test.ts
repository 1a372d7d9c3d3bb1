/** What a field's expression gives on the data at hand: those of a run, and what mocks say. */

import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { connectInProcess } from '../../../src-engine/shell/in-process.ts'
import type { Session } from '../../../src-engine/shell/session.ts'
import { createSession } from '../../../src-engine/shell/session.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'

const workflow = documentOf({
  variables: { currency: 'EUR' },
  nodes: {
    fetch: {
      kind: 'transform',
      parameters: { expression: '{"rows": [{"n": 1}, {"n": 2}]}' },
      mocks: { full: { output: { rows: [{ n: 7 }] } }, broken: { error: { code: 'gone', message: 'no' } } },
    },
    each: { kind: 'map', parameters: { items: 'input.rows' } },
    inside: { kind: 'transform', parent: 'each', parameters: { expression: 'item.n * 10' } },
    after: { kind: 'transform', parameters: { expression: 'input' } },
    never: { kind: 'noop', disabled: true },
    last: { kind: 'noop' },
    fails: {
      kind: 'debug',
      parameters: { failTimes: 1, failMessage: 'too bad', retryable: false },
      retry: { maxAttempts: 2, delayMs: 1, retryIf: 'error.message = "too bad"' },
    },
  },
  edges: edgesOf('fetch>each', 'each>after', 'never>last'),
})

let session: Session
let runId: RunId
beforeAll(async () => {
  session = await createSession(() => connectInProcess({ folder: tmpdir(), mocking: null }))
  const started = await session.call('runs.start', {
    document: workflow as unknown as JsonObject,
    input: { day: 'mon' },
    baseDirectory: null,
    requestId: null,
  })
  runId = started.runId
  await session.followRun(runId, { events: () => undefined })
})
afterAll(() => session.close())

interface Asked {
  readonly at: string
  readonly path?: string
  readonly mocks?: string
  readonly hasRun?: boolean
  readonly sees?: 'output' | 'error'
}

const previewOf = (text: string, { at, path, mocks, hasRun = true, sees }: Asked) =>
  session.call('expressions.preview', {
    document: workflow as unknown as JsonObject,
    nodeId: nodeId(at),
    text,
    mode: 'expression',
    runId: hasRun ? runId : null,
    path,
    mocks,
    sees,
  })

describe('on the data of a run', () => {
  test.for<[string, string, unknown]>([
    ['input.rows[1].n', 'each', 2],
    ['input', 'after', [10, 20]],
    ['nodes.fetch.output.rows[0].n', 'after', 1],
    ['run.input.day', 'after', 'mon'],
    ['input.day', 'fetch', 'mon'],
    ['vars.currency', 'last', 'EUR'],
    // An operator takes nothing, whatever a `*` takes elsewhere: outside of maps there is no item.
    ['input.rows[0].n * 2', 'each', 2],
    ['$count(input.rows) % 2', 'each', 0],
    ['$count(input.*)', 'each', 2],
  ])('%s at %s', async ([text, at, value]) => {
    expect(await previewOf(text, { at })).toEqual({ kind: 'value', value })
  })

  test('an item of a map is seen also after the map has ended, by its place', async () => {
    expect(await previewOf('item.n', { at: 'inside', path: 'each:1' })).toEqual({ kind: 'value', value: 2 })
    expect(await previewOf('loop.index', { at: 'inside', path: 'each:1' })).toEqual({
      kind: 'value',
      value: 1,
    })
    expect(await previewOf('item', { at: 'inside', path: 'each:9' })).toEqual({ kind: 'no-data' })
  })

  test('what has no data yet is said to have none, what needs none is shown', async () => {
    expect(await previewOf('input', { at: 'last' })).toEqual({ kind: 'no-data' })
    expect(await previewOf('nodes.last.output', { at: 'last' })).toEqual({ kind: 'no-data' })
    expect(await previewOf('1 + 1', { at: 'last' })).toEqual({ kind: 'value', value: 2 })
    expect(await previewOf('input', { at: 'each', hasRun: false })).toEqual({ kind: 'no-data' })
    // Nothing has to run for what reads nothing.
    expect(await previewOf('6 * 7', { at: 'fetch', hasRun: false })).toEqual({ kind: 'value', value: 42 })
    for (const text of ['run.input', 'nodes.fetch.output', 'item'])
      expect(await previewOf(text, { at: 'inside', hasRun: false })).toEqual({ kind: 'no-data' })
  })

  test('how the step came out is seen by what is asked about that, and by nothing else', async () => {
    const value = (of: unknown) => ({ kind: 'value', value: of })
    expect(await previewOf('output.rows[0].n', { at: 'fetch', sees: 'output' })).toEqual(value(1))
    expect(await previewOf('error.message', { at: 'fails', sees: 'error' })).toEqual(value('too bad'))
    expect(await previewOf('$exists(error)', { at: 'fails' })).toEqual(value(false))
    expect(await previewOf('output', { at: 'never', sees: 'output' })).toEqual({ kind: 'no-data' })
    expect(await previewOf('error.code', { at: 'fetch', sees: 'error' })).toEqual({ kind: 'no-data' })
    expect(await previewOf('output.rows[0].n', { at: 'fetch', sees: 'output', mocks: 'full' })).toEqual(
      value(7),
    )
  })

  test('other expressions of the document may be half written', async () => {
    const half = { ...workflow.nodes, last: { kind: 'log', parameters: { message: '{{ input.cu' } } }
    const document = { ...workflow, nodes: half } as unknown as JsonObject
    const at = { nodeId: nodeId('each'), mode: 'expression', runId } as const
    expect(await session.call('expressions.preview', { ...at, document, text: 'input.rows[0].n' })).toEqual({
      kind: 'value',
      value: 1,
    })
  })

  test('a mistake is told with its place', async () => {
    expect(await previewOf('input.rows[', { at: 'each' })).toMatchObject({ kind: 'problem', position: 10 })
  })
})

describe('on mocks', () => {
  test('a chosen set counts before the run, and without one', async () => {
    const value = { kind: 'value', value: 7 }
    expect(await previewOf('input.rows[0].n', { at: 'each', mocks: 'full' })).toEqual(value)
    expect(await previewOf('input.rows[0].n', { at: 'each', mocks: 'full', hasRun: false })).toEqual(value)
    expect(await previewOf('run.input', { at: 'each', mocks: 'full', hasRun: false })).toEqual({
      kind: 'no-data',
    })
  })

  test('a step that its mock fails hands nothing on', async () => {
    expect(await previewOf('input', { at: 'each', mocks: 'broken' })).toEqual({ kind: 'no-data' })
  })
})

test('what can’t be read of expressions is told for each of them, without a run', async () => {
  const { faults } = await session.call('expressions.check', { expressions: ['input.x', 'input.(', ''] })
  expect(faults[0]).toBeNull()
  expect(faults[1]).toMatchObject({ message: expect.stringContaining('Expected'), position: 6 })
  expect(faults).toHaveLength(3)
})
