/** Says which runs are meant, and what is asked of them; nothing is asked before the end of this attempt is durable. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import { correlationText } from '../correlation-text.ts'
import { plainText } from '../json-text.ts'
import type { SteeredRuns, TaskOutcome, TaskRun } from '../task.ts'
import type { SteerRunsParameters } from './spec.ts'

const unitMs = { seconds: second, minutes: minute, hours: hour, days: day }

export const steerRunsRun: TaskRun<SteerRunsParameters> = {
  execute(parameters, context): TaskOutcome {
    const { action, atMost, onMore, itself, reason } = parameters
    const limits = { atMost, takesSome: onMore === 'some', includesItself: itself }
    const which = whichOf(parameters, context.clock.now())
    if (action === 'cancel')
      return { kind: 'steers', ask: { kind: 'cancel', reason: reason.trim() }, which, ...limits }
    const { name, payload, correlation } = parameters
    if (name.trim() === '')
      throw missing('name', 'A signal needs a name.', 'Name what the steps that are meant wait for.')
    // A parameter's value is JSON by its making.
    const value = (payload === '' || payload === undefined ? context.input : payload) as JsonValue
    const ask = {
      kind: 'signal',
      name: name.trim(),
      payload: value,
      correlation: correlationText(correlation),
    } as const
    return { kind: 'steers', ask, which, ...limits }
  },
}

function whichOf(parameters: SteerRunsParameters, now: number): SteeredRuns {
  const { which, runs, workflow, state, match, olderThan, unit } = parameters
  if (which === 'ids') return { kind: 'ids', ids: idsOf(runs) }
  return {
    kind: 'filter',
    workflowId: workflow.trim() === '' ? null : workflow.trim(),
    state,
    match: matchOf(match),
    startedBefore: olderThan === 0 ? null : now - Math.ceil(olderThan * unitMs[unit]),
  }
}

function matchOf(match: unknown): JsonObject | null {
  // A parameter's value is JSON by its making.
  const value = (match ?? '') as JsonValue
  if (value === '') return null
  if (isJsonObject(value)) return value
  const hint = 'Give an object, such as { "order": input.order }.'
  throw missing('match', `“Whose input has” is ${plainText(value)}, which is no object.`, hint)
}

function idsOf(runs: unknown): readonly string[] {
  // A parameter's value is JSON by its making.
  const value = (runs ?? null) as JsonValue
  const list = Array.isArray(value) ? value : value === null || value === '' ? [] : [value]
  return list.map((id) => {
    if (typeof id === 'string' && id.trim() !== '') return id.trim()
    throw missing(
      'runs',
      `“Runs” has ${plainText(id)}, which is no id of a run.`,
      'Give ids of runs, as texts.',
    )
  })
}

const missing = (field: string, message: string, hint: string): SagasmithError =>
  new SagasmithError('task_input_invalid', { message, hint, details: { field } })
