/** Tasks without an outside: they take virtual time, tell the sink, and end as a function of their input. */

import { chainNumberOf } from '../../src-engine/core/saga/undo-chain.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import type { ExpressionScope, TaskHost } from '../../src-engine/runtime/task-host.ts'
import { createApprovalRun } from '../../src-engine/tasks/approval/run.ts'
import { circuitBreakerRun } from '../../src-engine/tasks/circuit-breaker/run.ts'
import { createEmitEventRun } from '../../src-engine/tasks/emit-event/run.ts'
import { breakLoopRun, nextTurnRun } from '../../src-engine/tasks/leave-loop/run.ts'
import { loopRun } from '../../src-engine/tasks/loop/run.ts'
import { createMapRun } from '../../src-engine/tasks/map/run.ts'
import { semaphoreRun } from '../../src-engine/tasks/semaphore/run.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { steerRunsRun } from '../../src-engine/tasks/steer-runs/run.ts'
import { stopRun } from '../../src-engine/tasks/stop/run.ts'
import { subWorkflowRun } from '../../src-engine/tasks/sub-workflow/run.ts'
import type { TaskContext, TaskOutcome } from '../../src-engine/tasks/task.ts'
import { completed } from '../../src-engine/tasks/task.ts'
import { throttleRun } from '../../src-engine/tasks/throttle/run.ts'
import { waitSignalRun } from '../../src-engine/tasks/wait-signal/run.ts'
import { waitWebhookRun } from '../../src-engine/tasks/wait-webhook/run.ts'
import {
  digestOfStep,
  oddAtFirst,
  retryConditions,
  roundsFrom,
  stopConditions,
  unclearCondition,
} from '../support/drawn-conditions.ts'
import type { Effect } from '../support/effect-sink.ts'
import { isPureStep } from '../support/effect-sink.ts'
import type { RandomSource } from '../support/random-source.ts'
import { heavyItems } from './documents.ts'
import type { SimulatedProcess } from './world.ts'

/** More than stays in a record. */
const filler = 'x'.repeat(33_000)

export interface FakeTasksOptions {
  readonly process: SimulatedProcess
  readonly random: RandomSource
  /** Decides which work is done by a program that can stand still; none is when it is null or absent. */
  readonly programs?: RandomSource | null
  readonly effects: Effect[]
}

/** A task host whose every execution is noted in `effects`. */
export function createFakeTasks(options: FakeTasksOptions): TaskHost {
  return {
    specsByKind: taskSpecsByKind,
    runOf: (kind) => {
      const decide = deciders.get(kind) ?? fakeOutcome
      return {
        execute: (parameters, context) =>
          execute(
            options,
            { kind, parameters: parametersOf(kind, parameters as JsonObject), decide },
            context,
          ),
      }
    },
    resolver: { resolveParameters: ({ parameters, scope }) => answered(parameters, scope) },
    echoService: async () => '',
    callbacks: { urlOf: async (id) => `https://hooks.test/${id}` },
  }
}

type Decide = (parameters: JsonObject, context: TaskContext) => Promise<TaskOutcome> | TaskOutcome

/** What only says how the run goes on is the product's own. */
const deciders = new Map<string, Decide>(
  Object.entries({
    map: createMapRun({ evaluate: async ({ scope }) => keysOf(scope['rows']) }),
    loop: loopRun,
    semaphore: semaphoreRun,
    throttle: throttleRun,
    'wait-signal': waitSignalRun,
    'wait-webhook': waitWebhookRun,
    'circuit-breaker': circuitBreakerRun,
    'sub-workflow': subWorkflowRun,
    'emit-event': createEmitEventRun({}),
    'steer-runs': steerRunsRun,
    stop: stopRun,
    'break-loop': breakLoopRun,
    'next-turn': nextTurnRun,
    approval: createApprovalRun({ lookup: () => Promise.reject(new Error('no network here')) }),
  }).map(([kind, run]) => [kind, (parameters, context) => run.execute(parameters as never, context)]),
)

/** Each item is its own key. */
const keysOf = (rows: JsonValue | undefined): JsonValue =>
  (rows as readonly JsonObject[]).map(({ item }) => ({ key: item ?? null }))

/** Parameters are what they are; of conditions it is known what they say. */
function answered(parameters: JsonObject, scope: ExpressionScope): unknown {
  const { condition } = parameters
  if (typeof condition !== 'string') return parameters
  if (condition === unclearCondition) throw new SagasmithError('expression_failed')
  const ends = stopConditions.get(condition)
  if (ends !== undefined) return { condition: ends }
  const isTriedAgain = retryConditions.get(condition)
  if (isTriedAgain === undefined) return parameters
  return Promise.resolve(scope.run()).then(({ attempt }) => ({ condition: isTriedAgain(Number(attempt)) }))
}

/** With the kind's defaults, as a resolver would give them. */
const parametersOf = (kind: string, parameters: JsonObject): JsonObject =>
  deciders.has(kind) ? (taskSpecsByKind.get(kind)?.parameters.parse(parameters) as JsonObject) : parameters

async function execute(
  options: FakeTasksOptions,
  {
    kind,
    parameters,
    decide,
  }: { readonly kind: string; readonly parameters: JsonObject; readonly decide: Decide },
  context: TaskContext,
): Promise<TaskOutcome> {
  const { process, random, programs, effects } = options
  const { world } = process
  const { runId, invocationId, nodeId, attempt, idempotencyKey } = context
  const effect = {
    runId,
    invocationId,
    nodeId,
    attempt,
    idempotencyKey,
    isPure: isPureStep(kind, context),
    input: JSON.stringify(context.input),
  }
  const place = effects.push({ ...effect, startedAt: world.now, endedAt: null }) - 1
  const span = spanOf(random)
  const heeds = random.chance(0.9)
  // Programs take long enough for somebody to have them stand still.
  const program = programs?.chance(0.5) === true ? span + programs.below(8_000) : null
  try {
    await (program === null ? work(context, span, heeds) : runProgram(context, program, heeds))
  } finally {
    const begun = effects[place]
    if (begun !== undefined) effects[place] = { ...begun, endedAt: world.now }
  }
  return decide(parameters, context)
}

function fakeOutcome(parameters: JsonObject, context: TaskContext): TaskOutcome {
  const { nodeId, attempt } = context
  const failTimes = Number(parameters['failTimes'] ?? 0)
  const round = failTimes > roundsFrom ? chainNumberOf(context.invocationId) + roundsFrom : attempt
  if (round <= failTimes || failsAtFirst(parameters, context)) throw new SagasmithError('debug_failure')
  const small = outputOf(nodeId, context.input)
  const output = parameters['items'] === heavyItems ? { ...small, filler } : small
  const amount = parameters['amount']
  if (typeof amount === 'number') {
    return { kind: 'parked', until: context.clock.now() + amount, reason: 'waits', output }
  }
  if ('condition' in parameters) return completed(output, [String(parity(output) === 0)])
  return completed(output)
}

/** Of every other number, until its run goes on in another generation. */
const failsAtFirst = ({ failMessage }: JsonObject, { input, invocationId }: TaskContext): boolean =>
  failMessage === oddAtFirst && typeof input === 'number' && input % 2 === 1 && !invocationId.includes('#')

/** Most are short; few outlast a lease. */
function spanOf(random: RandomSource): number {
  const drawn = random.next()
  if (drawn < 0.005) return 20_000 + random.below(40_000)
  return random.below(drawn < 0.05 ? 8_000 : 200)
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

/** The same as a program that stands still under SIGSTOP: its time doesn’t pass meanwhile. */
async function runProgram(context: TaskContext, span: number, heeds: boolean): Promise<void> {
  const { clock } = context
  let left = span
  let since = clock.now()
  let cancel = (): void => {}
  let end = (): void => {}
  const resume = (): void => {
    since = clock.now()
    cancel = clock.after(left, () => end())
  }
  const pause = (): boolean => {
    cancel()
    left = Math.max(0, left - (clock.now() - since))
    return true
  }
  try {
    await new Promise<void>((resolve, reject) => {
      end = resolve
      context.signal.addEventListener('abort', () => {
        if (!heeds) return
        cancel()
        reject(new SagasmithError('task_cancelled'))
      })
      resume()
      context.setPausable({ pause, resume })
    })
  } finally {
    context.setPausable(null)
  }
}

/** The same step with the same input always gives the same. */
function outputOf(nodeId: string, input: JsonValue): { readonly node: string; readonly digest: string } {
  return { node: nodeId, digest: digestOfStep(nodeId, JSON.stringify(input)) }
}

const parity = (output: { readonly digest: string }): number =>
  Number.parseInt(output.digest.slice(-1), 16) % 2
