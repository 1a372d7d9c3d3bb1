/**
 * An engine in a process of its own, made to be killed: `node engine-child.ts DIRECTORY SCENARIO`. It starts
 * the scenario's run, or goes on with it, and prints one line when it is ready and one when the run is final.
 * `KILL_AT=name@n` makes it kill itself at the n-th passing of a failpoint.
 */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { createEngine } from '../../src-engine/runtime/create-engine.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { FailpointName } from '../../src-engine/runtime/failpoints.ts'
import { isProvenGone, ownProcess } from '../../src-engine/runtime/process-identity.ts'
import {
  createSystemIds,
  holdProcess,
  systemClock,
  systemRandom,
} from '../../src-engine/runtime/system-ports.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { TaskContext, TaskOutcome } from '../../src-engine/tasks/task.ts'
import { completed } from '../../src-engine/tasks/task.ts'
import { crashScenarios } from './scenarios.ts'

const [directory = '', name = ''] = process.argv.slice(2)
const found = crashScenarios.find((item) => item.name === name)
if (found === undefined) throw new Error(`there is no scenario ${name}`)
const scenario = found
const sink = join(directory, 'sink.jsonl')
const [killName, killNth] = (process.env['KILL_AT'] ?? '').split('@')
const passed: Record<string, number> = {}

/** The file survives its writer: what was appended is with the kernel. */
const tell = (line: JsonObject): void => appendFileSync(sink, `${JSON.stringify(line)}\n`)
const say = (line: JsonObject): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

function failpoint(point: FailpointName): void {
  passed[point] = (passed[point] ?? 0) + 1
  if (point === killName && passed[point] === Number(killNth)) process.kill(process.pid, 'SIGKILL')
}

let cancel: (runId: RunId) => void = () => {}

async function execute(parameters: JsonObject, context: TaskContext): Promise<TaskOutcome> {
  const { runId, invocationId, nodeId, attempt, idempotencyKey, input } = context
  const effect = { runId, invocationId, nodeId, attempt, idempotencyKey, pid: process.pid }
  tell({ ...effect, startedAt: Date.now(), input: JSON.stringify(input) })
  try {
    if (nodeId === scenario.cancelAt) cancel(runId)
    await pause(context, nodeId === scenario.cancelAt ? 60_000 : 3)
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

async function open(): Promise<Engine> {
  const store = await openSqliteStore({ directory, storeId: storeId('crash-test'), clock: systemClock })
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  return createEngine({
    store,
    host: {
      specsByKind: taskSpecsByKind,
      // The documents are this harness's own: their parameters are JSON objects.
      runOf: () => ({ execute: (parameters, context) => execute(parameters as JsonObject, context) }),
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
    settings: engineSettings({ maxConcurrentTasks: 2, heartbeatIntervalMs: 15 }),
    failpoints: failpoint,
  })
}

const release = holdProcess()
const engine = await open()
cancel = (runId) => {
  engine.cancelRun(runId).catch((thrown: unknown) => say({ type: 'problem', message: String(thrown) }))
}
await engine.start()
say({ type: 'ready' })
const request = { document: scenario.document, input: { order: 7 }, baseDirectory: null, requestId: name }
const { runId } = await engine.startRun(request)
say({ type: 'accepted', runId })
const run = await engine.waitForRun(runId)
const output = run.output?.kind === 'inline' ? run.output.json : null
await engine.stop()
await engine.store.close()
say({ type: 'finished', runId, status: run.status, output, passed })
release()
