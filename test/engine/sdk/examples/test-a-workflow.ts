import assert from 'node:assert/strict'
import type {
  InProcessSagasmithOptions,
  JsonObject,
  JsonValue,
  MockedStep,
  NodeMock,
} from '../../../../src-engine/index.ts'
import { defineWorkflow, openInProcessSagasmith } from '../../../../src-engine/index.ts'

const count = defineWorkflow({
  id: 'count',
  nodes: {
    fetch: { kind: 'http-request', parameters: { url: 'https://example.com/orders' } },
    count: { kind: 'transform', parameters: { expression: '$count(input.body)' } },
  },
  edges: [['fetch', 'count']],
})

const answer: JsonObject = { status: 200, body: [1, 2, 3] }
const mock: NodeMock = { output: answer }
const mocked: MockedStep[] = []
const options: InProcessSagasmithOptions = { mocks: { fetch: mock }, onMocked: (step) => mocked.push(step) }

const engine = await openInProcessSagasmith(options)
const output: JsonValue = (await (await engine.run(count)).result()).output
assert.equal(output, 3)
assert.equal(mocked[0]?.nodeId, 'fetch')
await engine.close()
