/** An engine whose steps tell a file what they do: the file survives whoever writes it. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import type { EngineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { createEngine } from '../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { Failpoints } from '../../src-engine/runtime/failpoints.ts'
import { isProvenGone, ownProcess } from '../../src-engine/runtime/process-identity.ts'
import { createSystemIds, systemClock, systemRandom } from '../../src-engine/runtime/system-ports.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { TaskContext, TaskOutcome } from '../../src-engine/tasks/task.ts'
import { completed } from '../../src-engine/tasks/task.ts'

/** The sink's name in the data directory. */
export const sinkName = 'sink.jsonl'

export interface SinkEngineOptions {
  readonly directory: string
  readonly settings: EngineSettings
  /** How long a step takes, in ms; called when it has begun. */
  readonly spanOf: (step: { readonly runId: RunId; readonly nodeId: string }) => number
  readonly failpoints?: Failpoints
}

/** Opens the store and makes an engine on it that is not started yet. */
export async function openSinkEngine(options: SinkEngineOptions): Promise<Engine> {
  const { directory, settings, failpoints } = options
  const store = await openSqliteStore({ directory, storeId: storeId('crash-test'), clock: systemClock })
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  return createEngine({
    store,
    host: {
      specsByKind: taskSpecsByKind,
      // The documents are this harness's own: their parameters are JSON objects.
      runOf: () => ({
        execute: (parameters, context) => execute(options, parameters as JsonObject, context),
      }),
      resolver: { resolveParameters: ({ parameters }) => parameters },
      echoService: async () => '',
    },
    validation: {},
    clock: systemClock,
    random: systemRandom,
    ids: createSystemIds(systemClock),
    log: quiet,
    process: { own: ownProcess(), isProvenGone },
    preview: async () => ({ kind: 'no-data' }),
    settings,
    ...(failpoints === undefined ? {} : { failpoints }),
  })
}

async function execute(
  { directory, spanOf }: SinkEngineOptions,
  parameters: JsonObject,
  context: TaskContext,
): Promise<TaskOutcome> {
  const { runId, invocationId, nodeId, attempt, idempotencyKey, input } = context
  const effect = { runId, invocationId, nodeId, attempt, idempotencyKey, pid: process.pid }
  // What was appended is with the kernel.
  const tell = (line: JsonObject): void =>
    appendFileSync(join(directory, sinkName), `${JSON.stringify(line)}\n`)
  tell({ ...effect, startedAt: Date.now(), input: JSON.stringify(input) })
  try {
    await pause(context, spanOf({ runId, nodeId }))
  } finally {
    tell({ ...effect, endedAt: Date.now() })
  }
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
