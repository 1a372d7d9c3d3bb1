/** An engine whose steps tell a file what they do: the file survives whoever writes it. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import type { Logger } from '../../src-engine/model/ports.ts'
import type { EngineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { createEngine } from '../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { Failpoints } from '../../src-engine/runtime/failpoints.ts'
import type { RemoteKernel } from '../../src-engine/runtime/policy/remote-kernel.ts'
import { isProvenGone, ownProcess } from '../../src-engine/runtime/process-identity.ts'
import { createSystemIds, systemClock, systemRandom } from '../../src-engine/runtime/system-ports.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { createApprovalRun } from '../../src-engine/tasks/approval/run.ts'
import { createEmitEventRun } from '../../src-engine/tasks/emit-event/run.ts'
import { loopRun } from '../../src-engine/tasks/loop/run.ts'
import { createMapRun } from '../../src-engine/tasks/map/run.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { stopRun } from '../../src-engine/tasks/stop/run.ts'
import { subWorkflowRun } from '../../src-engine/tasks/sub-workflow/run.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../../src-engine/tasks/task.ts'
import { completed } from '../../src-engine/tasks/task.ts'
import { waitSignalRun } from '../../src-engine/tasks/wait-signal/run.ts'
import { isPureStep } from '../support/effect-sink.ts'

/** The sink's name in the data directory. */
export const sinkName = 'sink.jsonl'

export interface SinkEngineOptions {
  readonly directory: string
  readonly settings: EngineSettings
  /** How long a step takes, in ms; called when it has begun. */
  readonly spanOf: (step: Pick<TaskContext, 'runId' | 'nodeId' | 'env'>) => number
  readonly failpoints?: Failpoints
  /** Instead of a file in the directory. */
  readonly store?: Store
  /** Told what goes wrong; nobody when absent. */
  readonly log?: Logger
  /** What sub-workflow steps find by id; nothing when absent. */
  readonly workflows?: Readonly<Record<string, WorkflowDocument>>
  /** Asked beside the policy; nobody when absent. */
  readonly safetyKernel?: RemoteKernel
}

/** What these do is the engine's own. */
const controlFlow: ReadonlyMap<string, TaskRun<unknown>> = new Map(
  // The map forgets whose parameters are whose; each gets what its own schema gives.
  Object.entries({
    map: createMapRun({ evaluate: async () => null }),
    loop: loopRun,
    stop: stopRun,
    approval: createApprovalRun({ lookup: () => Promise.reject(new Error('no network here')) }),
    'wait-signal': waitSignalRun,
    'emit-event': createEmitEventRun({}),
    'sub-workflow': subWorkflowRun,
  }) as [string, TaskRun<unknown>][],
)

/** Opens the store and makes an engine on it that is not started yet. */
export async function openSinkEngine(options: SinkEngineOptions): Promise<Engine> {
  const { directory, settings, failpoints } = options
  const store =
    options.store ??
    (await openSqliteStore({ directory, storeId: storeId('crash-test'), clock: systemClock }))
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  return createEngine({
    store,
    host: {
      specsByKind: taskSpecsByKind,
      // The documents are this harness's own: their parameters are JSON objects.
      runOf: (kind) =>
        toldBy(
          options,
          kind,
          controlFlow.get(kind) ?? {
            execute: (parameters, context) => execute(options, parameters as JsonObject, context),
          },
        ),
      // They hold no expressions; kinds that run for real get their defaults.
      resolver: {
        resolveParameters: ({ parameters, spec }) =>
          controlFlow.has(spec.kind) ? spec.parameters.parse(parameters) : parameters,
      },
      echoService: async () => '',
    },
    validation: {},
    workflows: {
      find: async (id, folder) => {
        const document = options.workflows?.[id]
        return document === undefined ? null : { document, folder }
      },
    },
    clock: systemClock,
    random: systemRandom,
    ids: createSystemIds(systemClock),
    log: options.log ?? quiet,
    process: { own: ownProcess(), isProvenGone },
    preview: async () => ({ kind: 'no-data' }),
    settings,
    ...(failpoints === undefined ? {} : { failpoints }),
    ...(options.safetyKernel === undefined ? {} : { safetyKernel: options.safetyKernel }),
  })
}

/** The same, telling the sink when it begins and when it ends. */
function toldBy({ directory }: SinkEngineOptions, kind: string, run: TaskRun<unknown>): TaskRun<unknown> {
  // What was appended is with the kernel.
  const tell = (line: JsonObject): void =>
    appendFileSync(join(directory, sinkName), `${JSON.stringify(line)}\n`)
  return {
    execute: async (parameters, context) => {
      const { runId, invocationId, nodeId, attempt, idempotencyKey, input } = context
      const isPure = isPureStep(kind, context)
      const effect = { runId, invocationId, nodeId, attempt, idempotencyKey, isPure, pid: process.pid }
      tell({ ...effect, startedAt: Date.now(), input: JSON.stringify(input) })
      try {
        return await run.execute(parameters, context)
      } finally {
        tell({ ...effect, endedAt: Date.now() })
      }
    },
  }
}

async function execute(
  { spanOf }: SinkEngineOptions,
  parameters: JsonObject,
  context: TaskContext,
): Promise<TaskOutcome> {
  const { nodeId, attempt, input } = context
  await pause(context, spanOf(context))
  if (attempt <= Number(parameters['failTimes'] ?? 0)) throw new SagasmithError('debug_failure')
  const output = outputOf(nodeId, input, Number(parameters['items'] ?? 0))
  const amount = parameters['amount']
  if (typeof amount !== 'number') return completed(output)
  return { kind: 'parked', until: Date.now() + amount, reason: 'waits', output }
}

function outputOf(nodeId: string, input: JsonValue, items: number): JsonValue {
  if (items > 0) return Array.from({ length: items }, (_, index) => `${nodeId} row ${index} of a long list`)
  return { node: nodeId, size: JSON.stringify(input).length }
}

function pause(context: TaskContext, span: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = context.clock.after(span, resolve)
    context.signal.addEventListener('abort', () => {
      stop()
      reject(new SagasmithError('task_cancelled'))
    })
  })
}
