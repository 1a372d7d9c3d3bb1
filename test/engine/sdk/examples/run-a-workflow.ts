import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  FinishedRun,
  RunHandle,
  RunOptions,
  RunStatus,
  Sagasmith,
  SagasmithOptions,
} from '../../../../src-engine/index.ts'
import { defineWorkflow, openSagasmith } from '../../../../src-engine/index.ts'

const greeting = defineWorkflow({
  id: 'greeting',
  nodes: {
    greet: { kind: 'transform', parameters: { expression: '"Hello " & run.input.name' } },
    shout: { kind: 'transform', parameters: { expression: '$uppercase(input)' } },
  },
  edges: [['greet', 'shout']],
})

const options: SagasmithOptions = { directory: await mkdtemp(join(tmpdir(), 'sagasmith-example-')) }
const engine: Sagasmith = await openSagasmith(options)
const once: RunOptions = { requestId: 'ada-1' }
const run: RunHandle = await engine.run(greeting, { name: 'Ada' }, once)
const finished: FinishedRun = await run.result()
const status: RunStatus = finished.status
assert.equal(status, 'SUCCEEDED')
assert.equal(finished.output, 'HELLO ADA')
assert.equal(await run.output('greet'), 'Hello Ada')
await engine.close()
