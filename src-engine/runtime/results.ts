/** The result of a run or of one of its steps, or why there is none: each with a code of its own. */

import { keptGenerations } from '../core/generations.ts'
import { forwardId } from '../core/run-state.ts'
import type { ErrorCode } from '../model/errors.ts'
import { SagasmithError } from '../model/errors.ts'
import type { NodeId, RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { JsonObject } from '../model/json.ts'
import type { Payload } from '../model/payload.ts'
import type { RunRecord } from '../model/run.ts'
import { runMachine } from '../model/run-status.ts'
import type { Store } from '../store/store.ts'
import type { Definitions } from './definitions.ts'

export interface Results {
  /**
   * What the run gave, or the step of it (`path` for one of a map or loop). Throws `run_not_found`,
   * `invocation_not_found`, `result_not_ready`, `result_failed`, `result_none`.
   */
  readonly read: (wanted: {
    readonly runId: RunId
    readonly nodeId: NodeId | null
    readonly path?: string
  }) => Promise<Payload>
}

/** Reads from the store: a result that is there is durable. */
export function createResults(store: Store, partition: number, definitions: Definitions): Results {
  return {
    read: async ({ runId, nodeId, path = '' }) => {
      const run = await store.load(partition, 'run', { runId })
      if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
      if (nodeId === null) return resultOfRun(run)
      const invocations = await store.load(partition, 'invocations', { runId })
      const workflow = await definitions.compiled(run.definitionHash)
      const at = { run, kept: keptGenerations(workflow, run.generation, { invocations }) }
      const id = forwardId(at, nodeId, path)
      const record = invocations.find((known) => known.id === id)
      if (record === undefined)
        throw new SagasmithError('invocation_not_found', { details: { runId, nodeId } })
      return resultOfStep(record)
    },
  }
}

function resultOfRun({ id, status, output, error }: RunRecord): Payload {
  const what = `The run ${id}`
  const details = { runId: id, status }
  if (!runMachine.final.has(status)) throw none('result_not_ready', `${what} is still ${status}.`, details)
  if (status === 'SUCCEEDED') return output ?? { kind: 'inline', json: 'null' }
  if (error === null) throw none('result_none', `${what} is ${status} and gave nothing.`, details)
  throw none('result_failed', `${what} is ${status}: ${error.message}`, { ...details, code: error.code })
}

const failedStatuses: ReadonlySet<InvocationStatus> = new Set([
  'FAILED',
  'TIMEOUT',
  'DENIED',
  'OUTPUT_QUARANTINED',
])

/** A step that concurrency control ended without running has no result either: it says so. */
function resultOfStep({ id, status, output, error }: InvocationRecord): Payload {
  const what = `The step ${id}`
  const details = { invocationId: id, status }
  if (!invocationMachine.final.has(status)) {
    throw none('result_not_ready', `${what} is still ${status}.`, details)
  }
  if (status === 'SUCCESS') return output ?? { kind: 'inline', json: 'null' }
  const hasFailed = failedStatuses.has(status)
  if (!hasFailed || error === null)
    throw none('result_none', `${what} is ${status} and gave nothing.`, details)
  throw none('result_failed', `${what} is ${status}: ${error.message}`, { ...details, code: error.code })
}

const none = (code: ErrorCode, message: string, details: JsonObject): SagasmithError =>
  new SagasmithError(code, { message, details })
