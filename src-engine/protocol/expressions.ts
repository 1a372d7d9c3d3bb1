/** What the engine says of expressions: their language isn't part of the page. */

import type { NodeId, RunId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { ExpressionFault } from '../model/validation.ts'

export interface ExpressionPreview {
  readonly document: JsonObject
  readonly nodeId: NodeId
  readonly text: string
  /** `expression`: the text is one; `template`: it may hold some. */
  readonly mode: 'expression' | 'template'
  /** The run whose data is used; null when there is none yet. */
  readonly runId: RunId | null
  /** The item or turn that is looked at, as records have it; absent or empty outside of maps and loops. */
  readonly path?: string | undefined
  /** The set of mocks that say what steps give, before the run does; absent or null for none. */
  readonly mocks?: string | null | undefined
  /** What of the step's own end it may read, too; absent or null for nothing. */
  readonly sees?: 'output' | 'error' | null | undefined
}

export interface ExpressionApi {
  /** What an expression (or a text with `{{ }}`) gives on the data of a run, or on sample data. */
  readonly 'expressions.preview': {
    readonly input: ExpressionPreview
    readonly output:
      | { readonly kind: 'value'; readonly value: JsonValue }
      | { readonly kind: 'no-data' }
      | { readonly kind: 'problem'; readonly message: string; readonly position: number | null }
  }
  /** What is wrong with the syntax of each expression, in their order; null for one that can be read. */
  readonly 'expressions.check': {
    readonly input: { readonly expressions: readonly string[] }
    readonly output: { readonly faults: readonly (ExpressionFault | null)[] }
  }
}
