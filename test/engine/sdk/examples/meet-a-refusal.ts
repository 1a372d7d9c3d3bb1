import assert from 'node:assert/strict'
import type { ErrorCode, ErrorRecord, Problem } from '../../../../src-engine/index.ts'
import { defineWorkflow, kept, openInProcessSagasmith, SagasmithError } from '../../../../src-engine/index.ts'

const engine = await openInProcessSagasmith()

const broken = defineWorkflow({ id: 'broken', nodes: { a: kept({ kind: 'nobody-knows' }) } })
const thrown: unknown = await engine.run(broken).catch((error: unknown) => error)
assert(thrown instanceof SagasmithError)
const code: ErrorCode = 'document_invalid'
assert.equal(thrown.code, code)
// Details are JSON: with this code, the problems of the document.
const [problem] = thrown.details['problems'] as unknown as readonly Problem[]
assert.equal(problem?.nodeId, 'a')

const stops = defineWorkflow({
  id: 'stops',
  nodes: { end: { kind: 'stop', parameters: { status: 'failed', message: 'Enough' } } },
})
const error: ErrorRecord | null = (await (await engine.run(stops)).result()).error
assert.equal(error?.message, 'Enough')
await engine.close()
