/** Whether a step is to be skipped: asked in its attempt, before its parameters are. */

import type { SkipRule } from '../core/step-rules.ts'
import { isToVerify } from '../core/verify.ts'
import type { JsonValue } from '../model/json.ts'
import type { TaskOutcome } from '../tasks/task.ts'
import { isTrue } from '../tasks/truth.ts'
import { askExpression } from './ask-expression.ts'
import { inputValue, scopeOf } from './attempt-scope.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { ReusedOutcome } from './cache/take-over.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'

/** What comes of an attempt: what its task says, or that it doesn't run. */
export type WorkOutcome = TaskOutcome | SkippedOutcome | ReusedOutcome

export interface SkippedOutcome {
  readonly kind: 'skipped'
  readonly condition: string
  /** What arrived, for a step that hands it on. */
  readonly handsOn: { readonly input: JsonValue } | null
}

/**
 * What an attempt asks before it does anything; null once the step has begun to wait for what it opened, and where it
 * is to find out first whether it happened already: then it is too late to leave it out.
 */
export const skipRuleOf = ({ node, record, undo }: AttemptWork): SkipRule | null =>
  undo === null && record.wait === null && !isToVerify(node, record) ? node.skip : null

/** Null when it runs. Rejects as its expression does. */
export async function askSkip(
  dependencies: ExecutorDependencies,
  work: AttemptWork,
  { condition, handsOn }: SkipRule,
): Promise<SkippedOutcome | null> {
  const { payloads } = dependencies
  if (!isTrue(await askExpression(dependencies, condition, scopeOf(dependencies, work)))) return null
  return {
    kind: 'skipped',
    condition,
    handsOn: handsOn ? { input: await inputValue(payloads, work.input) } : null,
  }
}
