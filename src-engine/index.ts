/**
 * Sagasmith as a library: define workflows in code and run them in your own process. What isn't exported
 * here is not public and may change at any time.
 */

import type { Sagasmith, SagasmithOptions } from './sdk/sagasmith.ts'
import { createSagasmith } from './sdk/sagasmith.ts'
import { openEngineHost } from './shell/engine-host.ts'

export type { ErrorCode, ErrorRecord } from './model/errors.ts'
export { SagasmithError } from './model/errors.ts'
export type { JsonObject, JsonValue } from './model/json.ts'
export type { Problem } from './model/problem.ts'
export type { RunStatus } from './model/run-status.ts'
export type { WorkflowDocument, WorkflowNode } from './model/workflow.ts'
export type { FinishedRun, RunHandle, RunOptions, Sagasmith, SagasmithOptions } from './sdk/sagasmith.ts'
export type { EdgeEnd, WorkflowDefinition } from './sdk/workflow-builder.ts'
export { defineWorkflow } from './sdk/workflow-builder.ts'

/** Opens a data directory. Throws `data_directory_in_use` while another engine holds it. */
export async function openSagasmith(options: SagasmithOptions): Promise<Sagasmith> {
  const host = await openEngineHost({ dataDir: options.directory, role: 'library', mode: 'work' })
  return createSagasmith(host.engine, host.close)
}
