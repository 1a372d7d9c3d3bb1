/** Tasks without an outside: they take virtual time, tell the sink, and end as a function of their input. */

import { createHash } from 'node:crypto'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import type { TaskHost } from '../../src-engine/runtime/task-host.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { TaskContext, TaskOutcome } from '../../src-engine/tasks/task.ts'
import { completed } from '../../src-engine/tasks/task.ts'
import type { Effect } from '../support/effect-sink.ts'
import type { RandomSource } from '../support/random-source.ts'
import type { SimulatedProcess } from './world.ts'

export interface FakeTasksOptions {
  readonly process: SimulatedProcess
  readonly random: RandomSource
  readonly effects: Effect[]
}

/** A task host whose every execution is noted in `effects`. */
export function createFakeTasks(options: FakeTasksOptions): TaskHost {
  const run = {
    execute: (parameters: unknown, context: TaskContext) =>
      execute(options, parameters as JsonObject, context),
  }
  return {
    specsByKind: taskSpecsByKind,
    runOf: () => run,
    resolver: { resolveParameters: ({ parameters }) => parameters },
    echoService: async () => '',
  }
}

async function execute(
  options: FakeTasksOptions,
  parameters: JsonObject,
  context: TaskContext,
): Promise<TaskOutcome> {
  const { process, random, effects } = options
  const { world } = process
  const { runId, invocationId, nodeId, attempt, idempotencyKey } = context
  const effect = {
    runId,
    invocationId,
    nodeId,
    attempt,
    idempotencyKey,
    input: JSON.stringify(context.input),
  }
  const place = effects.push({ ...effect, startedAt: world.now, endedAt: null }) - 1
  const span = random.chance(0.05) ? random.below(8_000) : random.below(200)
  const heeds = random.chance(0.9)
  try {
    await work(context, span, heeds)
  } finally {
    const begun = effects[place]
    if (begun !== undefined) effects[place] = { ...begun, endedAt: world.now }
  }
  if (attempt <= Number(parameters['failTimes'] ?? 0)) throw new SagasmithError('debug_failure')
  const output = outputOf(nodeId, context.input)
  const amount = parameters['amount']
  if (typeof amount === 'number') {
    return { kind: 'parked', until: context.clock.now() + amount, reason: 'waits', output }
  }
  if ('condition' in parameters) return completed(output, [String(parity(output) === 0)])
  return completed(output)
}

function work(context: TaskContext, span: number, heeds: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = context.clock.after(span, resolve)
    context.signal.addEventListener('abort', () => {
      if (!heeds) return
      cancel()
      reject(new SagasmithError('task_cancelled'))
    })
  })
}

/** The same step with the same input always gives the same. */
function outputOf(nodeId: string, input: JsonValue): { readonly node: string; readonly digest: string } {
  const digest = createHash('sha256').update(nodeId).update(JSON.stringify(input)).digest('hex')
  return { node: nodeId, digest: digest.slice(0, 12) }
}

const parity = (output: { readonly digest: string }): number =>
  Number.parseInt(output.digest.slice(-1), 16) % 2
