/** Fails, waits and makes up data as told. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Random } from '../../model/ports.ts'
import { pause } from '../abort.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { DebugParameters } from './spec.ts'

const names = [
  'Ada',
  'Bo',
  'Chen',
  'Dara',
  'Eli',
  'Fatou',
  'Goran',
  'Hana',
  'Iris',
  'Joao',
  'Kofi',
  'Lena',
] as const
const cities = ['Accra', 'Bergen', 'Cusco', 'Delft', 'Esfahan', 'Fukuoka', 'Ghent', 'Hanoi'] as const

export const debugRun: TaskRun<DebugParameters> = {
  async execute(parameters, context) {
    await pause(context.clock, parameters.sleepMs, context.signal)
    if (context.attempt <= parameters.failTimes) throw failure(parameters, context.attempt)
    return completed(outputOf(parameters, context))
  },
}

function failure(parameters: DebugParameters, attempt: number): SagasmithError {
  const { failTimes, failMessage, retryable } = parameters
  const message =
    failMessage === '' ? `Failed on purpose: attempt ${attempt}, of ${failTimes} that fail.` : failMessage
  return new SagasmithError('debug_failure', { message, retryable, details: { attempt, failTimes } })
}

function outputOf(parameters: DebugParameters, context: TaskContext): JsonValue {
  if (parameters.produce === 'input') return context.input
  // Resolved parameters are JSON; the schema only doesn't say which.
  if (parameters.produce === 'value') return parameters.value as JsonValue
  return Array.from({ length: parameters.items }, (_, index) => record(index + 1, context.random))
}

function record(id: number, random: Random): JsonObject {
  return {
    id,
    name: pick(names, random),
    city: pick(cities, random),
    age: 18 + Math.floor(random.next() * 70),
    amount: Math.round(random.next() * 100_000) / 100,
    active: random.next() < 0.7,
  }
}

function pick(list: readonly string[], random: Random): string {
  return list[Math.floor(random.next() * list.length)] ?? ''
}
