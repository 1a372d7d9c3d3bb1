/**
 * Sagasmith as a library: define workflows in code and run them in your own process. What isn't exported
 * here is not public and may change at any time.
 */

import type { InProcessSagasmithOptions } from './sdk/in-process.ts'
import type { Sagasmith, SagasmithOptions } from './sdk/sagasmith.ts'
import { createSagasmith } from './sdk/sagasmith.ts'
import { openEngineHost } from './shell/engine-host.ts'
import { openInProcess } from './shell/in-memory.ts'
import { taskMocksByKind } from './tasks/mocks.ts'

export type { ErrorCode, ErrorRecord } from './model/errors.ts'
export { SagasmithError } from './model/errors.ts'
export type { JsonObject, JsonValue } from './model/json.ts'
export type { Problem } from './model/problem.ts'
export type { RunStatus } from './model/run-status.ts'
export type { NodeMock, WorkflowDocument, WorkflowNode } from './model/workflow.ts'
export type {
  TaskDefinition,
  TaskMigrateContext,
  TaskProbeAnswer,
  TaskRequest,
  TaskResponse,
  TaskRunContext,
  TaskUndoContext,
} from './sdk/define-task.ts'
export { defineTask } from './sdk/define-task.ts'
export type {
  EdgeDefinition,
  EdgeEnd,
  Expression,
  NodeDefinition,
  NodeDefinitionOf,
  SagaScopeDefinition,
  TaskKind,
  TaskParameters,
  TriggerDefinition,
  TriggerKind,
  TriggerParameters,
  WorkflowDefinition,
} from './sdk/definition-types.ts'
export type { InProcessSagasmithOptions, MockedStep } from './sdk/in-process.ts'
export type { FinishedRun, RunHandle, RunOptions, Sagasmith, SagasmithOptions } from './sdk/sagasmith.ts'
export { defineWorkflow, extra, kept } from './sdk/workflow-builder.ts'

/** Opens a data directory. Throws `data_directory_in_use` while another engine holds it. */
export async function openSagasmith(options: SagasmithOptions): Promise<Sagasmith> {
  const host = await openEngineHost({ dataDir: options.directory, role: 'library', mode: 'work' })
  return createSagasmith(host.engine, host.close)
}

/**
 * An engine in the memory of this process, for tests and dry runs: nothing is kept. Steps that touch the
 * outside are mocked unless `mockEffects` is false.
 */
export async function openInProcessSagasmith(options: InProcessSagasmithOptions = {}): Promise<Sagasmith> {
  const { mocks = {}, mockEffects = true, onMocked, folder = '.' } = options
  const { engine, close } = await openInProcess({
    folder,
    mocking: {
      nodes: new Map(Object.entries(mocks)),
      kinds: mockEffects ? taskMocksByKind : null,
      told: (step) => onMocked?.(step),
    },
  })
  return createSagasmith(engine, close)
}
