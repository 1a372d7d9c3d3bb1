/** The value that a field's expression gives, for the line under the field; and what can't be read of expressions. */

import { checkExpression } from '../../runtime/expressions/expression-fault.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `expressions.*`. */
export const expressionHandlers = (
  deps: HandlerDeps,
): Handlers<'expressions.preview' | 'expressions.check'> => ({
  'expressions.preview': (input) => deps.engine.previewExpression(input),
  'expressions.check': async ({ expressions }) => ({ faults: expressions.map(checkExpression) }),
})
