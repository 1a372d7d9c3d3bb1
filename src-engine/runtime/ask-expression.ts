/** The value of an expression among the settings of a step, as the step's own fields would see it. */

import { SagasmithError } from '../model/errors.ts'
import type { JsonValue } from '../model/json.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'
import type { ExpressionScope } from './task-host.ts'

/** The kind whose one parameter is an expression. */
const asksOne = 'if'

/** Null where it matches nothing. Rejects as its expression does. */
export async function askExpression(
  { host }: Pick<ExecutorDependencies, 'host'>,
  expression: string,
  scope: ExpressionScope,
): Promise<JsonValue> {
  const spec = host.specsByKind.get(asksOne)
  if (spec === undefined) throw new SagasmithError('task_kind_unknown', { details: { kind: asksOne } })
  const parameters = { condition: expression }
  const resolved = await host.resolver.resolveParameters({ parameters, spec, scope })
  return (resolved as { readonly condition?: JsonValue }).condition ?? null
}
