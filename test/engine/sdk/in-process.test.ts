/** Workflows in memory, with mocks: what runs, what is answered for, and that nothing stays behind. */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { InProcessSagasmithOptions, MockedStep, Sagasmith } from '../../../src-engine/index.ts'
import { defineWorkflow, openInProcessSagasmith } from '../../../src-engine/index.ts'
import type { NodeMock } from '../../../src-engine/model/workflow.ts'
import { nodeMocksOf } from '../../../src-engine/runtime/mocked-host.ts'

const open: Sagasmith[] = []
afterEach(async () => {
  for (const sagasmith of open.splice(0)) await sagasmith.close()
})

async function inProcess(options: InProcessSagasmithOptions = {}) {
  const mocked: MockedStep[] = []
  const sagasmith = await openInProcessSagasmith({ onMocked: (step) => mocked.push(step), ...options })
  open.push(sagasmith)
  return { sagasmith, mocked }
}

const orders = defineWorkflow({
  id: 'orders',
  nodes: {
    fetch: { kind: 'http-request', parameters: { url: 'https://example.com/orders' } },
    rest: { kind: 'delay', parameters: { amount: 3, unit: 'days' } },
    count: { kind: 'transform', parameters: { expression: '$count(nodes.fetch.output.body)' } },
    keep: { kind: 'write-file', parameters: { path: 'count.txt', content: '{{ input }}' } },
  },
  edges: [
    ['fetch', 'rest'],
    ['rest', 'count'],
    ['count', 'keep'],
  ],
})

describe('an engine in memory', () => {
  test('runs a workflow to its end with mocks for all that touches the outside', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sagasmith-in-process-'))
    const { sagasmith, mocked } = await inProcess({
      folder,
      mocks: { fetch: { output: { status: 200, body: [1, 2, 3] } } },
    })
    const run = await sagasmith.run(orders, {}, { baseDirectory: folder })
    const { status, output } = await run.result()
    expect(status).toBe('SUCCEEDED')
    expect(output).toEqual({ path: `${folder}/count.txt`, bytes: 2, undo: [] })
    expect(mocked.map(({ nodeId, source }) => `${nodeId} by ${source}`)).toEqual([
      'fetch by node',
      'rest by kind',
      'keep by kind',
    ])
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('gives the errors that mocks say', async () => {
    const { sagasmith } = await inProcess({ mocks: { fetch: { error: { code: 'gone', message: 'no' } } } })
    const { status, error } = await (await sagasmith.run(orders)).result()
    expect(status).toBe('FAILED')
    expect(error).toMatchObject({ code: 'task_failed', message: 'no', details: { mockedCode: 'gone' } })
  })

  test('a mock with one of the engine’s error kinds fails as that kind does, retries included', async () => {
    const { sagasmith } = await inProcess({
      mocks: { fetch: { error: { code: 'task_input_invalid', message: 'odd' } } },
    })
    const { error } = await (await sagasmith.run(orders)).result()
    expect(error).toMatchObject({ code: 'task_input_invalid', message: 'odd' })
  })

  test('takes the port that a mock names', async () => {
    const workflow = defineWorkflow({
      id: 'choice',
      nodes: {
        ask: { kind: 'if', parameters: { condition: 'true' } },
        yes: { kind: 'transform', parameters: { expression: '"yes"' } },
        no: { kind: 'transform', parameters: { expression: '"no"' } },
      },
      edges: [
        ['ask:true', 'yes'],
        ['ask:false', 'no'],
      ],
    })
    const { sagasmith } = await inProcess({ mocks: { ask: { port: 'false' } } })
    const { output } = await (await sagasmith.run(workflow)).result()
    expect(output).toBe('no')
  })
})

describe('mocks of a document', () => {
  const mock = (output: string): NodeMock => ({ output })
  const document = defineWorkflow({
    id: 'w',
    nodes: {
      a: { kind: 'noop', mocks: { good: mock('g'), bad: mock('b') } },
      b: { kind: 'noop', mocks: { bad: mock('x') } },
      c: { kind: 'noop' },
    },
  })

  test('are those of the named set', () => {
    expect([...nodeMocksOf(document, 'bad')]).toEqual([
      ['a', mock('b')],
      ['b', mock('x')],
    ])
    expect([...nodeMocksOf(document, 'good').keys()]).toEqual(['a'])
  })

  test('are the first of each node where no set is named', () => {
    expect([...nodeMocksOf(document, null).values()]).toEqual([mock('g'), mock('x')])
  })
})
