/** The value that a field's expression gives, for the line under the field. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `expressions.*`. */
export const expressionHandlers = (deps: HandlerDeps): Handlers<'expressions.preview'> => ({
  'expressions.preview': (input) => deps.engine.previewExpression(input),
})
