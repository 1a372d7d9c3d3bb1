/** Whether a step is to be skipped: asked in its attempt, before its parameters are. */

import type { SkipRule } from '../core/compile.ts'
import { isToVerify } from '../core/verify.ts'
import { SagasmithError } from '../model/errors.ts'
import type { JsonValue } from '../model/json.ts'
import type { TaskOutcome } from '../tasks/task.ts'
import { isTrue } from '../tasks/truth.ts'
import { inputValue, scopeOf } from './attempt-scope.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'

/** The kind whose one parameter is a condition. */
const asksOne = 'if'

/** What comes of an attempt: what its task says, or that it doesn't run. */
export type WorkOutcome = TaskOutcome | SkippedOutcome

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
  const { host, payloads } = dependencies
  const spec = host.specsByKind.get(asksOne)
  if (spec === undefined) throw new SagasmithError('task_kind_unknown', { details: { kind: asksOne } })
  const scope = scopeOf(dependencies, work)
  const resolved = await host.resolver.resolveParameters({ parameters: { condition }, spec, scope })
  if (!isTrue((resolved as { readonly condition?: unknown }).condition)) return null
  return {
    kind: 'skipped',
    condition,
    handsOn: handsOn ? { input: await inputValue(payloads, work.input) } : null,
  }
}
