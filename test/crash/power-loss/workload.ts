/**
 * An engine with work for a while, made to be watched: `node workload.ts DIRECTORY RUNS DURABILITY`. Each line
 * of `journal` is a promise given to somebody: `started ID` after a start was accepted, `ended ID STATUS` after
 * the end of a run was told. Each line of `sink.jsonl` is an effect that has left the house.
 */
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { storeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { engineSettings } from '../../../src-engine/model/settings/engine-settings.ts'
import { createEngine } from '../../../src-engine/runtime/create-engine.ts'
import { isProvenGone, ownProcess } from '../../../src-engine/runtime/process-identity.ts'
import {
  createSystemIds,
  holdProcess,
  systemClock,
  systemRandom,
} from '../../../src-engine/runtime/system-ports.ts'
import type { Durability } from '../../../src-engine/store/sqlite/connection.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { completed } from '../../../src-engine/tasks/task.ts'
import { isPureStep } from '../../support/effect-sink.ts'
import { crashScenarios } from '../scenarios.ts'

const [directory = '', runs = '1', durability = 'strict'] = process.argv.slice(2)
const scenario = crashScenarios.find(({ name }) => name === 'order')
if (scenario === undefined) throw new Error('The scenario “order” is gone.')
const journal = openSync(join(directory, 'journal'), 'a')
const sink = openSync(join(directory, 'sink.jsonl'), 'a')
const promise = (line: string): number => writeSync(journal, `${line}\n`)

async function execute(kind: string, parameters: JsonObject, context: TaskContext) {
  const { runId, invocationId, nodeId, attempt, idempotencyKey, input } = context
  const at = Date.now()
  const isPure = isPureStep(kind, context)
  const effect = { runId, invocationId, nodeId, attempt, idempotencyKey, isPure, startedAt: at, endedAt: at }
  writeSync(sink, `${JSON.stringify({ ...effect, input: JSON.stringify(input) })}\n`)
  const items = Number(parameters['items'] ?? 0)
  return completed(
    items > 0 ? Array.from({ length: items }, (_, row) => `${nodeId} row ${row}`) : { node: nodeId },
  )
}

const release = holdProcess()
const store = await openSqliteStore({
  directory,
  storeId: storeId('power-loss'),
  clock: systemClock,
  durability: durability as Durability,
})
const engine = createEngine({
  store,
  host: {
    specsByKind: taskSpecsByKind,
    runOf: (kind) => ({
      execute: (parameters, context) => execute(kind, parameters as JsonObject, context),
    }),
    resolver: { resolveParameters: ({ parameters }) => parameters },
    echoService: async () => '',
  },
  validation: {},
  clock: systemClock,
  random: systemRandom,
  ids: createSystemIds(systemClock),
  log: { debug() {}, info() {}, warn() {}, error() {} },
  process: { own: ownProcess(), isProvenGone },
  preview: async () => ({ kind: 'no-data' }),
  settings: engineSettings({ maxConcurrentTasks: 2 }),
})
await engine.start()
for (let number = 0; number < Number(runs); number += 1) {
  const request = {
    document: scenario.document,
    input: { number },
    baseDirectory: null,
    requestId: `n${number}`,
  }
  const { runId } = await engine.startRun(request)
  promise(`started ${runId}`)
  const { status } = await engine.waitForRun(runId)
  promise(`ended ${runId} ${status}`)
}
await engine.stop()
// The store stays open: closing it would write everything home, and there is nothing to lose then.
release()
process.exit(0)
