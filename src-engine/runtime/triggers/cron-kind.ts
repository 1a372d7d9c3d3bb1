/** What a published schedule means: its calculator, and what it asks for beside its slots. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Millis } from '../../model/time.ts'
import { day } from '../../model/time.ts'
import type { TriggerName, TriggerRecord } from '../../model/trigger.ts'
import type { CronCalculator, CronParameters } from '../../triggers/cron/cron-calculator.ts'
import { createCronCalculator } from '../../triggers/cron/cron-calculator.ts'
import type { CatchUp } from './cron-slots-due.ts'

export type Overlap = 'allow' | 'queue' | 'skip' | 'cancel-running'

export interface CronPlan {
  readonly calculator: CronCalculator
  readonly catchUp: CatchUp
  readonly overlap: Overlap
  /** What each run gets, or the expression for it. */
  readonly input: JsonValue
}

/** The parameters as their spec gives them. */
interface CronTriggerParameters extends CronParameters {
  readonly overlap?: Overlap
  readonly catchUp?: CatchUp['mode']
  readonly catchUpMax?: number
  readonly catchUpWindowMs?: Millis
  readonly input?: JsonValue
}

/** Plans by trigger: reading an expression takes its time, and it changes rarely. */
export interface CronPlans {
  /** Throws `bad_request` for what can't be read. */
  readonly of: (trigger: Pick<TriggerRecord, 'workflowId' | 'triggerId' | 'parameters'>) => CronPlan
}

const plansMax = 20_000

export function createCronPlans(): CronPlans {
  const known = new Map<string, { readonly parameters: JsonObject; readonly plan: CronPlan }>()
  const texts = new WeakMap<JsonObject, string>()
  const textOf = (parameters: JsonObject): string => {
    const text = texts.get(parameters) ?? JSON.stringify(parameters)
    texts.set(parameters, text)
    return text
  }
  return {
    of: ({ parameters, ...name }) => {
      const key = spreadKey(name)
      const found = known.get(key)
      if (found !== undefined && textOf(found.parameters) === textOf(parameters)) return found.plan
      const plan = planOf(parameters, key)
      const [oldest] = known.keys()
      if (known.size >= plansMax && oldest !== undefined) known.delete(oldest)
      known.set(key, { parameters, plan })
      return plan
    },
  }
}

/** Two triggers with one expression shall not fire at the same instants. */
const spreadKey = ({ workflowId, triggerId }: TriggerName): string => `${workflowId}/${triggerId}`

const isUnsaid = (input: JsonValue | undefined): input is undefined =>
  input === undefined || (typeof input === 'string' && input.trim() === '')

function planOf(parameters: JsonObject, key: string): CronPlan {
  // They went through the spec's schema when the trigger was published.
  const given = parameters as unknown as CronTriggerParameters
  const { overlap = 'skip', catchUp = 'once', catchUpMax = 100, catchUpWindowMs = day } = given
  return {
    calculator: createCronCalculator({ ...given, key }),
    overlap,
    catchUp: { mode: catchUp, max: catchUpMax, windowMs: catchUpWindowMs },
    input: isUnsaid(given.input) ? {} : given.input,
  }
}
