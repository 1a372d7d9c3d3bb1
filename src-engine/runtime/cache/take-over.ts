/** Whether an attempt takes over what its step gave in an earlier run: asked once its parameters are known. */

import type { CacheRule } from '../../core/cache-rule.ts'
import { isToVerify } from '../../core/verify.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import { askExpression } from '../ask-expression.ts'
import type { AttemptWork } from '../attempt-work.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'
import type { ExpressionScope } from '../task-host.ts'
import type { KeptResult } from './kept-results.ts'

/** What an attempt gives that didn't run. */
export interface ReusedOutcome extends KeptResult {
  readonly kind: 'reused'
}

/** What is known once it was asked. */
export interface CacheAnswer {
  /** The key that its own result is kept under; null for one that isn't kept. */
  readonly keepAs: string | null
  readonly found: ReusedOutcome | null
}

/** Null for a step that always runs, and for one that is to find out first whether it happened. */
export const cacheRuleFor = ({ node, record, undo }: AttemptWork): CacheRule | null =>
  undo === null && record.wait === null && !isToVerify(node, record) ? node.cache : null

/** Rejects as the key's expression does. A key of nothing has it run, and nothing is kept. */
export async function askCache(
  dependencies: ExecutorDependencies,
  { work, rule }: { readonly work: AttemptWork; readonly rule: CacheRule },
  called: { readonly scope: ExpressionScope; readonly parameters: JsonValue },
): Promise<CacheAnswer> {
  const { kept } = dependencies
  if (kept === undefined) return { keepAs: null, found: null }
  const value = await valueOf(dependencies, rule, called)
  if (value === null) return { keepAs: null, found: null }
  const { record, run, variables } = work
  // Tenants see nothing of each other, also where an expression holds things to be the same.
  const keepAs = kept.keyOf(canonicalJson([run.tenant, rule.meaning, variables, value]))
  const found = await kept.find(keepAs, { ttlMs: rule.ttlMs, record })
  return { keepAs, found: found === null ? null : { kind: 'reused', ...found } }
}

async function valueOf(
  dependencies: ExecutorDependencies,
  { key }: CacheRule,
  { scope, parameters }: { readonly scope: ExpressionScope; readonly parameters: JsonValue },
): Promise<JsonValue> {
  return key === null ? [parameters, await scope.input()] : askExpression(dependencies, key, scope)
}
