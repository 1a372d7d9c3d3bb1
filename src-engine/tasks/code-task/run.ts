/** Runs the code of a custom task in a sandbox, checks what it was told and what it gave. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import { throwIfAborted } from '../abort.ts'
import { endingValue, toldEnding } from '../javascript/ending.ts'
import { logLineCharsMax } from '../javascript/sandbox-message.ts'
import type { ProbingRun, TaskContext } from '../task.ts'
import { completed, tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { CodeTaskParameters } from './spec.ts'
import { createTaskHttp } from './task-http.ts'
import type { TaskGuestRequest, TaskRole } from './task-message.ts'
import { runTask } from './task-sandbox.ts'

/** The step with what it needs from outside. */
export function createCodeTaskRun(
  ports: Pick<TaskPorts, 'sandbox' | 'lookup'>,
): ProbingRun<CodeTaskParameters> {
  return {
    async execute(parameters, context) {
      const output = await called(ports, { parameters, role: parameters.role }, context)
      if (parameters.role === 'run') checkOutput(parameters, output)
      return completed(output)
    },
    async probe(parameters, context) {
      const answer = await called(ports, { parameters, role: 'probe' }, context)
      if (isJsonObject(answer) && answer['happened'] === false) return { happened: false }
      if (!isJsonObject(answer) || answer['happened'] !== true) throw noAnswer(parameters, answer)
      const output = answer['output'] ?? null
      checkOutput(parameters, output)
      return { happened: true, output, ports: null }
    },
  }
}

/** What one of the functions of its code gave. */
async function called(
  ports: Pick<TaskPorts, 'sandbox' | 'lookup'>,
  { parameters, role }: { readonly parameters: CodeTaskParameters; readonly role: TaskRole },
  context: TaskContext,
): Promise<JsonValue> {
  throwIfAborted(context.signal)
  const told = checkedParameters(parameters)
  const { ending } = await runTask(requestOf(parameters, { told, role }, context), {
    sandbox: ports.sandbox,
    clock: context.clock,
    signal: context.signal,
    log: ({ level, text }) =>
      context.log({ level, stream: 'console', text: tellable(context, text).slice(0, logLineCharsMax) }),
    http: createTaskHttp({ hosts: parameters.hosts, context, lookup: ports.lookup }),
  })
  throwIfAborted(context.signal)
  return endingValue(toldEnding(ending, context), parameters)
}

function noAnswer({ task }: CodeTaskParameters, answer: JsonValue): SagasmithError {
  const said = JSON.stringify(answer).slice(0, 100)
  return new SagasmithError('task_output_invalid', {
    message: `The probe of ${task} gave ${said}.`,
    hint: 'It gives { happened: true, output } or { happened: false }, and throws when it can’t tell.',
  })
}

/** With the defaults of their schema. */
function checkedParameters({ parameters, schema, task }: CodeTaskParameters): JsonValue {
  // Parameters are JSON by their making.
  const { value, problems } = validateInput(schema as JsonObject, parameters as JsonObject)
  const [problem] = problems
  if (problem === undefined) return value
  throw new SagasmithError('task_input_invalid', {
    message: `${task}: ${problem.message}`,
    details: { field: problem.field },
  })
}

function checkOutput({ output: schema, task }: CodeTaskParameters, output: JsonValue): void {
  const [problem] = validateInput(schema as JsonObject, output).problems
  if (problem === undefined) return
  throw new SagasmithError('task_output_invalid', {
    message: `What ${task} gave isn’t what its file says: ${problem.message}`,
    details: { field: problem.field },
  })
}

function requestOf(
  { code, secrets, timeoutMs, memoryMb, parameters: raw, task }: CodeTaskParameters,
  { told: parameters, role }: { readonly told: JsonValue; readonly role: TaskRole },
  context: TaskContext,
): TaskGuestRequest {
  const { now } = context.run
  const frozen = typeof now === 'string' ? Date.parse(now) : now
  const undone = role === 'compensate' ? { input: raw['input'] ?? null, output: raw['output'] ?? null } : null
  const { idempotencyKey, attempt, run, vars } = context
  const told = undone ?? { input: context.input, parameters }
  return {
    kind: 'task',
    ...{ role, code, timeoutMs },
    isTypeScript: false,
    fileName: `${task}.js`,
    context: JSON.stringify({ ...told, idempotencyKey, attempt, run, vars, secrets }),
    memoryBytes: memoryMb * 1024 * 1024,
    now: typeof frozen === 'number' && Number.isFinite(frozen) ? frozen : context.clock.now(),
    seed: Math.floor(context.random.next() * 2 ** 32),
  }
}
