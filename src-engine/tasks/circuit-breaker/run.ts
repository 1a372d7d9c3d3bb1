/** Asks whether it may try; the breaker that all runs share decides. */

import type { JsonValue } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import type { CircuitBreakerParameters } from './spec.ts'

export const circuitBreakerRun: TaskRun<CircuitBreakerParameters> = {
  execute: async ({ key, scope, failures, windowMs, openMs, probes }, { input }) => ({
    kind: 'guards',
    // It came out of JSON.
    key: key === '' ? null : ((key ?? null) as JsonValue),
    isShared: scope === 'workspace',
    rules: { failures, windowMs, openMs, probes },
    value: input,
  }),
}
