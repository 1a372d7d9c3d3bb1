/** Whether a step ends its run: asked once it is known what it gives. */

import type { StopRule } from '../core/step-rules.ts'
import type { JsonValue } from '../model/json.ts'
import { isTrue } from '../tasks/truth.ts'
import { askExpression } from './ask-expression.ts'
import { afterwards, scopeOf } from './attempt-scope.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'

/** Null for a step that doesn't, and for what undoes one. */
export const stopRuleFor = ({ node, undo }: AttemptWork): StopRule | null =>
  undo === null ? node.stop : null

/** Rejects as its expression does. */
export async function asksToStop(
  dependencies: ExecutorDependencies,
  work: AttemptWork,
  { condition, output }: { readonly condition: string; readonly output: JsonValue },
): Promise<boolean> {
  const scope = afterwards(scopeOf(dependencies, work), { output: () => output })
  return isTrue(await askExpression(dependencies, condition, scope))
}
